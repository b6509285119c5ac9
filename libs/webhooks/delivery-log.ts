import { Injectable } from '@nestjs/common';
import { Database, Keysets, NEWEST_ID, type Page, type PageRequest } from '#database';
import { DomainError } from '#errors';
import type { EventKind } from '#events';
import {
  authorise,
  authoriseList,
  callerColumns,
  rolesFrom,
  type Actor,
  type CallerRow,
} from '#identity';
import type { Stage } from './attempt-errors.js';
import { fromEndpoint } from './endpoint.js';

const pendingStatuses = ['pending', 'held'] as const;
export const finishedStatuses = ['delivered', 'failed', 'cancelled'] as const;
export const deliveryStatuses = [...pendingStatuses, ...finishedStatuses] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One event on its way to one endpoint. */
export interface Delivery {
  id: string;
  /** `webhook-id` of every attempt. */
  eventId: string;
  event: EventKind;
  resourceId: string;
  sequence: number;
  /** `held` while the endpoint is disabled. */
  status: DeliveryStatus;
  attempts: number;
  createdAt: Date;
  /** Not before; null when it is held, or waits for an earlier one of its resource. */
  nextAttemptAt: Date | null;
  finishedAt: Date | null;
}

export interface LoggedAttempt {
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  /** Where it failed, and how; null after a success. */
  stage: Stage | null;
  error: string | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  /** The first 16 KiB at most. */
  responseBody: string | null;
}

const shared = `delivery.id, delivery.event_id AS "eventId", delivery.kind AS event,
  delivery.resource_id AS "resourceId", delivery.sequence, delivery.attempts,
  delivery.event_relayed_at AS "createdAt"`;

const pending = `SELECT ${shared},
    CASE endpoint.status WHEN 'disabled' THEN 'held' ELSE 'pending' END AS status,
    CASE WHEN endpoint.status <> 'disabled' AND delivery.due_at < 'infinity'
      THEN greatest(delivery.due_at, flow.open_until, now()) END AS "nextAttemptAt",
    NULL::timestamptz AS "finishedAt"
  FROM webhook_deliveries delivery CROSS JOIN LATERAL (
    SELECT open_until FROM webhook_flows WHERE endpoint_id = endpoint.id LIMIT 1
  ) flow WHERE delivery.endpoint_id = endpoint.id`;

const finished = `SELECT ${shared}, delivery.status, NULL::timestamptz AS "nextAttemptAt",
    delivery.finished_at AS "finishedAt"
  FROM webhook_delivery_log delivery WHERE delivery.endpoint_id = endpoint.id`;

/** Else nothing is looked for. */
const mayRead = `member.role IN (${rolesFrom('admin')})`;

const page = (source: string, condition = '') => `(${source} AND ${mayRead} AND delivery.id < $3
  ${condition} ORDER BY delivery.id DESC LIMIT $4)`;

/** A constant for each status, so that the index of what did not arrive can be used. */
const sourceOf = (status: DeliveryStatus | undefined): string => {
  if (status === undefined) return `${page(pending)} UNION ALL ${page(finished)}`;
  if (status === 'pending') return page(pending, `AND endpoint.status <> 'disabled'`);
  if (status === 'held') return page(pending, `AND endpoint.status = 'disabled'`);
  return page(finished, `AND delivery.status = '${status}'`);
};

/** What became of the notifications to an endpoint, attempt by attempt. */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly keysets: Keysets,
  ) {}

  /** Newest first. */
  async list(
    actor: Actor,
    endpointId: string,
    { status, cursor, limit }: PageRequest & { status?: DeliveryStatus },
  ): Promise<Page<Delivery>> {
    const keyset = this.keysets.of(['deliveries', endpointId, status], NEWEST_ID);
    const rows = await this.database.query<CallerRow & Delivery>(
      `SELECT ${callerColumns('endpoint.id')}, page.* ${fromEndpoint}
       LEFT JOIN LATERAL (
         SELECT * FROM (${sourceOf(status)}) delivery ORDER BY id DESC LIMIT $4
       ) page ON true
       WHERE caller.id = $1 ORDER BY page.id DESC`,
      [actor.userId, endpointId, ...keyset.after(cursor), limit + 1],
    );
    return keyset.page(authoriseList(rows, 'admin', 'webhook'), limit, ({ id }) => [id]);
  }

  /** With all its attempts, in the order in which they were made. */
  async get(
    actor: Actor,
    endpointId: string,
    id: string,
  ): Promise<Delivery & { attemptsMade: LoggedAttempt[] }> {
    const [row] = await this.database.query<
      CallerRow & Delivery & { attemptsMade: LoggedAttempt[] }
    >(
      `SELECT ${callerColumns('endpoint.id')}, delivery.*, (
         SELECT coalesce(json_agg(json_build_object('startedAt', started_at,
           'durationMs', duration_ms, 'statusCode', status_code, 'stage', stage, 'error', error,
           'requestHeaders', request_headers, 'responseHeaders', response_headers,
           'responseBody', response_body) ORDER BY started_at, claim), '[]')
         FROM webhook_attempts WHERE delivery_id = delivery.id
       ) AS "attemptsMade" ${fromEndpoint}
       LEFT JOIN LATERAL (
         SELECT * FROM (
           ${pending} AND ${mayRead} AND delivery.id = $3
           UNION ALL ${finished} AND ${mayRead} AND delivery.id = $3
         ) delivery LIMIT 1
       ) delivery ON true
       WHERE caller.id = $1`,
      [actor.userId, endpointId, id],
    );
    const delivery = authorise(row, 'admin', 'webhook');
    if ((delivery.id as string | null) === null) throw DomainError.notFound('delivery');
    // JSON knows no times.
    const attemptsMade = delivery.attemptsMade.map((attempt) => ({
      ...attempt,
      startedAt: new Date(attempt.startedAt),
    }));
    return { ...delivery, attemptsMade };
  }
}
