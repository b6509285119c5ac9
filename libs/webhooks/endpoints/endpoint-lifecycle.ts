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

/** A status change of an endpoint, as subscribers see it. */
export interface StatusTransition {
  sequence: number;
  status: EndpointStatus;
  reason: string;
  at: Date;
}

/** The choices for deliveries that were held while the endpoint was disabled. */
export const heldDeliveriesActions = ['send', 'discard'] as const;
export type HeldDeliveriesAction = (typeof heldDeliveriesActions)[number];

// Most endpoints never change their status, but a flapping receiver causes many changes.
const MAX_TRANSITIONS = 100;

/** The operator of Galley, as the actor of a change. An operator needs no role, and must give a reason. */
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
 * Changes the status of endpoints: active, failing or disabled. Each change is stored once, even if several workers saw
 * its cause, and creates an event in the workspace.
 */
@Injectable()
export class EndpointLifecycle {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly pendingDeliveries: PendingDeliveries,
  ) {}

  /** Changes the status because of an attempt, if the endpoint still has one of `fromStatuses`. */
  async setStatus(
    id: string,
    status: EndpointStatus,
    fromStatuses: readonly EndpointStatus[],
    reason: string,
  ): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      // If thousands of endpoints fail together, this statement runs seconds after the attempt. In the meantime,
      // another attempt may have succeeded, or a member may have enabled the endpoint.
      const [unchangedRow] = await query(SELECT_LAST_ATTEMPT_SUCCEEDED, [id, status === 'active']);
      const statusChange =
        unchangedRow && (await changeStatus(query, id, status, fromStatuses, reason));
      if (statusChange === undefined) return noEvent(undefined, 'the status has changed meanwhile');
      return withEvents(undefined, statusChange.event);
    });
  }

  /**
   * Disables the endpoint after a 410 response, unless the request went to an earlier URL, or was sent
   * before the endpoint was enabled.
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
    // Ends the back-off again, because an attempt may have ended during the transaction. A failing endpoint holds no
    // deliveries, so the first call did not end their back-off.
    if (isEnabled) await this.pendingDeliveries.endBackoff(id);
    return endpoint;
  }

  /** The latest status changes of the endpoint, newest first. */
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
   * Discards held deliveries. Requires that the endpoint is disabled, because the pending deliveries of other endpoints
   * are not held.
   */
  private async discardHeld(actor: Actor, id: string): Promise<void> {
    const { status } = await readEndpoint(this.database.query, actor, id);
    if (status !== 'disabled') {
      throw DomainError.conflict('The webhook is not disabled, so it holds no deliveries.');
    }
    await this.pendingDeliveries.cancelAll(id);
  }
}

/** Disables an endpoint in a transaction that may also change other settings of the endpoint. */
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
 * last attempt failed still wait for their retry, so the caller ends their back-off in chunks, before and after this
 * transaction.
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

/** The reason for the new status, and the details of the audit entry. */
const describeChange = (actor: Actor | Operator, change: 'enabled' | 'disabled') =>
  'reason' in actor
    ? {
        reason: `The operator of Galley has ${change} it: ${actor.reason}`,
        details: { by: 'operator', reason: actor.reason },
      }
    : { reason: `A member of the workspace has ${change} it.`, details: undefined };

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
 * Ends the back-off of the deliveries that a disabled endpoint holds. Callers do this before they enable the endpoint,
 * while no worker claims the deliveries. So a crash after the endpoint was enabled leaves no delivery in its back-off.
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
