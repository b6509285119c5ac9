import { LRUCache } from 'lru-cache';
import type { Bucket, PolicyName, Usage } from './policy.js';

// Of each policy, some 10 MB. Those who have not been seen for longest go first, and begin a new window;
// from however many addresses somebody comes, no user is forgotten for it.
const KEPT_WINDOWS = 50_000;

// Two clocks see the end of a window, and what one of them says is on its way for a moment.
const SAME_WINDOW_MS = 1_000;

interface Window {
  used: number;
  /** Whole milliseconds, by a clock that nobody sets. */
  endsAt: number;
}

const clock = () => Math.trunc(performance.now());

/** Counters of this process alone. A window begins with the first request in a bucket. */
export class MemoryCounters {
  private readonly windows: Record<PolicyName, LRUCache<string, Window>> = {
    address: new LRUCache({ max: KEPT_WINDOWS }),
    user: new LRUCache({ max: KEPT_WINDOWS }),
  };

  constructor(private readonly windowMs: number) {}

  count(bucket: Bucket): Usage {
    const now = clock();
    const windows = this.windows[bucket.policy.name];
    let window = windows.get(bucket.key);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + this.windowMs };
      windows.set(bucket.key, window);
    }
    return { ...bucket, used: ++window.used, endsInMs: window.endsAt - now };
  }

  /** What has been counted, without counting. */
  look(bucket: Bucket): Usage {
    const { used, endsAt } = this.windows[bucket.policy.name].get(bucket.key) ?? {
      used: 0,
      endsAt: 0,
    };
    const endsInMs = endsAt - clock();
    return { ...bucket, used: endsInMs > 0 ? used : 0, endsInMs };
  }

  /** Takes over what was counted in all processes, if that is more than what is known here. */
  keep({ policy, key, used, endsInMs }: Usage): void {
    const windows = this.windows[policy.name];
    const endsAt = clock() + endsInMs;
    const known = windows.get(key);
    // With another end it is another window, and what was counted before is over.
    const isSame = known !== undefined && Math.abs(known.endsAt - endsAt) < SAME_WINDOW_MS;
    windows.set(key, { used: isSame ? Math.max(known.used, used) : used, endsAt });
  }
}
