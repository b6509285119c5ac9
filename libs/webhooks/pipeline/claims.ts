import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import {
  queueWokenEndpoints,
  LOCK_TRAFFIC,
  releaseTraffic,
  SELECT_NEXT_WAKE_AT,
  WAKE_SOON,
} from '../traffic/endpoint-traffic.js';
import type { DueEndpoint } from '../traffic/endpoint-health.js';
import type { LocalProblem } from '../sending/attempt-errors.js';
import { CLAIM_DELIVERIES } from './claim-deliveries.sql.js';
import { Coalescer } from './coalescer.js';

/** A delivery that this worker has claimed, with everything that is needed to send it. */
export interface ClaimedDelivery {
  id: string;
  /**
   * The number of this claim, used as a fencing token. After a newer claim, a failed attempt of this claim no longer
   * ends or reschedules the delivery.
   */
  claimNumber: number;
  attempts: number;
  endpointId: string;
  workspaceId: string;
  url: string;
  encryptedSecret: string;
  /** Previous secrets. Notifications are also signed with each previous secret until it expires. */
  previousSecrets: { encrypted: string; until: string }[];
  encryptedHeaders: string | null;
  /** Whether the workspace had been deleted when the delivery was claimed. */
  isWorkspaceDeleted: boolean;
  isReplay: boolean;
  eventId: string;
  kind: string;
  sequence: number;
  /** Null if the event is no longer kept; then `data` is also null. */
  occurredAt: Date | null;
  /** The JSON text from the outbox, unchanged. */
  data: string | null;
  /** The trace context of the change that created the event; null if tracing was off. */
  traceparent: string | null;
}

export interface ClaimResult {
  deliveries: ClaimedDelivery[];
  /** Whether more deliveries are due and may be sent now. If so, the endpoint goes into the queue again. */
  hasMore: boolean;
  /** Milliseconds until the rate limit allows more deliveries; null if the rate limit did not limit this claim. */
  pausedForMs: number | null;
}

type ClaimedRow = Omit<ClaimResult, 'deliveries'> & { endpointId: string } & (
    ClaimedDelivery | { id: null }
  );

interface ClaimRequest {
  /** The id of the endpoint. */
  key: string;
  /** Maximum number of deliveries to claim. */
  limit: number;
}

// One sweep queues at most this many endpoints, which takes about 5 ms. If more endpoints are due, the next sweep
// follows after the shortest pause.
const SWEEP_CHUNK_SIZE = 100;

const SWEEP_DUE_ENDPOINTS = `WITH woken AS (${queueWokenEndpoints(SWEEP_CHUNK_SIZE)}
  ), due AS (
    SELECT woken.endpoint_id AS "endpointId", endpoint.workspace_id AS "workspaceId", woken.health
    FROM woken CROSS JOIN LATERAL (
      SELECT workspace_id FROM webhook_endpoints WHERE id = woken.endpoint_id LIMIT 1
    ) endpoint
  )
  SELECT (SELECT coalesce(json_agg(due), '[]') FROM due) AS "dueEndpoints",
    extract(epoch FROM (${SELECT_NEXT_WAKE_AT}) - now())::float8 * 1000 AS "nextSweepInMs"`;

// During this delay, other attempts of this worker end and free sockets or memory.
const LOCAL_PROBLEM_DELAY_S = 2;
// An unreachable proxy or name server rarely recovers within this delay, and adding a missing key takes an operator
// even longer. If the problem affects all endpoints, the release also resets the window of the endpoint to 1. The
// endpoint then no longer counts as healthy, and `Slots` limits how many attempts to unhealthy endpoints may begin per
// second.
const OPERATOR_PROBLEM_DELAY_S = 10;

const RELEASE_CLAIM = `WITH released AS (
    UPDATE webhook_deliveries SET claimed_until = NULL,
      due_at = now() + (0.5 + random()) * interval '1 second'
        * CASE WHEN $5 THEN ${OPERATOR_PROBLEM_DELAY_S} ELSE ${LOCAL_PROBLEM_DELAY_S} END
    WHERE endpoint_id = $1 AND id = $2 AND claims = $3 AND claimed_until > now()
    RETURNING due_at
  )
  ${releaseTraffic('$1', 'released', '$4')}`;

const FIND_DELETED_ENDPOINTS = `SELECT attempt.number::integer
  FROM unnest($1::uuid[], $2::boolean[]) WITH ORDINALITY
    AS attempt (endpoint_id, was_workspace_deleted, number)
  LEFT JOIN LATERAL (
    SELECT id, workspace_deleted_at FROM webhook_endpoints WHERE id = attempt.endpoint_id LIMIT 1
  ) endpoint ON true
  WHERE endpoint.id IS NULL
    OR endpoint.workspace_deleted_at IS NOT NULL AND NOT attempt.was_workspace_deleted`;

interface SweepResult {
  dueEndpoints: DueEndpoint[];
  nextSweepInMs: number | null;
}

/**
 * Claims due deliveries, endpoint by endpoint. The queue holds endpoints, not deliveries: a worker claims some of an
 * endpoint's due deliveries, and the endpoint goes back to the end of the queue. So a large backlog of one endpoint
 * does not delay other endpoints. PostgreSQL counts the deliveries in flight to each endpoint, no matter which worker
 * sends them.
 */
@Injectable()
export class Claims {
  private readonly coalescer = new Coalescer((requests: ClaimRequest[]) =>
    this.claimChunk(requests),
  );

  constructor(private readonly database: Database) {}

  /**
   * Finds the endpoints that must be queued, and marks them as queued. An endpoint must be queued if, for example, a
   * retry is due, or a crash, a lost job or an emptied queue has left due deliveries without a job. `nextSweepInMs` is
   * the time until the next endpoint is due; null if no endpoint is scheduled.
   */
  async sweep(): Promise<SweepResult> {
    const [swept] = await this.database.query<SweepResult>(SWEEP_DUE_ENDPOINTS);
    if (swept === undefined) throw new Error('A statement without FROM returned no row.');
    return swept.dueEndpoints.length === SWEEP_CHUNK_SIZE ? { ...swept, nextSweepInMs: 0 } : swept;
  }

  /** Schedules these endpoints for a sweep in one second. Called if their jobs could not be added to the queue. */
  async wakeSoon(endpointIds: readonly string[]): Promise<void> {
    await this.database.pipeline([LOCK_TRAFFIC, [endpointIds]], [WAKE_SOON, [endpointIds]]);
  }

  /** Claims at most `limit` due deliveries of an endpoint, and no more than its window and its rate limit allow. */
  async claim(endpointId: string, limit: number): Promise<ClaimResult> {
    const result = await this.coalescer.add({ key: endpointId, limit });
    return result ?? { deliveries: [], hasMore: false, pausedForMs: null };
  }

  /**
   * Releases the claim of a delivery that was not sent because of a local problem of the worker. The number of attempts
   * does not change.
   */
  async release(
    { endpointId, id, claimNumber }: ClaimedDelivery,
    { affectsAllEndpoints, needsOperator }: Omit<LocalProblem, 'reason'>,
  ): Promise<void> {
    await this.database.pipeline(
      [LOCK_TRAFFIC, [[endpointId]]],
      [RELEASE_CLAIM, [endpointId, id, claimNumber, affectsAllEndpoints, needsOperator]],
    );
  }

  /**
   * Returns the indices of the deliveries whose endpoint or workspace was deleted after the claim. These deliveries
   * must not be sent. A delivery that was claimed after the deletion of its workspace is sent, because it reports what
   * was deleted. `isWorkspaceDeleted` distinguishes the two cases. Timestamps could not, because a deletion may begin
   * before the claim and commit after it.
   */
  async findDeleted(
    deliveries: readonly Pick<ClaimedDelivery, 'endpointId' | 'isWorkspaceDeleted'>[],
  ): Promise<number[]> {
    const rows = await this.database.query<{ number: number }>(FIND_DELETED_ENDPOINTS, [
      deliveries.map(({ endpointId }) => endpointId),
      deliveries.map(({ isWorkspaceDeleted }) => isWorkspaceDeleted),
    ]);
    return rows.map(({ number }) => number - 1);
  }

  private async claimChunk(requests: ClaimRequest[]): Promise<Map<string, ClaimResult>> {
    const endpointIds = requests.map(({ key }) => key);
    const rows = await this.database.pipeline<ClaimedRow>(
      [LOCK_TRAFFIC, [endpointIds]],
      [CLAIM_DELIVERIES, [endpointIds, requests.map(({ limit }) => limit)]],
    );
    const results = new Map<string, ClaimResult>();
    for (const { hasMore, pausedForMs, ...row } of rows) {
      const result = results.get(row.endpointId) ?? { deliveries: [], hasMore, pausedForMs };
      results.set(row.endpointId, result);
      if (row.id !== null) result.deliveries.push(row);
    }
    return results;
  }
}
