import { LRUCache } from 'lru-cache';
import type { Bucket, PolicyName, Usage } from './policy.js';

// Of each policy, some 10 MB. Those who have not been seen for longest go first, and begin a new window;
// from however many addresses somebody comes, no user is forgotten for it.
const MAX_WINDOWS = 50_000;

// Two clocks see the end of a window, and what one of them says is on its way for a moment.
const WINDOW_END_TOLERANCE_MS = 1_000;

interface Window {
  used: number;
  /** Whole milliseconds, by a clock that nobody sets. */
  resetsAt: number;
}

const monotonicNow = () => Math.trunc(performance.now());

/** Counters of this process alone. A window begins with the first request in a bucket. */
export class MemoryCounters {
  private readonly windows: Record<PolicyName, LRUCache<string, Window>> = {
    address: new LRUCache({ max: MAX_WINDOWS }),
    user: new LRUCache({ max: MAX_WINDOWS }),
  };

  constructor(private readonly windowMs: number) {}

  increment(bucket: Bucket): Usage {
    const now = monotonicNow();
    const windows = this.windows[bucket.policy.name];
    let window = windows.get(bucket.key);
    if (window === undefined || window.resetsAt <= now) {
      window = { used: 0, resetsAt: now + this.windowMs };
      windows.set(bucket.key, window);
    }
    return { ...bucket, used: ++window.used, resetsInMs: window.resetsAt - now };
  }

  /** What has been counted, without counting. */
  peek(bucket: Bucket): Usage {
    const { used, resetsAt } = this.windows[bucket.policy.name].get(bucket.key) ?? {
      used: 0,
      resetsAt: 0,
    };
    const resetsInMs = resetsAt - monotonicNow();
    return { ...bucket, used: resetsInMs > 0 ? used : 0, resetsInMs };
  }

  /** Takes over what was counted in all processes, if that is more than what is known here. */
  merge({ policy, key, used, resetsInMs }: Usage): void {
    const windows = this.windows[policy.name];
    const resetsAt = monotonicNow() + resetsInMs;
    const cached = windows.get(key);
    // With another end it is another window, and what was counted before is over.
    const isSameWindow =
      cached !== undefined && Math.abs(cached.resetsAt - resetsAt) < WINDOW_END_TOLERANCE_MS;
    windows.set(key, { used: isSameWindow ? Math.max(cached.used, used) : used, resetsAt });
  }
}
