import { LRUCache } from 'lru-cache';
import { windowMsOf, type Bucket, type PolicyName, type Usage } from './policy.js';

// This many windows take at most about 10 MB for each policy. If there are more, the least recently used
// window is dropped, and the next request in its bucket begins a new window. Policies are separate, so a
// flood from many IP addresses drops no window of a user.
const MAX_WINDOWS = 50_000;

// Two window ends that differ by less than this belong to the same window. The ends differ because this process and
// Redis have different clocks, and because a response takes a moment.
const WINDOW_END_TOLERANCE_MS = 1_000;

interface Window {
  used: number;
  /** In whole milliseconds of a monotonic clock. */
  resetsAt: number;
}

const monotonicNow = () => Math.trunc(performance.now());

/** Counts the requests of this process only. A window begins with the first request in a bucket. */
export class MemoryCounters {
  private readonly windows: Record<PolicyName, LRUCache<string, Window>> = {
    address: new LRUCache({ max: MAX_WINDOWS }),
    user: new LRUCache({ max: MAX_WINDOWS }),
    'test-sends': new LRUCache({ max: MAX_WINDOWS }),
  };

  increment(bucket: Bucket): Usage {
    const now = monotonicNow();
    const windows = this.windows[bucket.policy.name];
    let window = windows.get(bucket.key);
    if (window === undefined || window.resetsAt <= now) {
      window = { used: 0, resetsAt: now + windowMsOf(bucket.policy) };
      windows.set(bucket.key, window);
    }
    return { ...bucket, used: ++window.used, resetsInMs: window.resetsAt - now };
  }

  /** Reads a counter without incrementing it. */
  peek(bucket: Bucket): Usage {
    const { used, resetsAt } = this.windows[bucket.policy.name].get(bucket.key) ?? {
      used: 0,
      resetsAt: 0,
    };
    const resetsInMs = resetsAt - monotonicNow();
    return { ...bucket, used: resetsInMs > 0 ? used : 0, resetsInMs };
  }

  /** Adopts the count of all processes, unless this process has a larger count for the same window. */
  merge({ policy, key, used, resetsInMs }: Usage): void {
    const windows = this.windows[policy.name];
    const resetsAt = monotonicNow() + resetsInMs;
    const cached = windows.get(key);
    // A different end means a different window, so the earlier count no longer applies.
    const isSameWindow =
      cached !== undefined && Math.abs(cached.resetsAt - resetsAt) < WINDOW_END_TOLERANCE_MS;
    windows.set(key, { used: isSameWindow ? Math.max(cached.used, used) : used, resetsAt });
  }
}
