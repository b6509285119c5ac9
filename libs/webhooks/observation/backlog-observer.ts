import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { endpointStatuses, type EndpointStatus } from '../delivery/endpoint-status.js';
import { COUNT_ENDPOINTS, OBSERVE_BACKLOG, OBSERVE_OUTBOX } from './observe-backlog.sql.js';

/**
 * The pending deliveries of all workspaces, by state. For a backlog larger than `MAX_COUNTED`, the counts are lower
 * bounds.
 */
export interface Backlog {
  due: number;
  inFlight: number;
  held: number;
  /**
   * Due deliveries that wait because of their endpoint: it is failing, its receiver has asked for a pause, its rate
   * limit is used up, or it is draining a backlog. More workers would not deliver them sooner.
   */
  paused: number;
  scheduled: number;
  openBreakers: number;
  /** The age of the oldest due delivery that waits only for a worker. */
  oldestDueAgeSeconds: number;
  /** The largest backlogs of single workspaces, in descending order. */
  workspaceBacklogs: number[];
  /** The Unix time of the observation, by PostgreSQL's clock. */
  observedAtSeconds: number;
}

export interface OutboxState {
  events: number;
  oldestAgeSeconds: number;
}

/** Measures how much work waits in PostgreSQL. The cost is bounded, however large the backlog is. */
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
    if (row === undefined) throw new Error('An aggregate returned no row.');
    return row;
  }
}
