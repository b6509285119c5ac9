import { Injectable } from '@nestjs/common';
import {
  Database,
  noEvent,
  touched,
  UnitOfWork,
  withEvents,
  type Query,
  type Transaction,
} from '#database';
import { DomainError } from '#errors';
import { event, type DomainEvent } from '#events';
import { authorise, type Actor, type CallerRow } from '#identity';
import { Deliveries } from './deliveries.js';
import {
  auditEndpoint,
  endpointColumns,
  lockEndpoint,
  readEndpoint,
  selectEndpoint,
  type EndpointRow,
  type EndpointStatus,
} from './endpoint.js';

/** A change of an endpoint's status, as its subscriber is told of it. */
export interface Transition {
  sequence: number;
  status: EndpointStatus;
  reason: string;
  at: Date;
}

/** What becomes of the events that were held while an endpoint was disabled. */
export const heldChoices = ['send', 'discard'] as const;
export type HeldChoice = (typeof heldChoices)[number];

// Most endpoints never have one; a receiver that is up and down has many.
const LATEST = 100;
const BY_USER = 'A member of the workspace has';

interface Changed {
  endpoint: EndpointRow;
  event: DomainEvent;
}

/**
 * An endpoint is active, failing or disabled. Each change of that is recorded once, however many
 * workers saw its cause, and is an event of the workspace.
 */
@Injectable()
export class EndpointStates {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly deliveries: Deliveries,
  ) {}

  /** What the worker has seen; nothing happens if the endpoint is not as it was then. */
  async become(
    id: string,
    status: EndpointStatus,
    from: readonly EndpointStatus[],
    reason: string,
  ): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      // If thousands fail together this runs seconds after the attempt: the endpoint may have succeeded
      // since, or a member may have enabled it.
      const [still] = await query(
        'SELECT FROM webhook_flows WHERE endpoint_id = $1 AND (failures = 0) = $2',
        [id, status === 'active'],
      );
      const changed = still && (await change(query, id, status, from, reason));
      if (changed === undefined) return noEvent(undefined, 'somebody else was first');
      return withEvents(undefined, changed.event);
    });
  }

  /** The receiver has answered 410, unless that was another url or before the endpoint was enabled. */
  async becomeGone(
    id: string,
    { url, startedAt }: { url: string; startedAt: Date },
    reason: string,
  ): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      const [same] = await query(
        `SELECT FROM webhook_endpoints WHERE id = $1 AND url = $2
           AND (status = 'failing' OR status_since <= $3) FOR UPDATE`,
        [id, url, startedAt],
      );
      const changed = same && (await change(query, id, 'disabled', ['active', 'failing'], reason));
      if (changed === undefined) return noEvent(undefined, 'it is another one now');
      return withEvents(undefined, changed.event);
    });
  }

  disable(actor: Actor, id: string): Promise<EndpointRow> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await lockEndpoint(transaction.query, actor, id);
      return outcomeOf(current, await disable(transaction, actor, current));
    });
  }

  /** What was held is sent at a limited rate, or is discarded first. */
  async enable(actor: Actor, id: string, held: HeldChoice): Promise<EndpointRow> {
    if (held === 'discard') await this.discardHeld(actor, id);
    await this.deliveries.makeHeldDue(actor, id);
    const { endpoint, isEnabled } = await this.unitOfWork.write(async (transaction) => {
      const current = await lockEndpoint(transaction.query, actor, id);
      const changed = await enable(transaction, actor, current);
      return changed === undefined
        ? noEvent({ endpoint: current, isEnabled: false }, 'it is so already')
        : withEvents({ endpoint: changed.endpoint, isEnabled: true }, changed.event);
    });
    // Attempts that ended meanwhile, and those of an endpoint that was failing.
    if (isEnabled) await this.deliveries.makeDue(id);
    return endpoint;
  }

  /** The latest, newest first. */
  async transitions(actor: Actor, id: string): Promise<Transition[]> {
    const [row] = await this.database.query<CallerRow & { transitions: Transition[] }>(
      selectEndpoint(`(
        SELECT coalesce(json_agg(json_build_object(
          'sequence', sequence, 'status', status, 'reason', reason, 'at', at)), '[]')
        FROM (
          SELECT * FROM webhook_endpoint_transitions WHERE endpoint_id = endpoint.id
          ORDER BY sequence DESC LIMIT ${LATEST}
        ) transition
      ) AS transitions`),
      [actor.userId, id],
    );
    const { transitions } = authorise(row, 'admin', 'webhook');
    // JSON knows no times.
    return transitions.map((transition) => ({ ...transition, at: new Date(transition.at) }));
  }

  /** Only while it is disabled: what waits to be sent to an active one is not held. */
  private async discardHeld(actor: Actor, id: string): Promise<void> {
    const { status } = await readEndpoint(this.database.query, actor, id);
    if (status !== 'disabled') {
      throw DomainError.conflict('The webhook is not disabled; nothing is held.');
    }
    await this.deliveries.cancelAll(actor, id);
  }
}

/** For a write that changes more of the endpoint as well. */
export async function disable(
  transaction: Transaction,
  actor: Actor,
  endpoint: EndpointRow,
): Promise<Changed | undefined> {
  const { query } = transaction;
  const reason = `${BY_USER} disabled it.`;
  const changed = await change(query, endpoint.id, 'disabled', ['active', 'failing'], reason);
  if (changed) auditEndpoint(transaction, actor, endpoint, 'webhook.disabled');
  return changed;
}

/**
 * The breaker is closed again. What was held is found at the next look. The caller ends the back-off of
 * what had been tried before it was held, in parts, before and after this transaction.
 */
export async function enable(
  transaction: Transaction,
  actor: Actor,
  endpoint: EndpointRow,
): Promise<Changed | undefined> {
  const { query } = transaction;
  const { id } = endpoint;
  const reason = `${BY_USER} enabled it.`;
  const changed = await change(query, id, 'active', ['disabled', 'failing'], reason);
  if (changed === undefined) return undefined;
  auditEndpoint(transaction, actor, endpoint, 'webhook.enabled');
  await query(
    `UPDATE webhook_flows SET wake_at = now(), window_size = 1, failures = 0, is_draining = true,
       failing_since = NULL, opened = 0, open_until = '-infinity'
     WHERE endpoint_id = $1`,
    [id],
  );
  await query(
    `UPDATE webhook_replays SET next_step_at = now(), stalls = 0
     WHERE endpoint_id = $1 AND status = 'running'`,
    [id],
  );
  return changed;
}

async function change(
  query: Query,
  id: string,
  status: EndpointStatus,
  from: readonly EndpointStatus[],
  reason: string,
): Promise<Changed | undefined> {
  const [row] = await query<EndpointRow & { sequence: number }>(
    `WITH endpoint AS (
       UPDATE webhook_endpoints SET status = $2, status_reason = $3, sequence = sequence + 1,
         status_since = clock_timestamp(), updated_at = ${touched}
       WHERE id = $1 AND status = ANY ($4) RETURNING *
     ), transition AS (
       INSERT INTO webhook_endpoint_transitions (endpoint_id, sequence, status, reason, at)
       SELECT id, sequence, status, status_reason, status_since FROM endpoint
     ), trimmed AS (
       DELETE FROM webhook_endpoint_transitions WHERE endpoint_id = $1 AND sequence < (
         SELECT sequence FROM webhook_endpoint_transitions WHERE endpoint_id = $1
         ORDER BY sequence DESC OFFSET ${LATEST} LIMIT 1
       )
     )
     SELECT endpoint.sequence, ${endpointColumns} FROM endpoint`,
    [id, status, reason, from],
  );
  if (row === undefined) return undefined;
  const { sequence, ...endpoint } = row;
  const { workspaceId, description } = endpoint;
  const data = { id, workspaceId, description, status, reason };
  return { endpoint, event: event(`webhook.${status}`, sequence, data) };
}

const outcomeOf = (current: EndpointRow, changed: Changed | undefined) =>
  changed === undefined
    ? noEvent(current, 'it is so already')
    : withEvents(changed.endpoint, changed.event);
