const INTERVAL_MS = 60_000;
// Far more causes than occur in one outage.
const MAX_CAUSES = 200;

/** Remembers which errors were logged with their stack within the last minute. */
export class RecentStacks {
  private readonly loggedAt = new Map<string, number>();

  /** Whether to log the stack of an error with this cause. If so, records that the stack was logged. */
  isDue(cause: string): boolean {
    const now = performance.now();
    if (now - (this.loggedAt.get(cause) ?? -Infinity) < INTERVAL_MS) return false;
    // Moves the cause to the end, so that the first cause is the oldest.
    this.loggedAt.delete(cause);
    this.loggedAt.set(cause, now);
    const [oldest] = this.loggedAt.keys();
    if (this.loggedAt.size > MAX_CAUSES && oldest !== undefined) this.loggedAt.delete(oldest);
    return true;
  }
}
