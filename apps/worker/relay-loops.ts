import type { DueEndpoint, Relay, RelayWalk } from '#webhooks';
import { Loop } from './loop.js';

// How late a relay is that was not woken.
const IDLE_MS = 1_000;
// The second loop only works while the first one is busy.
const UNTIL_WOKEN_MS = 2 ** 31 - 1;

/**
 * Relays events, with a second statement beside one that takes long: an event for thousands of
 * endpoints must not delay the event of another workspace. The statements skip the workspaces of each
 * other.
 */
export class RelayLoops {
  private readonly first: Loop;
  private readonly second: Loop;

  /** @param enqueue takes the endpoints that have something due now. */
  constructor(
    relay: Relay,
    private readonly enqueue: (endpoints: DueEndpoint[]) => Promise<void>,
  ) {
    const walks = [relay.walk(), relay.walk()] as const;
    this.first = new Loop('relay', () => this.step(walks[0], IDLE_MS));
    this.second = new Loop('relay', () =>
      this.first.isBusy ? this.step(walks[1], UNTIL_WOKEN_MS) : Promise.resolve(UNTIL_WOKEN_MS),
    );
  }

  wake(): void {
    this.first.wake();
    if (this.first.isBusy) this.second.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([this.first.stop(), this.second.stop()]);
  }

  private async step(walk: RelayWalk, idleMs: number): Promise<number> {
    const begun = performance.now();
    const { turns, more } = await walk.relay();
    await this.enqueue(turns);
    // A backlog pauses as long as each statement took, unless a new event wakes it: what follows from the
    // statement, in the queue and in the workers, costs as much as the statement.
    return more ? performance.now() - begun : idleMs;
  }
}
