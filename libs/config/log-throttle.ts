const INTERVAL_MS = 5_000;

/** Throttles a log line that a persistent fault would repeat many times a second. */
export class LogThrottle {
  private lastWrittenAt = -Infinity;
  private count = 0;

  /**
   * Calls `write` at most once in five seconds.
   *
   * @param write receives the number of `log` calls since the last line was written, including this call.
   */
  log(write: (count: number) => void): void {
    this.count++;
    const now = performance.now();
    if (now - this.lastWrittenAt < INTERVAL_MS) return;
    const { count } = this;
    this.lastWrittenAt = now;
    this.count = 0;
    write(count);
  }
}
