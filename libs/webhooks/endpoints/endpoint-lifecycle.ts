import { Injectable } from '@nestjs/common';
import {
  Database,
  noEvent,
  parseJsonTimes,
  nextUpdatedAt,
  UnitOfWork,
  withEvents,
  type Query,
  type Transaction,
} from '#database';
import { DomainError } from '#errors';
import { createEvent, type DomainEvent } from '#events';
import { resumeJobs } from '#long-jobs';
import { authorise, type Actor, type CallerRow } from '#workspaces';
import type { EndpointStatus } from '../delivery/endpoint-status.js';
import { PendingDeliveries } from '../delivery/pending-deliveries.js';
import { resetTraffic, SELECT_LAST_ATTEMPT_SUCCEEDED } from '../traffic/endpoint-traffic.js';
import {
  auditEndpoint,
  ENDPOINT_COLUMNS,
  lockEndpoint,
  readEndpoint,
  selectEndpoint,
  type EndpointRow,
} from './endpoint.js';

/** An entry in the status history of an endpoint. */
export interface StatusTransition {
  sequence: number;
  status: EndpointStatus;
  reason: string;
  at: Date;
}

/** The choices for the held deliveries of an endpoint that is being enabled. */
export const heldDeliveriesActions = ['send', 'discard'] as const;
export type HeldDeliveriesAction = (typeof heldDeliveriesActions)[number];

// A receiver that keeps failing and recovering causes many status changes. Only the latest are kept.
const MAX_TRANSITIONS = 100;

/** Identifies the operator of Galley as the author of a change. The operator needs no role, but must give a reason. */
export interface Operator {
  userId: null;
  ipAddress: null;
  reason: string;
}

interface StatusChange {
  endpoint: EndpointRow;
  event: DomainEvent;
}

/**
 * Changes the status of endpoints. Each change creates an event in the workspace. If several workers see the cause of a
 * change, only the first one changes the status.
 */
@Injectable()
export class EndpointLifecycle {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly pendingDeliveries: PendingDeliveries,
  ) {}

  /** Changes the status after an attempt. Does nothing if the endpoint no longer has one of `fromStatuses`. */
  async setStatus(
    id: string,
    status: EndpointStatus,
    fromStatuses: readonly EndpointStatus[],
    reason: string,
  ): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      // If thousands of endpoints fail together, this statement may run seconds after the attempt. Meanwhile, another
      // attempt may have succeeded, or a member may have enabled the endpoint.
      const [unchangedRow] = await query(SELECT_LAST_ATTEMPT_SUCCEEDED, [id, status === 'active']);
      const statusChange =
        unchangedRow && (await changeStatus(query, id, status, fromStatuses, reason));
      if (statusChange === undefined) return noEvent(undefined, 'the status has changed meanwhile');
      return withEvents(undefined, statusChange.event);
    });
  }

  /**
   * Disables the endpoint after a 410 response. Ignores the response if the request went to an earlier URL of the
   * endpoint, or if the endpoint was enabled after the attempt began.
   */
  async disableAfterGone(
    id: string,
    { url, startedAt }: { url: string; startedAt: Date },
    reason: string,
  ): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      const [unchangedRow] = await query(
        `SELECT FROM webhook_endpoints WHERE id = $1 AND url = $2
           AND (status = 'failing' OR status_since <= $3) FOR UPDATE`,
        [id, url, startedAt],
      );
      const statusChange =
        unchangedRow && (await changeStatus(query, id, 'disabled', ['active', 'failing'], reason));
      if (statusChange === undefined)
        return noEvent(undefined, 'the URL or the status has changed meanwhile');
      return withEvents(undefined, statusChange.event);
    });
  }

  disable(actor: Actor, id: string): Promise<EndpointRow> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await lockEndpoint(transaction.query, actor, id);
      return toWriteOutcome(current, await disableEndpoint(transaction, actor, current));
    });
  }

  /** Enables the endpoint, and sends the held deliveries at a limited rate or discards them. */
  async enable(
    actor: Actor,
    id: string,
    heldDeliveriesAction: HeldDeliveriesAction,
  ): Promise<EndpointRow> {
    if (heldDeliveriesAction === 'discard') await this.discardHeld(actor, id);
    await endHeldBackoff(this.database.query, this.pendingDeliveries, actor, id);
    const { endpoint, isEnabled } = await this.unitOfWork.write(async (transaction) => {
      const current = await lockEndpoint(transaction.query, actor, id);
      const statusChange = await enableEndpoint(transaction, actor, current);
      return statusChange === undefined
        ? noEvent({ endpoint: current, isEnabled: false }, 'the endpoint has this status already')
        : withEvents({ endpoint: statusChange.endpoint, isEnabled: true }, statusChange.event);
    });
    // Ends the back-off again after the change: an attempt may have failed during the transaction and scheduled a
    // retry, and `endHeldBackoff` skips failing endpoints.
    if (isEnabled) await this.pendingDeliveries.endBackoff(id);
    return endpoint;
  }

  /** Lists at most `MAX_TRANSITIONS` status changes, newest first. */
  async listTransitions(actor: Actor, id: string): Promise<StatusTransition[]> {
    const [row] = await this.database.query<CallerRow & { transitions: StatusTransition[] }>(
      selectEndpoint(`(
        SELECT coalesce(json_agg(json_build_object(
          'sequence', sequence, 'status', status, 'reason', reason, 'at', at)), '[]')
        FROM (
          SELECT * FROM webhook_endpoint_transitions WHERE endpoint_id = endpoint.id
          ORDER BY sequence DESC LIMIT ${MAX_TRANSITIONS}
        ) transition
      ) AS transitions`),
      [actor.userId, id],
    );
    const { transitions } = authorise(row, 'admin', 'webhook');
    return transitions.map((transition) => parseJsonTimes(transition, 'at'));
  }

  /**
   * Cancels the held deliveries of the endpoint. Only a disabled endpoint holds deliveries. The pending deliveries of
   * an enabled endpoint are about to be sent, and must not be discarded.
   */
  private async discardHeld(actor: Actor, id: string): Promise<void> {
    const { status } = await readEndpoint(this.database.query, actor, id);
    if (status !== 'disabled') {
      throw DomainError.conflict('The webhook is not disabled, so it holds no deliveries.');
    }
    await this.pendingDeliveries.cancelAll(id);
  }
}

/** Disables an endpoint in the caller's transaction. Returns undefined if the endpoint is already disabled. */
export async function disableEndpoint(
  transaction: Transaction,
  actor: Actor | Operator,
  endpoint: EndpointRow,
): Promise<StatusChange | undefined> {
  const { query } = transaction;
  const { reason, details } = describeChange(actor, 'disabled');
  const statusChange = await changeStatus(
    query,
    endpoint.id,
    'disabled',
    ['active', 'failing'],
    reason,
  );
  if (statusChange) auditEndpoint(transaction, actor, endpoint, 'webhook.disabled', details);
  return statusChange;
}

/**
 * Enables an endpoint and closes its circuit breaker. The next sweep finds the held deliveries. Held deliveries whose
 * last attempt failed still wait for their retry. The caller ends their back-off outside this transaction, in chunks.
 */
export async function enableEndpoint(
  transaction: Transaction,
  actor: Actor | Operator,
  endpoint: EndpointRow,
): Promise<StatusChange | undefined> {
  const { query } = transaction;
  const { id } = endpoint;
  const { reason, details } = describeChange(actor, 'enabled');
  const statusChange = await changeStatus(query, id, 'active', ['disabled', 'failing'], reason);
  if (statusChange === undefined) return undefined;
  auditEndpoint(transaction, actor, endpoint, 'webhook.enabled', details);
  await query(resetTraffic('$1'), [id]);
  await query(resumeJobs('webhook_replays', 'endpoint_id = $1'), [id]);
  return statusChange;
}

/**
 * Describes who changed the status. The API shows the `reason` with the status; the `details` go into the audit log.
 */
const describeChange = (actor: Actor | Operator, change: 'enabled' | 'disabled') =>
  'reason' in actor
    ? {
        reason: `The operator of Galley ${change} the webhook: ${actor.reason}`,
        details: { by: 'operator', reason: actor.reason },
      }
    : { reason: `A member of the workspace ${change} the webhook.`, details: undefined };

async function changeStatus(
  query: Query,
  id: string,
  status: EndpointStatus,
  fromStatuses: readonly EndpointStatus[],
  reason: string,
): Promise<StatusChange | undefined> {
  const [row] = await query<EndpointRow & { sequence: number }>(
    `WITH endpoint AS (
       UPDATE webhook_endpoints SET status = $2, status_reason = $3, sequence = sequence + 1,
         status_since = clock_timestamp(), updated_at = ${nextUpdatedAt}
       WHERE id = $1 AND status = ANY ($4) RETURNING *
     ), transition AS (
       INSERT INTO webhook_endpoint_transitions (endpoint_id, sequence, status, reason, at)
       SELECT id, sequence, status, status_reason, status_since FROM endpoint
     ), trimmed AS (
       DELETE FROM webhook_endpoint_transitions WHERE endpoint_id = $1 AND sequence < (
         SELECT sequence FROM webhook_endpoint_transitions WHERE endpoint_id = $1
         ORDER BY sequence DESC OFFSET ${MAX_TRANSITIONS} LIMIT 1
       )
     )
     SELECT endpoint.sequence, ${ENDPOINT_COLUMNS} FROM endpoint`,
    [id, status, reason, fromStatuses],
  );
  if (row === undefined) return undefined;
  const { sequence, ...endpoint } = row;
  const { workspaceId, description } = endpoint;
  const data = { id, workspaceId, description, status, reason };
  return { endpoint, event: createEvent(`webhook.${status}`, sequence, data) };
}

/**
 * Ends the back-off of held deliveries if the endpoint is disabled. Callers call this function before they enable the
 * endpoint. So if the process crashes right after enabling the endpoint, no held delivery still waits for its retry.
 */
export async function endHeldBackoff(
  query: Query,
  pendingDeliveries: PendingDeliveries,
  actor: Actor,
  id: string,
): Promise<void> {
  const { status } = await readEndpoint(query, actor, id);
  if (status === 'disabled') await pendingDeliveries.endBackoff(id);
}

const toWriteOutcome = (current: EndpointRow, statusChange: StatusChange | undefined) =>
  statusChange === undefined
    ? noEvent(current, 'the endpoint has this status already')
    : withEvents(statusChange.endpoint, statusChange.event);
