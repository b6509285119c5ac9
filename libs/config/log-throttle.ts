const INTERVAL_MS = 5_000;

/** For a log line that a lasting fault would repeat many times a second. */
export class LogThrottle {
  private lastWrittenAt = -Infinity;
  private count = 0;

  /**
   * Calls `write` at once, and then at most every five seconds while there are more lines.
   *
   * @param write receives the number of lines since the last call, including this one.
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
