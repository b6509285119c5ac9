import type { DueEndpoint, Relay, RelayWalk } from '#webhooks';
import { Loop } from './loop.js';

// How late a relay is that was not woken.
const IDLE_MS = 1_000;
// For loops that only work when another loop has found work for them.
const UNTIL_WOKEN_MS = 2 ** 31 - 1;
// How much longer than its statement an unfinished event pauses.
const UNFINISHED_PAUSE = 3;

/**
 * Relays events. A new event of one workspace must not wait for the events of another one:
 *
 * - A second statement runs beside one that takes long. The statements skip the workspaces of each other.
 * - An event for many endpoints is fanned out in parts, by a loop of its own that takes a quarter of the
 *   time of one connection.
 */
export class RelayLoops {
  private readonly first: Loop;
  private readonly second: Loop;
  private readonly unfinished: Loop;
  private isFanningOut = false;
  private hasMoreToFanOut = false;

  /** @param enqueue takes the endpoints that have something due now. */
  constructor(
    relay: Relay,
    private readonly enqueue: (endpoints: DueEndpoint[]) => Promise<void>,
  ) {
    const walks = [relay.walk(), relay.walk(), relay.walkUnfinished()] as const;
    this.first = new Loop('relay', () => this.relayNew(walks[0], IDLE_MS));
    this.second = new Loop('relay', () =>
      this.first.isBusy ? this.relayNew(walks[1], UNTIL_WOKEN_MS) : Promise.resolve(UNTIL_WOKEN_MS),
    );
    this.unfinished = new Loop('relay', () => this.relayUnfinished(walks[2]));
  }

  wake(): void {
    this.first.wake();
    if (this.first.isBusy) this.second.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([this.first.stop(), this.second.stop(), this.unfinished.stop()]);
  }

  private async relayNew(walk: RelayWalk, idleMs: number): Promise<number> {
    const begun = performance.now();
    const { turns, more, hasUnfinished } = await walk.relay();
    // A loop that is fanning out must not be woken from its pause.
    if (hasUnfinished && this.isFanningOut) this.hasMoreToFanOut = true;
    else if (hasUnfinished) this.unfinished.wake();
    await this.enqueue(turns);
    // A backlog pauses as long as each statement took, unless a new event wakes it: what follows from the
    // statement, in the queue and in the workers, costs as much as the statement.
    return more ? performance.now() - begun : idleMs;
  }

  private async relayUnfinished(walk: RelayWalk): Promise<number> {
    const begun = performance.now();
    this.hasMoreToFanOut = false;
    const relayed = await walk.relay();
    const { turns, hasFinished } = relayed;
    const more = relayed.more || this.hasMoreToFanOut;
    this.isFanningOut = more;
    await this.enqueue(turns);
    if (hasFinished) this.wake();
    return more ? UNFINISHED_PAUSE * (performance.now() - begun) : UNTIL_WOKEN_MS;
  }
}
