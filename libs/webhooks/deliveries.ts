import { Injectable } from '@nestjs/common';
import {
  Database,
  Keyset,
  noEvent,
  UnitOfWork,
  type Page,
  type PageRequest,
  type Query,
} from '#database';
import { DomainError } from '#errors';
import {
  authorise,
  authoriseList,
  callerColumns,
  joinMember,
  rolesFrom,
  type Actor,
  type CallerRow,
} from '#identity';
import { lockEndpoint } from './endpoint.js';
import { LOCK_FLOWS, releaseNext } from './turns.js';

const pendingStatuses = ['pending', 'held'] as const;
export const finishedStatuses = ['delivered', 'failed', 'cancelled'] as const;
export const deliveryStatuses = [...pendingStatuses, ...finishedStatuses] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One event on its way to one endpoint. */
export interface Delivery {
  id: string;
  /** `webhook-id` of every attempt. */
  eventId: string;
  event: string;
  resourceId: string;
  sequence: number;
  /** `held` while the endpoint is disabled. */
  status: DeliveryStatus;
  attempts: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
  finishedAt: Date | null;
}

export interface LoggedAttempt {
  startedAt: string;
  durationMs: number;
  statusCode: number | null;
  /** Where it failed, and how; null after a success. */
  stage: string | null;
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
    nullif(delivery.due_at, 'infinity') AS "nextAttemptAt", NULL::timestamptz AS "finishedAt"
  FROM webhook_deliveries delivery WHERE delivery.endpoint_id = endpoint.id`;

const finished = `SELECT ${shared}, delivery.status, NULL::timestamptz AS "nextAttemptAt",
    delivery.finished_at AS "finishedAt"
  FROM webhook_delivery_log delivery WHERE delivery.endpoint_id = endpoint.id`;

/** Of an endpoint whose subscriber the caller may speak for; else nothing is looked for. */
const fromEndpoint = `FROM users caller
  LEFT JOIN webhook_endpoints endpoint ON endpoint.id = $2
  ${joinMember('endpoint.workspace_id')}`;
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

// A statement's share: a part of a second.
const CANCEL_BATCH = 5_000;

const toLog = (rows: string) => `INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id,
    event_position, event_relayed_at, event_id, kind, resource_id, sequence, status, attempts)
  SELECT endpoint_id, id, workspace_id, event_position, event_relayed_at, event_id, kind,
    resource_id, sequence, 'cancelled', attempts FROM ${rows}`;

const CANCEL_PENDING = `WITH cancelled AS (
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1
        AND (claimed_until IS NULL OR claimed_until <= now())
      ORDER BY id LIMIT ${CANCEL_BATCH}
    ))
    RETURNING *
  ), logged AS (${toLog('cancelled')}), flow AS (
    -- Of those whose worker has died the count still knows.
    UPDATE webhook_flows SET in_flight = greatest(0, in_flight - (
      SELECT count(*) FROM cancelled WHERE claimed_until IS NOT NULL
    )) WHERE endpoint_id = $1
  )
  SELECT count(*)::integer AS count FROM cancelled`;

/** What became of the notifications to an endpoint, and what can be done about it. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Newest first. */
  async list(
    actor: Actor,
    endpointId: string,
    { status, cursor, limit }: PageRequest & { status?: DeliveryStatus },
  ): Promise<Page<Delivery>> {
    const keyset = new Keyset(['deliveries', endpointId, status]);
    const { id } = keyset.position(cursor);
    const rows = await this.database.query<CallerRow & Delivery>(
      `SELECT ${callerColumns('endpoint.id')}, page.* ${fromEndpoint}
       LEFT JOIN LATERAL (
         SELECT * FROM (${sourceOf(status)}) delivery ORDER BY id DESC LIMIT $4
       ) page ON true
       WHERE caller.id = $1 ORDER BY page.id DESC`,
      [actor.userId, endpointId, id, limit + 1],
    );
    return keyset.page(authoriseList(rows, 'admin', 'webhook'), limit, (delivery) => ({
      ...{ updatedAt: delivery.createdAt, id: delivery.id },
    }));
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
    return delivery;
  }

  /**
   * One more attempt, now. What had been given up and fails again stays given up.
   * @throws DomainError `conflict` when there is nothing to retry.
   */
  async retry(actor: Actor, endpointId: string, id: string): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      const { status } = await lockEndpoint(query, actor, endpointId);
      if (status === 'disabled') {
        throw DomainError.conflict('The webhook is disabled; enable it, and what is held is sent.');
      }
      await query(LOCK_FLOWS, [[endpointId]]);
      if (!(await hasten(query, endpointId, id))) await revive(query, endpointId, id);
      await query(
        `UPDATE webhook_flows SET wake_at = now(), open_until = '-infinity' WHERE endpoint_id = $1`,
        [endpointId],
      );
      return noEvent(undefined, 'the event has been told of before');
    });
  }

  /** @throws DomainError `conflict` when it is over, or under way right now. */
  async cancel(actor: Actor, endpointId: string, id: string): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      await lockEndpoint(query, actor, endpointId);
      await query(LOCK_FLOWS, [[endpointId]]);
      await query('UPDATE webhook_flows SET wake_at = now() WHERE endpoint_id = $1', [endpointId]);
      const state = await pendingState(query, endpointId, id);
      if (state === 'sending') throw DomainError.conflict(SENDING);
      if (state === undefined) {
        const past = await finishedStatus(query, endpointId, id);
        throw DomainError.conflict(`The delivery is over: it was ${past}.`);
      }
      await query(
        `WITH cancelled AS (
           DELETE FROM webhook_deliveries WHERE endpoint_id = $1 AND id = $2 RETURNING *
         ), logged AS (${toLog('cancelled')})
         ${releaseNext('cancelled')}`,
        [endpointId, id],
      );
      return noEvent(undefined, 'the subscriber does not want it');
    });
  }

  /** All that is pending or held, but for what is under way right now. Gives how many. */
  async cancelAll(actor: Actor, endpointId: string): Promise<{ cancelled: number }> {
    await this.unitOfWork.write(async ({ query }) =>
      noEvent(await lockEndpoint(query, actor, endpointId), 'only looked at'),
    );
    let cancelled = 0;
    for (let last = CANCEL_BATCH; last === CANCEL_BATCH; cancelled += last) {
      const [row] = await this.database.together<{ count: number }>(
        [LOCK_FLOWS, [[endpointId]]],
        [CANCEL_PENDING, [endpointId]],
      );
      last = row?.count ?? 0;
    }
    return { cancelled };
  }

  /** Deletes all that is pending, without a trace, for an endpoint that is about to go. */
  async clear(endpointId: string): Promise<void> {
    for (let last = CANCEL_BATCH; last === CANCEL_BATCH;) {
      const [row] = await this.database.together<{ count: number }>(
        [LOCK_FLOWS, [[endpointId]]],
        [CLEAR, [endpointId]],
      );
      last = row?.count ?? 0;
    }
  }
}

const CLEAR = `WITH cleared AS (
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1 LIMIT ${CANCEL_BATCH}
    ))
    RETURNING 1
  )
  SELECT count(*)::integer AS count FROM cleared`;

const SENDING = 'The delivery is being sent right now; look again in a moment.';

async function pendingState(
  query: Query,
  endpointId: string,
  id: string,
): Promise<'sending' | 'waiting' | 'blocked' | undefined> {
  const [row] = await query<{ state: 'sending' | 'waiting' | 'blocked' }>(
    `SELECT CASE WHEN claimed_until IS NOT NULL THEN 'sending' WHEN due_at = 'infinity' THEN 'blocked'
       ELSE 'waiting' END AS state
     FROM webhook_deliveries WHERE endpoint_id = $1 AND id = $2`,
    [endpointId, id],
  );
  return row?.state;
}

async function finishedStatus(query: Query, endpointId: string, id: string): Promise<string> {
  const [row] = await query<{ status: string }>(
    'SELECT status FROM webhook_delivery_log WHERE endpoint_id = $1 AND id = $2',
    [endpointId, id],
  );
  if (row === undefined) throw DomainError.notFound('delivery');
  return row.status;
}

/** What waits for its next attempt need not wait any longer. */
async function hasten(query: Query, endpointId: string, id: string): Promise<boolean> {
  const state = await pendingState(query, endpointId, id);
  if (state === 'sending') throw DomainError.conflict(SENDING);
  if (state === 'blocked') {
    throw DomainError.conflict(
      'The delivery waits for an earlier one of its resource; retry that.',
    );
  }
  if (state === undefined) return false;
  await query('UPDATE webhook_deliveries SET due_at = now() WHERE endpoint_id = $1 AND id = $2', [
    endpointId,
    id,
  ]);
  return true;
}

/** What is over goes back to what is to be done. */
async function revive(query: Query, endpointId: string, id: string): Promise<void> {
  if ((await finishedStatus(query, endpointId, id)) === 'delivered') {
    throw DomainError.conflict('The delivery has succeeded; there is nothing to retry.');
  }
  await query(
    `WITH revived AS (
       DELETE FROM webhook_delivery_log WHERE endpoint_id = $1 AND id = $2 RETURNING *
     )
     INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
       event_relayed_at, event_id, kind, resource_id, sequence, attempts, claims, due_at)
     SELECT endpoint_id, id, workspace_id, event_position, event_relayed_at, event_id, kind,
       resource_id, sequence, attempts,
       (SELECT coalesce(max(claim), 0) FROM webhook_attempts WHERE delivery_id = $2), now()
     FROM revived`,
    [endpointId, id],
  );
}
