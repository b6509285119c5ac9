import { Injectable } from '@nestjs/common';
import { Database, untilShortChunk } from '#database';
import {
  closeBreakerAndDrain,
  LOCK_TRAFFIC,
  selectEndpointIds,
  wakeAfterCancelling,
  wakeEndpoint,
} from '../traffic/endpoint-traffic.js';
import { releaseNextOrdered } from './ordered-deliveries.js';

// One statement changes at most this many rows, which takes less than a second.
const CHUNK_SIZE = 5_000;

/**
 * Completes a statement that cancels pending deliveries of the endpoint $1. The CTE `cancelled` must have deleted these
 * deliveries. Logs the deliveries, releases the ordered deliveries that waited for them, and wakes the endpoint.
 */
export const FINISH_CANCELLATION = `logged AS (
    INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, status, attempts, replay_id)
    SELECT endpoint_id, id, workspace_id, event_position, event_relayed_at, event_id, kind,
      resource_id, sequence, 'cancelled', attempts, replay_id FROM cancelled
  ), released AS (
    ${releaseNextOrdered('cancelled')}
  ), traffic AS (
    ${wakeAfterCancelling('$1', 'cancelled')}
  )
  SELECT count(*)::integer AS count FROM cancelled`;

const cancelChunk = (condition: string) => `WITH cancelled AS (
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE ${condition}
        AND (claimed_until IS NULL OR claimed_until <= now())
      LIMIT ${CHUNK_SIZE}
    ))
    RETURNING *
  ), ${FINISH_CANCELLATION}`;
const CANCEL_ALL = cancelChunk('endpoint_id = $1');
const CANCEL_REPLAY = cancelChunk('replay_id = $2');

const DELETE_ALL = `WITH deleted AS (
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1 LIMIT ${CHUNK_SIZE}
    ))
    RETURNING 1
  )
  SELECT count(*)::integer AS count FROM deleted`;

const DELETE_EXPIRED = `WITH deleted AS (
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1
        AND id < (SELECT uuidv7_at(now() - $2 * interval '1 day'))
      LIMIT ${CHUNK_SIZE}
    ))
    RETURNING *
  ), released AS (
    ${releaseNextOrdered('deleted')}
  ), traffic AS (
    ${wakeEndpoint('$1')} AND EXISTS (SELECT FROM released)
  )
  SELECT count(*)::integer AS count FROM deleted`;

const RELEASE_ORDERED = `WITH released AS (
    UPDATE webhook_deliveries SET due_at = now() WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1 AND due_at = 'infinity'
      LIMIT ${CHUNK_SIZE}
    ))
    RETURNING 1
  ), traffic AS (
    ${wakeEndpoint('$1')}
  )
  SELECT count(*)::integer AS count FROM released`;

// Sets `due_at` to a time before `status_since`, because a drain covers only the deliveries that are due before
// `status_since`. Deliveries that wait for an earlier delivery of their resource are due at 'infinity', and are not
// changed.
const END_BACKOFF = `WITH made_due AS (
    UPDATE webhook_deliveries SET due_at = (
      SELECT least(event_relayed_at, status_since - interval '1 millisecond')
      FROM webhook_endpoints WHERE id = $1
    )
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1
        AND due_at > '-infinity' AND due_at > now() AND due_at < 'infinity'
      ORDER BY due_at LIMIT ${CHUNK_SIZE}
    ))
    RETURNING 1
  ), traffic AS (
    ${closeBreakerAndDrain('$1', 'made_due')}
  )
  SELECT count(*)::integer AS count FROM made_due`;

/**
 * Cancels, releases or deletes pending deliveries in chunks, because a backlog may be too large for one statement.
 * `deleteAll` and `deleteExpired` also delete deliveries in flight. The other methods leave deliveries in flight
 * unchanged.
 */
@Injectable()
export class PendingDeliveries {
  constructor(private readonly database: Database) {}

  /** Cancels the pending deliveries of the endpoint and logs them. */
  cancelAll(endpointId: string): Promise<number> {
    return this.runInChunks(CANCEL_ALL, endpointId);
  }

  /** Cancels the pending deliveries that the replay has created, and logs them. */
  cancelReplay(endpointId: string, replayId: string): Promise<number> {
    return this.runInChunks(CANCEL_REPLAY, endpointId, replayId);
  }

  /**
   * Releases the deliveries that wait for an earlier delivery of their resource. Called after ordering was turned off
   * for the endpoint.
   */
  releaseOrdered(endpointId: string): Promise<number> {
    return this.runInChunks(RELEASE_ORDERED, endpointId);
  }

  /** Ends the back-off: deliveries that wait for a retry become due now. */
  endBackoff(endpointId: string): Promise<number> {
    return this.runInChunks(END_BACKOFF, endpointId);
  }

  /** Deletes the pending deliveries without logging them, because the endpoint is about to be deleted. */
  deleteAll(endpointId: string): Promise<number> {
    return this.runInChunks(DELETE_ALL, endpointId);
  }

  /**
   * Deletes pending deliveries that are older than `retentionDays`, for all endpoints. Retries end long before that
   * age, so only a disabled endpoint can have held a delivery for so long.
   */
  async deleteExpired(retentionDays: number): Promise<void> {
    const endpoints = await this.database.query<{ id: string }>(
      selectEndpointIds(`EXISTS (
        SELECT FROM webhook_deliveries WHERE endpoint_id = traffic.endpoint_id
          AND id < (SELECT uuidv7_at(now() - $1 * interval '1 day'))
      )`),
      [retentionDays],
    );
    for (const { id } of endpoints) await this.runInChunks(DELETE_EXPIRED, id, retentionDays);
  }

  private runInChunks(
    statement: string,
    endpointId: string,
    ...values: unknown[]
  ): Promise<number> {
    return untilShortChunk(CHUNK_SIZE, async () => {
      const [row] = await this.database.pipeline<{ count: number }>(
        [LOCK_TRAFFIC, [[endpointId]]],
        [statement, [endpointId, ...values]],
      );
      return row?.count ?? 0;
    });
  }
}
