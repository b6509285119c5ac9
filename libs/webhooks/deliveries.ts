import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork, type Query } from '#database';
import { DomainError } from '#errors';
import { rightIn, type Actor } from '#identity';
import { readPending, type Delivery } from './delivery.js';
import { lockEndpoint, readEndpoint, type EndpointRow } from './endpoint.js';
import { LOCK_FLOWS, releaseNext } from './flows.js';

// A statement's share: a part of a second.
const BATCH = 5_000;

// Before all that is due.
const FIRST = `'epoch'`;

/** What follows when the expression `cancelled` has deleted pending rows. */
const afterCancel = `logged AS (
    INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, status, attempts, replay_id)
    SELECT endpoint_id, id, workspace_id, event_position, event_relayed_at, event_id, kind,
      resource_id, sequence, 'cancelled', attempts, replay_id FROM cancelled
  ), released AS (
    ${releaseNext('cancelled')}
  ), flow AS (
    -- Of those whose worker has died the count still knows.
    UPDATE webhook_flows SET wake_at = now(), in_flight = greatest(0, in_flight - (
      SELECT count(*) FROM cancelled WHERE claimed_until IS NOT NULL
    )) WHERE endpoint_id = $1
  )
  SELECT count(*)::integer AS count FROM cancelled`;

const cancelSome = (which: string) => `WITH cancelled AS (
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE ${which}
        AND (claimed_until IS NULL OR claimed_until <= now())
      LIMIT ${BATCH}
    ))
    RETURNING *
  ), ${afterCancel}`;
const CANCEL_ALL = cancelSome('endpoint_id = $1');
const CANCEL_REPLAY = cancelSome('replay_id = $2');

/** What can be done about the notifications to an endpoint. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * One more attempt, before all that waits. What had been given up and fails again stays given up;
   * what was delivered stays so, and its event is sent again as a new delivery.
   * @throws DomainError `conflict` when it is under way, or cannot be sent now.
   */
  async retry(actor: Actor, endpointId: string, id: string): Promise<Delivery> {
    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const endpoint = await lockEndpoint(query, actor, endpointId);
      requireForReplay(rightIn(endpoint.workspaceId, 'admin'));
      refuseDisabled(endpoint);
      await query(LOCK_FLOWS, [[endpointId]]);
      const isPending = await hasten(query, endpointId, id);
      const sent = isPending ? id : await sendAgain(query, endpoint, id);
      const [, delivery] = await Promise.all([
        query(
          `UPDATE webhook_flows SET wake_at = now(), open_until = '-infinity' WHERE endpoint_id = $1`,
          [endpointId],
        ),
        readPending(query, endpointId, sent),
      ]);
      return noEvent(delivery, 'the event has been told of before');
    }, actor.once);
  }

  /** @throws DomainError `conflict` when it is over, or under way right now. */
  async cancel(actor: Actor, endpointId: string, id: string): Promise<void> {
    await this.unitOfWork.write(async ({ query }) => {
      await lockEndpoint(query, actor, endpointId);
      await query(LOCK_FLOWS, [[endpointId]]);
      const state = await pendingState(query, endpointId, id);
      if (state === 'sending') throw DomainError.conflict(SENDING);
      if (state === undefined) {
        const past = await finishedStatus(query, endpointId, id);
        throw DomainError.conflict(`The delivery is over: it was ${past}.`);
      }
      await query(
        `WITH cancelled AS (
           DELETE FROM webhook_deliveries WHERE endpoint_id = $1 AND id = $2 RETURNING *
         ), ${afterCancel}`,
        [endpointId, id],
      );
      return noEvent(undefined, 'the subscriber does not want it');
    });
  }

  /** All that is pending or held, but for what is under way right now. Gives how many. */
  async cancelAll(actor: Actor, endpointId: string): Promise<{ cancelled: number }> {
    await readEndpoint(this.database.query, actor, endpointId);
    return { cancelled: await this.inParts(CANCEL_ALL, endpointId) };
  }

  /** All that a replay has made, but for what is under way right now. */
  async cancelReplay(endpointId: string, replayId: string): Promise<void> {
    await this.inParts(CANCEL_REPLAY, endpointId, replayId);
  }

  /** What waits for an earlier one of its resource need wait no longer: order is no longer asked for. */
  async release(endpointId: string): Promise<void> {
    await this.inParts(RELEASE, endpointId);
  }

  /**
   * Sends all that is pending now, at the drain's pace, although a later attempt was planned. Gives
   * how many.
   * @throws DomainError `conflict` when the endpoint is disabled.
   */
  async retryAll(actor: Actor, endpointId: string): Promise<{ retried: number }> {
    refuseDisabled(await readEndpoint(this.database.query, actor, endpointId));
    return { retried: await this.makeDue(endpointId) };
  }

  /**
   * Ends the back-off of what a disabled endpoint holds. Called before the endpoint is enabled: nobody
   * claims the deliveries until then, and a crash leaves none of them behind in its back-off.
   */
  async makeHeldDue(actor: Actor, endpointId: string): Promise<void> {
    const { status } = await readEndpoint(this.database.query, actor, endpointId);
    if (status === 'disabled') await this.makeDue(endpointId);
  }

  /** Ends the back-off of all that waits for another attempt. Gives how many. */
  makeDue(endpointId: string): Promise<number> {
    return this.inParts(MAKE_DUE, endpointId);
  }

  /** Deletes all that is pending, without a trace, for an endpoint that is about to go. */
  async clear(endpointId: string): Promise<void> {
    await this.inParts(CLEAR, endpointId);
  }

  /** Gives how many rows the parts have changed. */
  private async inParts(statement: string, endpointId: string, ...more: string[]): Promise<number> {
    let total = 0;
    for (let last = BATCH; last === BATCH; total += last) {
      const [row] = await this.database.together<{ count: number }>(
        [LOCK_FLOWS, [[endpointId]]],
        [statement, [endpointId, ...more]],
      );
      last = row?.count ?? 0;
    }
    return total;
  }
}

const CLEAR = `WITH cleared AS (
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1 LIMIT ${BATCH}
    ))
    RETURNING 1
  )
  SELECT count(*)::integer AS count FROM cleared`;

const RELEASE = `WITH released AS (
    UPDATE webhook_deliveries SET due_at = now() WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1 AND due_at = 'infinity'
      LIMIT ${BATCH}
    ))
    RETURNING 1
  ), flow AS (
    UPDATE webhook_flows SET wake_at = now() WHERE endpoint_id = $1
  )
  SELECT count(*)::integer AS count FROM released`;

// The drain ends with the last delivery that was due before the endpoint got its status. Deliveries
// that wait for an earlier one of their resource are due at 'infinity', and go on waiting.
const MAKE_DUE = `WITH made_due AS (
    UPDATE webhook_deliveries SET due_at = (
      SELECT least(event_relayed_at, status_since - interval '1 millisecond')
      FROM webhook_endpoints WHERE id = $1
    )
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1
        AND due_at > '-infinity' AND due_at > now() AND due_at < 'infinity'
      ORDER BY due_at LIMIT ${BATCH}
    ))
    RETURNING 1
  ), flow AS (
    -- Deliveries that are due already may wait for the circuit breaker.
    UPDATE webhook_flows SET wake_at = now(), open_until = '-infinity',
      is_draining = is_draining OR EXISTS (SELECT FROM made_due)
    WHERE endpoint_id = $1
  )
  SELECT count(*)::integer AS count FROM made_due`;

function refuseDisabled({ status }: EndpointRow): void {
  if (status === 'disabled') {
    throw DomainError.conflict('The webhook is disabled; enable it, and what is held is sent.');
  }
}

const SENDING = 'The delivery is being sent right now; look again in a moment.';

async function pendingState(
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
  await query(
    `UPDATE webhook_deliveries SET due_at = ${FIRST} WHERE endpoint_id = $1 AND id = $2`,
    [endpointId, id],
  );
  return true;
}

/** Gives the id of the delivery that is pending now. */
async function sendAgain(query: Query, endpoint: EndpointRow, id: string): Promise<string> {
  const status = await finishedStatus(query, endpoint.id, id);
  const [row] =
    status === 'delivered'
      ? await query<{ id: string }>(RESEND, [endpoint.id, id])
      : await query<{ id: string }>(REVIVE, [endpoint.id, id, endpoint.ordered]);
  if (row === undefined) throw new Error('A delivery vanished while its flow was locked.');
  return row.id;
}

// Like what a replay makes, it counts as a repetition, which no replay repeats. Nothing waits for it
// and it waits for nothing: that its event arrived once is all that an order asks for.
const RESEND = `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
    event_relayed_at, event_id, kind, resource_id, sequence, due_at, replay_id)
  SELECT endpoint_id, uuidv7_at(now()), workspace_id, event_position, event_relayed_at, event_id,
    kind, resource_id, sequence, ${FIRST}, id
  FROM webhook_delivery_log WHERE endpoint_id = $1 AND id = $2
  RETURNING id`;

/** What is over goes back to what is to be done. */
const REVIVE = `WITH revived AS (
    DELETE FROM webhook_delivery_log WHERE endpoint_id = $1 AND id = $2 RETURNING *
  )
  INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
    event_relayed_at, event_id, kind, resource_id, sequence, attempts, claims, due_at, replay_id,
    is_ordered)
  SELECT endpoint_id, id, workspace_id, event_position, event_relayed_at, event_id, kind,
    resource_id, sequence, attempts,
    (SELECT coalesce(max(claim), 0) FROM webhook_attempts WHERE delivery_id = $2), ${FIRST},
    replay_id, $3
  FROM revived
  RETURNING id`;
