import { Injectable } from '@nestjs/common';
import { Database, NIL_UUID } from '#database';
import { linksTo, tracer } from '#tracing';
import type { DueEndpoint } from '../traffic/endpoint-health.js';
import { RELAY_NEW_EVENTS, RELAY_UNFINISHED_EVENTS } from './relay-events.sql.js';

interface RelayResult {
  /** The workspace after which the next statement of the walk starts; null at the end of the walk. */
  resumeAfter: string | null;
  /** Whether there may be more events for this walk to relay. */
  hasMore: boolean;
  /** Whether any event may still lack deliveries, no matter which statement has begun to relay the event. */
  hasUnfinished: boolean;
  /** Whether this statement finished at least one event: all deliveries of the event now exist. */
  hasFinished: boolean;
  /** How many events this statement moved to the feeds. */
  relayedCount: number;
  /** Endpoints that are to be put into the queue. */
  dueEndpoints: DueEndpoint[];
  /** The spans to which the changes of the relayed events belong. */
  traceparents: string[];
  /** Not null if the commit of the statement waits for a standby. */
  synchronousCommit: string | null;
}

/**
 * Moves events from the outbox to their workspace's feed, and makes a delivery for each endpoint that
 * subscribes to the event.
 */
@Injectable()
export class Relay {
  constructor(private readonly database: Database) {}

  /** A walk over the workspaces that have new events. Several walks may run at the same time. */
  startWalk(): RelayWalk {
    return new RelayWalk(this.database, RELAY_NEW_EVENTS);
  }

  /** A walk over the workspaces that have an unfinished event. */
  startUnfinishedWalk(): RelayWalk {
    return new RelayWalk(this.database, RELAY_UNFINISHED_EVENTS);
  }
}

export class RelayWalk {
  private startAfter = NIL_UUID;

  constructor(
    private readonly database: Database,
    private readonly statement: string,
  ) {}

  /** Relays the next chunk of events. */
  async relayChunk(): Promise<
    Omit<RelayResult, 'resumeAfter' | 'traceparents' | 'synchronousCommit'>
  > {
    // A statement relays events of many traces, so its span has a trace of its own, with links to theirs.
    const span = tracer()?.startSpan('relay', { root: true });
    const [row] = await this.database.query<RelayResult>(this.statement, [this.startAfter]);
    if (row === undefined) throw new Error('A statement without FROM gave no row.');
    const { resumeAfter, traceparents, synchronousCommit: _, ...result } = row;
    // A span that does not end is not exported: a statement without events tells nothing.
    if (span && (result.relayedCount > 0 || traceparents.length > 0)) {
      span.setAttribute('galley.event.count', result.relayedCount);
      span.addLinks(linksTo(traceparents)).end();
    }
    // While a walk takes several statements, a signal may announce a new event of a workspace that the walk
    // has already passed. So only a walk of a single statement can say that there are no more events.
    const isFullWalk = this.startAfter === NIL_UUID && resumeAfter === null;
    this.startAfter = resumeAfter ?? NIL_UUID;
    return { ...result, hasMore: result.hasMore || !isFullWalk };
  }
}
