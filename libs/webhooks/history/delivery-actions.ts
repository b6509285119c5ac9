import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork, withEvents, type Query } from '#database';
import { DomainError } from '#errors';
import { createEvent } from '#events';
import { rightIn, type Actor } from '#workspaces';
import { readPendingDelivery, type Delivery } from './delivery.js';
import { lockEndpoint, readEndpoint, type EndpointRow } from '../endpoints/endpoint.js';
import { FINISH_CANCELLATION, PendingDeliveries } from '../delivery/pending-deliveries.js';
import { LOCK_TRAFFIC, closeBreakerAndWake } from '../traffic/endpoint-traffic.js';

// This due time is earlier than that of any other delivery.
const BEFORE_ALL_DUE = `'epoch'`;

/** Lets members retry and cancel the deliveries of an endpoint, and send a test event. */
@Injectable()
export class DeliveryActions {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly pendingDeliveries: PendingDeliveries,
  ) {}

  /**
   * Attempts the delivery once more, ahead of all other pending deliveries. A failed delivery gets no further retries
   * after this attempt. A successful delivery stays in the log, and its event is sent again as a new delivery.
   * @throws DomainError `in_progress` if the delivery is being sent; `webhook_disabled` if the endpoint is disabled;
   * `conflict` if the delivery waits for an earlier delivery of its resource.
   */
  async retry(actor: Actor, endpointId: string, id: string): Promise<Delivery> {
    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const endpoint = await lockEndpoint(query, actor, endpointId);
      requireForReplay(rightIn(endpoint.workspaceId, 'admin'));
      assertNotDisabled(endpoint);
      await query(LOCK_TRAFFIC, [[endpointId]]);
      const isPending = await retryPending(query, endpointId, id);
      const retriedId = isPending ? id : await retryFinished(query, endpoint, id);
      const [, delivery] = await Promise.all([
        query(closeBreakerAndWake('$1'), [endpointId]),
        readPendingDelivery(query, endpointId, retriedId),
      ]);
      return noEvent(delivery, 'the delivery repeats an earlier event');
    }, actor.idempotencyKey);
  }

  /**
   * @throws DomainError `already_finished` if the delivery has finished; `in_progress` if it is being sent right now.
   */
  async cancel(actor: Actor, endpointId: string, id: string): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      await lockEndpoint(query, actor, endpointId);
      await query(LOCK_TRAFFIC, [[endpointId]]);
      const state = await readPendingState(query, endpointId, id);
      if (state === 'sending') throw new DomainError('in_progress', IN_FLIGHT_MESSAGE);
      if (state === undefined) {
        const status = await readFinishedStatus(query, endpointId, id);
        throw new DomainError(
          'already_finished',
          `The delivery has already finished: its status is ${status}.`,
        );
      }
      await query(
        `WITH cancelled AS (
           DELETE FROM webhook_deliveries WHERE endpoint_id = $1 AND id = $2 RETURNING *
         ), ${FINISH_CANCELLATION}`,
        [endpointId, id],
      );
      return noEvent(undefined, 'only status changes of endpoints create events');
    });
  }

  /** Cancels all pending and held deliveries that are not being sent right now. */
  async cancelAll(actor: Actor, endpointId: string): Promise<{ cancelled: number }> {
    await readEndpoint(this.database.query, actor, endpointId);
    return { cancelled: await this.pendingDeliveries.cancelAll(endpointId) };
  }

  /**
   * Ends the back-off of all deliveries that wait for a retry. The deliveries become due now, and are sent at the
   * limited rate of a drain.
   * @throws DomainError `webhook_disabled` if the endpoint is disabled.
   */
  async retryAll(actor: Actor, endpointId: string): Promise<{ retried: number }> {
    assertNotDisabled(await readEndpoint(this.database.query, actor, endpointId));
    return { retried: await this.pendingDeliveries.endBackoff(endpointId) };
  }

  /** Sends a test event to this endpoint only. */
  sendTest(actor: Actor, id: string): Promise<Delivery> {
    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const { workspaceId, description, status } = await lockEndpoint(query, actor, id);
      requireForReplay(rightIn(workspaceId, 'admin'));
      if (status === 'disabled') {
        throw new DomainError(
          'webhook_disabled',
          'The webhook is disabled; enable it to send a test.',
        );
      }
      const [row] = await query<Pick<Delivery, 'id' | 'sequence' | 'createdAt'>>(
        `UPDATE webhook_endpoints SET sequence = sequence + 1 WHERE id = $1
         RETURNING uuidv7_at(now()) AS id, sequence, now() AS "createdAt"`,
        [id],
      );
      if (row === undefined) throw new Error('An endpoint vanished while it was locked.');
      const testEvent = createEvent('webhook.test', row.sequence, { id, workspaceId, description });
      const delivery: Delivery = {
        ...row,
        eventId: row.id,
        event: testEvent.kind,
        resourceId: id,
        status: 'pending',
        attempts: 0,
        nextAttemptAt: row.createdAt,
        finishedAt: null,
        lastAttempt: null,
      };
      return withEvents(delivery, { ...testEvent, id: row.id, endpointId: id });
    }, actor.idempotencyKey);
  }
}

function assertNotDisabled({ status }: EndpointRow): void {
  if (status === 'disabled') {
    throw new DomainError(
      'webhook_disabled',
      'The webhook is disabled; enable it to send the held deliveries.',
    );
  }
}

const IN_FLIGHT_MESSAGE = 'The delivery is being sent right now; try again in a moment.';

async function readPendingState(
  query: Query,
  endpointId: string,
  id: string,
): Promise<'sending' | 'waiting' | 'blocked' | undefined> {
  const [row] = await query<{ state: 'sending' | 'waiting' | 'blocked' }>(
    `SELECT CASE WHEN claimed_until > now() THEN 'sending' WHEN due_at = 'infinity' THEN 'blocked'
       ELSE 'waiting' END AS state
     FROM webhook_deliveries WHERE endpoint_id = $1 AND id = $2`,
    [endpointId, id],
  );
  return row?.state;
}

async function readFinishedStatus(query: Query, endpointId: string, id: string): Promise<string> {
  const [row] = await query<{ status: string }>(
    'SELECT status FROM webhook_delivery_log WHERE endpoint_id = $1 AND id = $2',
    [endpointId, id],
  );
  if (row === undefined) throw DomainError.notFound('delivery');
  return row.status;
}

/** Makes a pending delivery due before all others. Returns false if the delivery is not pending. */
async function retryPending(query: Query, endpointId: string, id: string): Promise<boolean> {
  const state = await readPendingState(query, endpointId, id);
  if (state === 'sending') throw new DomainError('in_progress', IN_FLIGHT_MESSAGE);
  if (state === 'blocked') {
    throw DomainError.conflict(
      'The delivery is waiting for an earlier delivery of the same resource; retry the earlier delivery.',
    );
  }
  if (state === undefined) return false;
  await query(
    `UPDATE webhook_deliveries SET due_at = ${BEFORE_ALL_DUE} WHERE endpoint_id = $1 AND id = $2`,
    [endpointId, id],
  );
  return true;
}

/** Retries a finished delivery, and returns the id of the resulting pending delivery. */
async function retryFinished(query: Query, endpoint: EndpointRow, id: string): Promise<string> {
  const status = await readFinishedStatus(query, endpoint.id, id);
  const [row] =
    status === 'delivered'
      ? await query<{ id: string }>(INSERT_REDELIVERY, [endpoint.id, id])
      : await query<{ id: string }>(REOPEN_FINISHED, [endpoint.id, id, endpoint.ordered]);
  if (row === undefined) throw new Error('A delivery vanished while its endpoint was locked.');
  return row.id;
}

// `replay_id` marks the new delivery as a redelivery, so that no replay repeats it. The new delivery is not ordered,
// because the event has already arrived in order once.
const INSERT_REDELIVERY = `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
    event_relayed_at, event_id, kind, resource_id, sequence, due_at, replay_id)
  SELECT endpoint_id, uuidv7_at(now()), workspace_id, event_position, event_relayed_at, event_id,
    kind, resource_id, sequence, ${BEFORE_ALL_DUE}, id
  FROM webhook_delivery_log WHERE endpoint_id = $1 AND id = $2
  RETURNING id`;

/** Moves a finished delivery from the log back to the pending deliveries. */
const REOPEN_FINISHED = `WITH reopened AS (
    DELETE FROM webhook_delivery_log WHERE endpoint_id = $1 AND id = $2 RETURNING *
  )
  INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
    event_relayed_at, event_id, kind, resource_id, sequence, attempts, claims, due_at, replay_id,
    is_ordered)
  SELECT endpoint_id, id, workspace_id, event_position, event_relayed_at, event_id, kind,
    resource_id, sequence, attempts,
    (SELECT coalesce(max(claim), 0) FROM webhook_attempts WHERE delivery_id = $2), ${BEFORE_ALL_DUE},
    replay_id, $3
  FROM reopened
  RETURNING id`;
