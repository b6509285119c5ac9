import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { Batch } from './batch.js';
import { SEND_TIMEOUT_MS, type SendResult } from './sender.js';

/** A delivery that is due, as it goes into the queue. */
export interface DueDelivery {
  id: string;
  claims: number;
}

/** A delivery that this worker has taken up, with all that it takes to send it. */
export interface ClaimedDelivery {
  id: string;
  /** Which of its claims this is: a later one takes away the right to say how it ended. */
  claim: number;
  attempts: number;
  endpointId: string;
  eventId: string;
  url: string;
  encryptedSecret: string;
  kind: string;
  occurredAt: Date;
  /** JSON, as the outbox holds it. */
  data: string;
}

export interface Attempt extends SendResult {
  startedAt: Date;
  durationMs: number;
}

interface Recorded {
  id: string;
  claim: number;
  attemptId: string;
  attempt: Attempt;
  retryIn: number | undefined;
}

// A relay statement's share: small enough to hold its locks for milliseconds.
const RELAY_BATCH = 200;
const SWEEP_BATCH = 500;
// How long a new delivery's job is trusted to turn up: its relay may die before it is put in.
const RELAYED_FOR = '10 seconds';
// How long after that. Another job put in too early finds nothing to claim, but with a long queue
// the sweep would be busy with nothing else.
const QUEUED_FOR = '1 minute';
// How long a claim lasts: the longest attempt there is, and time to record it.
const CLAIMED_FOR = `${SEND_TIMEOUT_MS + 5_000} milliseconds`;

const COUNTS = `(delivery.status <> 'delivered' AND (attempt.status = 'delivered'
  OR (delivery.claims = attempt.claim AND delivery.status <> 'failed')))`;
const NEXT = `now() + attempt.retry_in * interval '1 millisecond'`;

/**
 * The rows are locked in the order of their ids, so that two who record cannot wait for each other.
 * An attempt that is there already counts no second time: a batch whose connection was lost is
 * repeated one by one, and that may have been after its commit.
 */
const record = (locking: 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED') => `WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::timestamptz[],
      $6::integer[], $7::integer[], $8::text[], $9::integer[])
    AS given (id, attempt_id, claim, status, started_at, duration_ms, status_code, error, retry_in)
  ), locked AS (
    SELECT id FROM webhook_deliveries WHERE id = ANY ($1) ORDER BY id ${locking}
  ), inserted AS (
    INSERT INTO webhook_attempts (delivery_id, id, started_at, duration_ms, status_code, error)
    SELECT id, attempt_id, started_at, duration_ms, status_code, error
    FROM given JOIN locked USING (id)
    ON CONFLICT DO NOTHING
    RETURNING delivery_id AS id
  ), attempt AS (
    SELECT given.* FROM given JOIN inserted USING (id)
  ), delivery AS (
    UPDATE webhook_deliveries delivery SET
      attempts = delivery.attempts + 1,
      status = CASE
        WHEN NOT ${COUNTS} THEN delivery.status
        WHEN delivery.status = 'held' AND attempt.status = 'pending' THEN 'held'
        ELSE attempt.status
      END,
      next_attempt_at = CASE WHEN ${COUNTS} THEN ${NEXT} ELSE delivery.next_attempt_at END,
      due_at = CASE WHEN ${COUNTS} THEN coalesce(${NEXT}, delivery.due_at) ELSE delivery.due_at END
    FROM attempt
    WHERE delivery.id = attempt.id
  )
  SELECT id FROM locked`;

const RECORD_UNLOCKED = record('FOR UPDATE SKIP LOCKED');
const RECORD = record('FOR UPDATE');

/**
 * Every step of a delivery is one statement, often shared with others, so that no transaction is
 * open while a receiver is waited for. PostgreSQL holds the schedule; the queue only says which rows to look at now.
 */
@Injectable()
export class Deliveries {
  private readonly claims = new Batch((due: DueDelivery[]) => this.claimAll(due));
  private readonly records = new Batch((all: Recorded[]) => this.recordAll(RECORD_UNLOCKED, all));
  // However many wait for somebody's lock, they take up one connection.
  private readonly lockedRecords = new Batch((all: Recorded[]) => this.recordAll(RECORD, all));

  constructor(private readonly database: Database) {}

  /**
   * Turns a batch of undispatched outbox rows into one delivery for each endpoint that wants them,
   * and says whether there may be more rows right now.
   * Several workers do so side by side. Rows are taken by what they lack, never by a position that
   * was reached: transactions do not commit in the order in which they began. The endpoints are
   * locked, so that one that is being enabled, disabled or deleted is seen as it will be.
   */
  async relay(): Promise<{ due: DueDelivery[]; more: boolean }> {
    const rows = await this.database.query<{ events: number } & DueDelivery>(
      `WITH event AS (
         UPDATE outbox SET dispatched_at = now()
         WHERE id = ANY (ARRAY(
           SELECT id FROM outbox WHERE dispatched_at IS NULL
           ORDER BY id LIMIT ${RELAY_BATCH} FOR UPDATE SKIP LOCKED
         ))
         RETURNING id, workspace_id, kind
       ), endpoint AS (
         SELECT id, workspace_id, events, status FROM webhook_endpoints
         WHERE workspace_id IN (SELECT workspace_id FROM event)
         ORDER BY id FOR SHARE
       ), delivery AS (
         INSERT INTO webhook_deliveries (event_id, endpoint_id, status, next_attempt_at, due_at)
         SELECT event.id, endpoint.id,
           CASE endpoint.status WHEN 'active' THEN 'pending' ELSE 'held' END,
           CASE endpoint.status WHEN 'active' THEN now() END,
           now() + interval '${RELAYED_FOR}'
         FROM event JOIN endpoint
           ON endpoint.workspace_id = event.workspace_id AND event.kind = ANY (endpoint.events)
         ON CONFLICT (event_id, endpoint_id) DO NOTHING
         RETURNING id, claims, status
       )
       SELECT (SELECT count(*)::integer FROM event) AS events, delivery.id, delivery.claims
       FROM (SELECT) one LEFT JOIN delivery ON delivery.status = 'pending'`,
    );
    const due = rows.filter((row) => (row.id as string | null) !== null);
    return {
      due: due.map(({ id, claims }) => ({ id, claims })),
      more: rows[0]?.events === RELAY_BATCH,
    };
  }

  /**
   * Finds what is due and not in flight: retries whose time has come, and whatever a crash, a lost
   * job or an emptied queue has left behind.
   */
  sweep(): Promise<DueDelivery[]> {
    return this.database.query<DueDelivery>(
      `UPDATE webhook_deliveries SET due_at = now() + interval '${QUEUED_FOR}'
       WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_deliveries WHERE status = 'pending' AND due_at <= now()
         ORDER BY due_at LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED
       ))
       RETURNING id, claims`,
    );
  }

  /** Takes a delivery up; undefined when it is done, held, or taken up by another job already. */
  claim(due: DueDelivery): Promise<ClaimedDelivery | undefined> {
    return this.claims.add(due);
  }

  /**
   * Records an attempt and what follows from it: done, another attempt after `retryIn`
   * milliseconds, or given up. A worker whose claim has run out meanwhile adds its attempt to the
   * record; only a success still counts, for the receiver has the notification then. What somebody
   * else holds, such as the disabling of an endpoint with a long backlog, is waited for apart, so
   * that it keeps nobody else waiting.
   */
  async record(
    { id, claim }: ClaimedDelivery,
    attempt: Attempt,
    retryIn: number | undefined,
  ): Promise<void> {
    const recorded = { id, claim, attemptId: randomUUID(), attempt, retryIn };
    if ((await this.records.add(recorded)) === undefined) await this.lockedRecords.add(recorded);
  }

  /**
   * What somebody else holds is left to them, or to the sweep: nobody waits here for another's lock.
   * The status is looked at in `due` alone, lest PostgreSQL read the index of all that is pending.
   */
  private async claimAll(due: DueDelivery[]): Promise<Map<string, ClaimedDelivery>> {
    const claimed = await this.database.query<ClaimedDelivery>(
      `WITH due AS (
         SELECT delivery.id, delivery.status FROM webhook_deliveries delivery
         JOIN unnest($1::uuid[], $2::integer[]) job (id, claims)
           ON delivery.id = job.id AND delivery.claims = job.claims
         FOR UPDATE OF delivery SKIP LOCKED
       )
       UPDATE webhook_deliveries delivery
       SET claims = delivery.claims + 1, due_at = now() + interval '${CLAIMED_FOR}'
       FROM due, webhook_endpoints endpoint, outbox event
       WHERE delivery.id = due.id AND due.status = 'pending' AND endpoint.status = 'active'
         AND endpoint.id = delivery.endpoint_id AND event.id = delivery.event_id
       RETURNING delivery.id, delivery.claims AS claim, delivery.attempts,
         endpoint.id AS "endpointId", endpoint.url, endpoint.encrypted_secret AS "encryptedSecret",
         event.id AS "eventId", event.kind, event.occurred_at AS "occurredAt",
         event.data::text AS data`,
      [due.map(({ id }) => id), due.map(({ claims }) => claims)],
    );
    return new Map(claimed.map((delivery) => [delivery.id, delivery]));
  }

  private async recordAll(statement: string, records: Recorded[]): Promise<Map<string, true>> {
    const recorded = await this.database.query<{ id: string }>(statement, [
      records.map(({ id }) => id),
      records.map(({ attemptId }) => attemptId),
      records.map(({ claim }) => claim),
      records.map(({ attempt, retryIn }) =>
        attempt.ok ? 'delivered' : retryIn === undefined ? 'failed' : 'pending',
      ),
      records.map(({ attempt }) => attempt.startedAt),
      records.map(({ attempt }) => attempt.durationMs),
      records.map(({ attempt }) => attempt.statusCode),
      records.map(({ attempt }) => attempt.error),
      records.map(({ retryIn }) => (retryIn === undefined ? null : Math.round(retryIn))),
    ]);
    return new Map(recorded.map(({ id }) => [id, true]));
  }

  /** The receiver answered 410: nothing more is sent to it until somebody enables it again. */
  async disable(endpointId: string): Promise<void> {
    await this.database.query(
      // The endpoint first, as everywhere, so that two who change it cannot wait for each other.
      `WITH endpoint AS (
         UPDATE webhook_endpoints SET status = 'disabled', updated_at = clock_timestamp()
         WHERE id = $1 AND status = 'active' RETURNING id
       )
       UPDATE webhook_deliveries SET status = 'held', next_attempt_at = NULL
       WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_deliveries
         WHERE endpoint_id IN (SELECT id FROM endpoint) AND status = 'pending'
         ORDER BY id FOR UPDATE
       ))`,
      [endpointId],
    );
  }
}
