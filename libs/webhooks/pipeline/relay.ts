import { Injectable } from '@nestjs/common';
import { Database, NIL_UUID } from '#database';
import type { Loop, Loops } from '#loops';
import { linksTo, tracer } from '#tracing';
import type { DueEndpoint } from '../traffic/endpoint-health.js';
import type { EndpointQueue } from './endpoint-queue.js';
import { RELAY_NEW_EVENTS, RELAY_UNFINISHED_EVENTS } from './relay-events.sql.js';

// If a wake-up is lost, new events are relayed at most this much later.
const MAX_PAUSE_MS = 1_000;
// While an event is unfinished, the fan-out loop pauses for this many times the duration of its last statement.
const UNFINISHED_PAUSE_FACTOR = 3;

interface RelayResult {
  /** The workspace after which the next statement of the walk starts; null at the end of the walk. */
  resumeAfter: string | null;
  /** Whether there may be more events for this walk to relay. */
  hasMore: boolean;
  /** Whether any event may still lack deliveries, including events that other statements have begun to relay. */
  hasUnfinished: boolean;
  /** Whether this statement finished at least one event, which means that all deliveries of that event exist. */
  hasFinished: boolean;
  /** How many events this statement moved to the feeds. */
  relayedCount: number;
  /** Endpoints that must be put into the queue. */
  dueEndpoints: DueEndpoint[];
  /** The trace contexts of the changes that created the relayed events. */
  traceparents: string[];
  /** `on` if there are standbys, because the statement then turns on `synchronous_commit`; otherwise null. Not used. */
  synchronousCommit: string | null;
}

/**
 * Moves events from the outbox to their workspace's feed, and creates a delivery for each endpoint that subscribes to
 * the event.
 */
@Injectable()
export class Relay {
  constructor(private readonly database: Database) {}

  /** Starts a walk over the workspaces that have new events. Several walks may run at the same time. */
  startWalk(): RelayWalk {
    return new RelayWalk(this.database, RELAY_NEW_EVENTS);
  }

  /** Starts a walk over the workspaces that have an unfinished event. */
  startUnfinishedWalk(): RelayWalk {
    return new RelayWalk(this.database, RELAY_UNFINISHED_EVENTS);
  }
}

class RelayWalk {
  private startAfter = NIL_UUID;

  constructor(
    private readonly database: Database,
    private readonly statement: string,
  ) {}

  async relayChunk(): Promise<
    Omit<RelayResult, 'resumeAfter' | 'traceparents' | 'synchronousCommit'>
  > {
    // The events of one statement belong to different traces. The span of the statement therefore starts a new trace,
    // with links to those traces.
    const span = tracer()?.startSpan('relay', { root: true });
    const [row] = await this.database.query<RelayResult>(this.statement, [this.startAfter]);
    if (row === undefined) throw new Error('A statement without FROM returned no row.');
    const { resumeAfter, traceparents, synchronousCommit: _, ...result } = row;
    // A statement that relays nothing needs no span. A span that is not ended is never exported.
    if (span && (result.relayedCount > 0 || traceparents.length > 0)) {
      span.setAttribute('galley.event.count', result.relayedCount);
      span.addLinks(linksTo(traceparents)).end();
    }
    // While a walk takes several statements, a signal may announce a new event in a workspace that the walk has already
    // passed. So only a walk that takes a single statement can tell that there are no more events.
    const isFullWalk = this.startAfter === NIL_UUID && resumeAfter === null;
    this.startAfter = resumeAfter ?? NIL_UUID;
    return { ...result, hasMore: result.hasMore || !isFullWalk };
  }
}

/**
 * Relays events so that a new event of one workspace never waits for the events of another workspace:
 *
 * - If a statement takes long, a second loop runs another statement in parallel. Each statement skips the workspaces
 *   that the other has locked.
 * - A third loop creates the remaining deliveries in workspaces with many endpoints, in chunks. This loop keeps one
 *   connection busy for at most a quarter of the time.
 */
export class RelayLoops {
  private readonly primaryLoop: Loop;
  private readonly secondaryLoop: Loop;
  private readonly fanOutLoop: Loop;
  private isFanningOut = false;
  private hasNewUnfinished = false;

  /** @param countRelayed is called with the number of events that a statement has moved to the feeds. */
  constructor(
    loops: Loops,
    relay: Relay,
    private readonly queue: EndpointQueue,
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
    // While the fan-out loop has work, a wake-up would cut its pause short. Instead, `hasNewUnfinished` makes that loop
    // run again after its pause.
    if (hasUnfinished && this.isFanningOut) this.hasNewUnfinished = true;
    else if (hasUnfinished) this.fanOutLoop.wake();
    await this.queue.add(dueEndpoints);
    // If there is a backlog, the loop pauses for as long as the statement took, unless a new event wakes the loop. The
    // pause leaves capacity for the queue and the workers, because handling the new deliveries costs about as much as
    // creating them.
    return hasMore ? performance.now() - startedAt : idleMs;
  }

  private async relayUnfinished(walk: RelayWalk): Promise<number> {
    const startedAt = performance.now();
    this.hasNewUnfinished = false;
    const relayed = await walk.relayChunk();
    const { dueEndpoints, hasFinished } = relayed;
    const hasMore = relayed.hasMore || this.hasNewUnfinished;
    this.isFanningOut = hasMore;
    await this.queue.add(dueEndpoints);
    if (hasFinished) this.wake();
    return hasMore ? UNFINISHED_PAUSE_FACTOR * (performance.now() - startedAt) : Infinity;
  }
}
