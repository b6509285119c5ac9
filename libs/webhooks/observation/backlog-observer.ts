import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { endpointStatuses, type EndpointStatus } from '../delivery/endpoint-status.js';
import { COUNT_ENDPOINTS, OBSERVE_BACKLOG, OBSERVE_OUTBOX } from './observe-backlog.sql.js';

/** The pending deliveries of all workspaces, as far as they were counted. */
export interface Backlog {
  due: number;
  inFlight: number;
  held: number;
  /**
   * Deliveries whose endpoint fails, has used up its rate limit or is being drained. A faster Galley would not help
   * them.
   */
  paused: number;
  scheduled: number;
  openBreakers: number;
  /** The age of the oldest due delivery that waits only for a worker. */
  oldestDueAgeSeconds: number;
  /** The backlogs of the workspaces with the longest backlogs, the longest first. */
  workspaceBacklogs: number[];
  /** When the deliveries were counted, by PostgreSQL's clock. */
  observedAtSeconds: number;
}

export interface OutboxState {
  events: number;
  oldestAgeSeconds: number;
}

/** Measures how much work waits in PostgreSQL, at a cost that does not grow with the amount. */
@Injectable()
export class BacklogObserver {
  constructor(private readonly database: Database) {}

  async observeBacklog(): Promise<Backlog> {
    return this.readRow<Backlog>(OBSERVE_BACKLOG);
  }

  async observeOutbox(): Promise<OutboxState> {
    return this.readRow<OutboxState>(OBSERVE_OUTBOX);
  }

  async countEndpoints(): Promise<[status: EndpointStatus, count: number][]> {
    const counts: [EndpointStatus, number][] = [];
    for (const status of endpointStatuses) {
      const { count } = await this.readRow<{ count: number }>(COUNT_ENDPOINTS, [status]);
      counts.push([status, count]);
    }
    return counts;
  }

  private async readRow<Row extends object>(statement: string, values?: unknown[]): Promise<Row> {
    const [row] = await this.database.query<Row>(statement, values);
    if (row === undefined) throw new Error('An aggregate gave no row.');
    return row;
  }
}
