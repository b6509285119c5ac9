import type { DueEndpoint, Relay, RelayWalk } from '#webhooks';
import type { Loop } from './loops/loop.js';
import type { Loops } from './loops/loops.js';

// If a wake-up was lost, the relay is at most this late.
const MAX_PAUSE_MS = 1_000;
// While an event is unfinished, the fan-out loop pauses for this many times the duration of its last
// statement.
const UNFINISHED_PAUSE_FACTOR = 3;

/**
 * Relays events. A new event of one workspace must not wait for the events of another workspace:
 *
 * - While one statement takes long, a second statement runs in parallel. Each statement skips the
 * workspaces of the other.
 * - An event for many endpoints is fanned out in chunks. A separate loop does this, and uses a quarter of
 * the time of one connection.
 */
export class RelayLoops {
  private readonly primaryLoop: Loop;
  private readonly secondaryLoop: Loop;
  private readonly fanOutLoop: Loop;
  private isFanningOut = false;
  private hasNewUnfinished = false;

  /**
   * @param enqueue puts endpoints that have due deliveries into the queue.
   * @param countRelayed receives how many events a statement has moved to the feeds.
   */
  constructor(
    loops: Loops,
    relay: Relay,
    private readonly enqueue: (endpoints: DueEndpoint[]) => Promise<void>,
    private readonly countRelayed: (count: number) => void,
  ) {
    const walks = [relay.startWalk(), relay.startWalk(), relay.startUnfinishedWalk()] as const;
    this.primaryLoop = loops.start('relay', () => this.relayNew(walks[0], MAX_PAUSE_MS));
    this.secondaryLoop = loops.start('relay', () =>
      this.primaryLoop.isBusy ? this.relayNew(walks[1], Infinity) : Promise.resolve(Infinity),
    );
    this.fanOutLoop = loops.start('relay', () => this.relayUnfinished(walks[2]));
  }

  wake(): void {
    this.primaryLoop.wake();
    if (this.primaryLoop.isBusy) this.secondaryLoop.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([this.primaryLoop.stop(), this.secondaryLoop.stop(), this.fanOutLoop.stop()]);
  }

  private async relayNew(walk: RelayWalk, idleMs: number): Promise<number> {
    const startedAt = performance.now();
    const { dueEndpoints, hasMore, hasUnfinished, relayedCount } = await walk.relayChunk();
    this.countRelayed(relayedCount);
    // While the fan-out loop has work, a wake-up would cut its pause short. The flag makes the loop run
    // again after its pause.
    if (hasUnfinished && this.isFanningOut) this.hasNewUnfinished = true;
    else if (hasUnfinished) this.fanOutLoop.wake();
    await this.enqueue(dueEndpoints);
    // With a backlog, the loop pauses for as long as the statement took, unless a new event wakes the loop.
    // The pause leaves time for the work that the statement causes in the queue and in the workers, which
    // costs as much as the statement.
    return hasMore ? performance.now() - startedAt : idleMs;
  }

  private async relayUnfinished(walk: RelayWalk): Promise<number> {
    const startedAt = performance.now();
    this.hasNewUnfinished = false;
    const relayed = await walk.relayChunk();
    const { dueEndpoints, hasFinished } = relayed;
    const hasMore = relayed.hasMore || this.hasNewUnfinished;
    this.isFanningOut = hasMore;
    await this.enqueue(dueEndpoints);
    if (hasFinished) this.wake();
    return hasMore ? UNFINISHED_PAUSE_FACTOR * (performance.now() - startedAt) : Infinity;
  }
}
