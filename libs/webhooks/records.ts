import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '#database';
import { Batch } from './batch.js';
import { healthOf, type EndpointHealth } from './endpoint-health.js';
import type { EndpointStatus } from './endpoint.js';
import { LARGEST_WINDOW, LOCK_FLOWS, QUEUED_FOR, releaseNext } from './flows.js';
import type { SendResult } from './sender.js';
import type { ClaimedDelivery } from './turns.js';

export interface Attempt extends SendResult {
  startedAt: Date;
  durationMs: number;
  requestHeaders: Record<string, string> | null;
}

interface Item {
  /** The delivery's. */
  id: string;
  delivery: ClaimedDelivery;
  attempt: Attempt;
  retryIn: number | undefined;
}

// With this many failures in a row the circuit breaker opens, and with each one that follows.
const FAILURES = 5;
// For how long: twice as long each time, give or take a fifth.
const FIRST_PAUSE = '5 seconds';
const LONGEST_PAUSE = '5 minutes';
// As long as a claim lasts; then somebody else may have sent it already.
const INSIST_MS = 20_000;
const PAUSE_MS = 500;
// What a receiver asks for with Retry-After holds for all that is due to it, up to this.
const LONGEST_ASKED_PAUSE_MS = 5 * 60_000;
// Without a single success.
const GIVEN_UP_AFTER = '5 days';
// Between two attempts of a delivery lies less. After a longer time of nothing the count begins anew.
const QUIET = '36 hours';

/** What follows for the endpoint from attempts that were recorded together. */
export interface Consequence {
  /** It is its turn again. */
  isNext: boolean;
  health: EndpointHealth;
  /** The status that it deserves now, if that is another one. */
  becomes: EndpointStatus | null;
  /** In a row. */
  failures: number;
  failingSince: Date;
}

/**
 * An attempt that is there already counts no second time: a batch whose connection was lost is
 * repeated one by one, and that may have been after its commit.
 *
 * The window works like that of TCP (RFC 5681): it grows with each success while it is made use
 * of, and is halved when nothing but failures came back. A receiver that asks for a pause begins
 * anew with one.
 */
const RECORD = `WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::timestamptz[],
      $6::integer[], $7::integer[], $8::text[], $9::text[], $10::json[], $11::json[], $12::text[],
      $13::integer[], $14::integer[], $15::text[]) AS given (endpoint_id, delivery_id, claim, status, started_at,
      duration_ms, status_code, stage, error, request_headers, response_headers, response_body,
      retry_in, asked_pause, url)
  ), inserted AS (
    INSERT INTO webhook_attempts (delivery_id, claim, started_at, duration_ms, status_code, stage,
      error, request_headers, response_headers, response_body, url)
    SELECT delivery_id, claim, started_at, duration_ms, status_code, stage, error, request_headers,
      response_headers, response_body, url FROM given
    ON CONFLICT DO NOTHING
    RETURNING delivery_id
  ), attempt AS (
    SELECT given.endpoint_id, given.delivery_id, given.status, given.retry_in, given.asked_pause,
      -- That an event is no longer kept is not the receiver's fault.
      given.status <> 'delivered' AND given.stage IS DISTINCT FROM 'event' AS is_failure,
      delivery.row, delivery.row IS NULL AS is_over, delivery.claims = given.claim AS is_latest,
      given.status = 'delivered' OR (given.status = 'failed' AND delivery.claims = given.claim)
        AS is_last
    FROM given JOIN inserted ON inserted.delivery_id = given.delivery_id
    LEFT JOIN LATERAL (
      SELECT ctid AS row, claims FROM webhook_deliveries
      WHERE endpoint_id = given.endpoint_id AND id = given.delivery_id LIMIT 1
    ) delivery ON true
  ), finished AS (
    DELETE FROM webhook_deliveries
    WHERE ctid = ANY (ARRAY(SELECT row FROM attempt WHERE is_last))
    RETURNING *
  ), released AS (
    ${releaseNext('finished')}
  ), logged AS (
    INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, status, attempts, replay_id)
    SELECT finished.endpoint_id, id, workspace_id, event_position, event_relayed_at, event_id,
      kind, resource_id, sequence, attempt.status, attempts + 1, replay_id
    FROM finished JOIN attempt ON attempt.delivery_id = finished.id
  ), postponed AS (
    UPDATE webhook_deliveries delivery SET attempts = attempts + 1, (due_at, claimed_until) = (
      SELECT CASE WHEN is_latest THEN now() + retry_in * interval '1 millisecond'
          ELSE delivery.due_at END,
        CASE WHEN is_latest THEN NULL ELSE delivery.claimed_until END
      FROM attempt WHERE attempt.delivery_id = delivery.id
    )
    WHERE ctid = ANY (ARRAY(SELECT row FROM attempt WHERE NOT is_last))
  ), tally AS (
    SELECT endpoint_id, count(*) FILTER (WHERE is_over OR is_latest) AS ended,
      count(*) FILTER (WHERE status = 'delivered') AS successes,
      count(*) FILTER (WHERE is_failure) AS failures,
      min(retry_in) * interval '1 millisecond' AS retry_in,
      max(asked_pause) * interval '1 millisecond' AS asked_pause
    FROM attempt GROUP BY endpoint_id
  ), outcome AS (
    SELECT flow.*, tally.retry_in, tally.asked_pause, tally.successes > 0 AS succeeded,
      tally.successes = 0 AND tally.failures > 0 AS failed, endpoint.status,
      greatest(0, flow.in_flight - tally.ended) AS still_in_flight,
      CASE WHEN tally.successes > 0 THEN 0 ELSE flow.failures + tally.failures END
        AS failures_in_a_row,
      CASE WHEN flow.failed_at >= now() - interval '${QUIET}' THEN coalesce(flow.failing_since, now())
        ELSE now() END AS nothing_but_failures_since,
      CASE
        WHEN tally.asked_pause > interval '0' THEN 1
        WHEN tally.successes = 0 AND tally.failures > 0 THEN greatest(1, flow.window_size / 2)
        WHEN flow.in_flight < flow.window_size / 2 THEN flow.window_size
        ELSE least(${LARGEST_WINDOW}, flow.window_size + tally.successes)
      END AS next_window_size,
      tally.successes = 0 AND tally.failures > 0 AND flow.open_until <= now()
        AND flow.failures + tally.failures >= ${FAILURES} AS opens
    FROM tally CROSS JOIN LATERAL (
      SELECT * FROM webhook_flows WHERE endpoint_id = tally.endpoint_id LIMIT 1
    ) flow
    CROSS JOIN LATERAL (
      SELECT status FROM webhook_endpoints WHERE id = tally.endpoint_id LIMIT 1
    ) endpoint
  ), paused AS (
    SELECT outcome.*, greatest(now() + asked_pause, CASE
        -- Not what the receiver itself asked for.
        WHEN succeeded AND opened > 0 THEN '-infinity'
        WHEN opens THEN now() + (0.8 + 0.4 * random())
          * least(interval '${FIRST_PAUSE}' * 2 ^ least(opened, 10), interval '${LONGEST_PAUSE}')
        ELSE open_until
      END) AS paused_until
    FROM outcome
  ), decided AS (
    SELECT paused.*, paused_until <= now() AND NOT queued
      AND still_in_flight <= next_window_size / 2
      AND (endpoint_id IN (SELECT endpoint_id FROM released) OR (
        SELECT count(*) > 0 FROM (
          SELECT FROM webhook_deliveries delivery WHERE delivery.endpoint_id = paused.endpoint_id
            AND due_at > '-infinity' AND due_at <= now() AND delivery.claimed_until IS NULL LIMIT 1
        ) due
      )) AS is_next,
      CASE
        WHEN status = 'disabled' THEN NULL
        WHEN succeeded AND status = 'failing' THEN 'active'
        WHEN NOT failed THEN NULL
        WHEN nothing_but_failures_since < now() - interval '${GIVEN_UP_AFTER}' THEN 'disabled'
        WHEN failures_in_a_row >= ${FAILURES} AND status = 'active' THEN 'failing'
      END AS becomes,
      CASE WHEN opens THEN 1 ELSE next_window_size END AS final_window_size,
      CASE WHEN succeeded THEN 0 WHEN opens THEN opened + 1 ELSE opened END AS final_opened
    FROM paused
  ), flow AS (
    UPDATE webhook_flows flow SET (in_flight, failures, failing_since, failed_at, window_size,
      opened, open_until, queued, wake_at) = (
      SELECT still_in_flight, failures_in_a_row,
        CASE WHEN failed THEN nothing_but_failures_since WHEN NOT succeeded THEN failing_since END,
        CASE WHEN failed THEN now() WHEN NOT succeeded THEN failed_at END,
        final_window_size, final_opened,
        paused_until, queued OR is_next,
        CASE WHEN is_next THEN now() + interval '${QUEUED_FOR}'
          WHEN paused_until > now() THEN paused_until
          -- The breaker has closed, and what it held up may be due.
          WHEN succeeded AND opened > 0 THEN now()
          ELSE least(wake_at, now() + retry_in) END
      FROM decided WHERE decided.endpoint_id = flow.endpoint_id
    )
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM decided))
  )
  SELECT endpoint_id AS "endpointId", is_next AS "isNext", becomes,
    ${healthOf({ opened: 'final_opened', windowSize: 'final_window_size', failures: 'failures_in_a_row' })}
      AS health,
    failures_in_a_row AS failures, nothing_but_failures_since AS "failingSince"
  FROM decided WHERE is_next OR becomes IS NOT NULL`;

/** Writes down how attempts ended, and what follows from it for their endpoints. */
@Injectable()
export class Records {
  private readonly logger = new Logger(Records.name);
  private readonly records = new Batch((items: Item[]) => this.recordAll(items));

  constructor(private readonly database: Database) {}

  /**
   * Records an attempt and what follows from it: done, another attempt after `retryIn`
   * milliseconds, or given up. A worker whose claim has run out meanwhile adds its attempt to the
   * record; only a success still counts, for the receiver has the notification then.
   * While PostgreSQL is away it is tried again: what is not recorded is sent once more.
   * Gives what follows for the endpoint; of those that are recorded together only one is told.
   */
  async record(
    delivery: ClaimedDelivery,
    attempt: Attempt,
    retryIn: number | undefined,
  ): Promise<Consequence | undefined> {
    const item = { id: delivery.id, delivery, attempt, retryIn };
    const begun = Date.now();
    for (;;) {
      try {
        return await this.records.add(item);
      } catch (error) {
        if (Date.now() - begun > INSIST_MS) throw error;
        this.logger.warn({ err: error, stage: 'record', deliveryId: delivery.id });
      }
      await setTimeout(PAUSE_MS);
    }
  }

  private async recordAll(items: Item[]): Promise<Map<string, Consequence>> {
    const rows = await this.database.together<Consequence & { endpointId: string }>(
      [LOCK_FLOWS, [items.map(({ delivery }) => delivery.endpointId)]],
      [RECORD, columnsOf(items)],
    );
    const deliveryOf = new Map(items.map(({ id, delivery }) => [delivery.endpointId, id]));
    return new Map(rows.map((row) => [deliveryOf.get(row.endpointId) ?? '', row]));
  }
}

const columnsOf = (items: Item[]) => [
  items.map(({ delivery }) => delivery.endpointId),
  items.map(({ delivery }) => delivery.id),
  items.map(({ delivery }) => delivery.claim),
  items.map(({ attempt, retryIn }) =>
    attempt.ok ? 'delivered' : retryIn === undefined ? 'failed' : 'pending',
  ),
  items.map(({ attempt }) => attempt.startedAt),
  items.map(({ attempt }) => attempt.durationMs),
  items.map(({ attempt }) => attempt.statusCode),
  items.map(({ attempt }) => attempt.stage),
  items.map(({ attempt }) => attempt.error),
  items.map(({ attempt }) => attempt.requestHeaders && JSON.stringify(attempt.requestHeaders)),
  items.map(({ attempt }) => attempt.responseHeaders && JSON.stringify(attempt.responseHeaders)),
  items.map(({ attempt }) => attempt.responseBody),
  items.map(({ retryIn }) => (retryIn === undefined ? null : Math.round(retryIn))),
  items.map(({ attempt: { retryAfter } }) =>
    retryAfter === undefined ? null : Math.min(retryAfter, LONGEST_ASKED_PAUSE_MS),
  ),
  items.map(({ delivery, attempt }) => (attempt.requestHeaders === null ? null : delivery.url)),
];
