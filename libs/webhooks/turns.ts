import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { Batch } from './batch.js';
import { healthOfFlow, type DueEndpoint } from './endpoint-health.js';
import { LARGEST_WINDOW, LOCK_FLOWS, queuedFor, QUEUED_FOR, releaseNext } from './flows.js';
import { SEND_TIMEOUT_MS } from './sender.js';

/** A delivery that this worker has taken up, with all that it takes to send it. */
export interface ClaimedDelivery {
  id: string;
  /** Which of its claims this is: a later one takes away the right to say that it failed. */
  claim: number;
  attempts: number;
  endpointId: string;
  workspaceId: string;
  url: string;
  encryptedSecret: string;
  /** They sign as well until their time is over. */
  earlierSecrets: { encrypted: string; until: string }[];
  encryptedHeaders: string | null;
  /** Whether the workspace had been deleted when the delivery was claimed. */
  isWorkspaceDeleted: boolean;
  eventId: string;
  kind: string;
  sequence: number;
  /** Null, like the data, when the event is no longer kept. */
  occurredAt: Date | null;
  /** JSON, as the outbox held it. */
  data: string | null;
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** More is due, and may be sent at once: there is to be another turn. */
  again: boolean;
  /** Milliseconds until more may be sent; null when that does not go by the time. */
  pausedFor: number | null;
}

type ClaimedRow = Omit<Claimed, 'deliveries'> & { endpointId: string } & (
    ClaimedDelivery | { id: null }
  );

interface Turn {
  /** The endpoint's. */
  id: string;
  /** How many deliveries may be taken up. */
  room: number;
}

// Some 5 ms. A full batch is followed by another one, after the pause of the sweep.
const SWEEP_BATCH = 100;
// Attempts a second of what was held while an endpoint was disabled.
const DRAIN_RATE = 50;
// With a limited rate, how far ahead of its time an attempt may be: a few go together.
const EARLY = '100 milliseconds';
// How long a claim lasts: the longest attempt there is, and time to record it.
const CLAIMED_FOR = `${SEND_TIMEOUT_MS + 5_000} milliseconds`;

const CLAIM = `WITH turn AS (
    SELECT given.endpoint_id, due.rows, due.blocked, due.rows <> '{}' AS took_some,
      endpoint.status = 'disabled' AS is_disabled, flow.open_until, flow.claimed_until,
      under_way.count + due.fresh AS in_flight,
      -- For want of room in this worker, not in the endpoint's window or rate; or because what was
      -- looked at was set aside.
      due.more AND (
        may.take = given.room AND under_way.count + may.take < flow.window_size
        OR due.blocked IS NOT NULL AND may.take > 0
          AND under_way.count + due.fresh < flow.window_size
      ) AS again,
      flow.is_draining AND due.more AND due.oldest < endpoint.status_since AS is_draining,
      pace.paced_until + coalesce(cardinality(due.rows) * interval '1 second' / pace.per_second,
        interval '0') AS paced_until,
      due.more AND may.take < may.bear AS is_paced, under_way.is_lost
    FROM unnest($1::uuid[], $2::integer[]) AS given (endpoint_id, room)
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_flows WHERE endpoint_id = given.endpoint_id LIMIT 1
    ) flow
    CROSS JOIN LATERAL (
      SELECT status, status_since, rate_limit, ordered FROM webhook_endpoints
      WHERE id = given.endpoint_id LIMIT 1
    ) endpoint
    CROSS JOIN LATERAL (
      SELECT least(endpoint.rate_limit, CASE WHEN flow.is_draining THEN ${DRAIN_RATE} END)
        AS per_second, greatest(flow.paced_until, now()) AS paced_until
    ) pace
    -- When all claims have run out, then nothing is under way, whatever the count says.
    CROSS JOIN LATERAL (
      SELECT flow.claimed_until <= now() AND flow.in_flight > 0 AS is_lost,
        CASE WHEN flow.claimed_until <= now() THEN 0 ELSE flow.in_flight END AS count
    ) under_way
    CROSS JOIN LATERAL (
      SELECT CASE WHEN endpoint.status = 'disabled' OR flow.open_until > now() THEN 0
        ELSE greatest(0, least(given.room, flow.window_size - under_way.count)) END AS bear
    ) window_left
    CROSS JOIN LATERAL (
      SELECT window_left.bear, greatest(0, least(window_left.bear, 1 + floor(
        extract(epoch FROM now() + interval '${EARLY}' - pace.paced_until) * pace.per_second
      )))::integer AS take
    ) may
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(row) FILTER (WHERE rank <= may.take AND is_first), '{}') AS rows,
        array_agg(row) FILTER (WHERE NOT is_first) AS blocked,
        count(*) FILTER (WHERE rank <= may.take AND is_first AND is_fresh) AS fresh,
        count(*) > may.take AS more, min(due_at) AS oldest
      FROM (
        SELECT ctid AS row, due_at, claimed_until IS NULL OR under_way.is_lost AS is_fresh,
          row_number() OVER (ORDER BY due_at) AS rank,
          NOT (is_ordered AND endpoint.ordered) OR NOT EXISTS (
            SELECT FROM webhook_deliveries earlier
            WHERE earlier.endpoint_id = delivery.endpoint_id AND earlier.is_ordered
              AND earlier.resource_id = delivery.resource_id
              AND earlier.event_position < delivery.event_position
          ) AS is_first
        FROM webhook_deliveries delivery
        WHERE endpoint_id = given.endpoint_id AND due_at > '-infinity' AND due_at <= now()
          AND (claimed_until IS NULL OR claimed_until <= now())
        ORDER BY due_at LIMIT may.take + 1
      ) delivery
    ) due
  ), lost AS (
    -- The rest of those that the count has let go of is to be counted when it is taken up. They were
    -- the first that were due.
    UPDATE webhook_deliveries SET claimed_until = NULL WHERE ctid = ANY (ARRAY(
      SELECT delivery.ctid FROM turn CROSS JOIN LATERAL (
        SELECT ctid, claimed_until FROM webhook_deliveries
        WHERE endpoint_id = turn.endpoint_id AND due_at > '-infinity' AND due_at <= now()
        ORDER BY due_at LIMIT ${2 * LARGEST_WINDOW}
      ) delivery
      WHERE turn.is_lost AND delivery.claimed_until <= now()
        AND delivery.ctid <> ALL (turn.rows || turn.blocked)
    ))
  ), blocked AS (
    -- Until the earlier one is over, so that nobody looks at it again and again.
    UPDATE webhook_deliveries SET due_at = 'infinity'
    WHERE ctid = ANY (ARRAY(SELECT unnest(blocked) FROM turn))
  ), claimed AS (
    UPDATE webhook_deliveries
    SET claims = claims + 1, claimed_until = now() + interval '${CLAIMED_FOR}'
    WHERE ctid = ANY (ARRAY(SELECT unnest(rows) FROM turn))
    RETURNING *
  ), flow AS (
    UPDATE webhook_flows flow SET (in_flight, claimed_until, queued, is_draining, paced_until,
      wake_at) = (
      SELECT turn.in_flight,
        CASE WHEN turn.took_some THEN now() + interval '${CLAIMED_FOR}' ELSE turn.claimed_until END,
        turn.again, turn.is_draining, turn.paced_until,
        CASE
          WHEN turn.is_disabled THEN NULL
          WHEN turn.open_until > now() THEN turn.open_until
          WHEN turn.again THEN now() + interval '${QUEUED_FOR}'
          ELSE least(
            CASE WHEN turn.took_some THEN now() + interval '${CLAIMED_FOR}'
              WHEN turn.in_flight > 0 THEN turn.claimed_until END,
            CASE WHEN turn.is_paced THEN greatest(turn.paced_until - interval '${EARLY}',
              now() + interval '10 milliseconds') END,
            (SELECT due_at FROM webhook_deliveries WHERE endpoint_id = turn.endpoint_id
             AND due_at > '-infinity' AND due_at > now() AND due_at < 'infinity'
             ORDER BY due_at LIMIT 1))
        END
      FROM turn WHERE turn.endpoint_id = flow.endpoint_id
    )
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM turn))
  )
  SELECT turn.endpoint_id AS "endpointId", turn.again,
    CASE WHEN turn.is_paced THEN
      extract(epoch FROM turn.paced_until - interval '${EARLY}' - now())::float8 * 1000
    END AS "pausedFor", delivery.*
  FROM turn LEFT JOIN LATERAL (
    SELECT claimed.id, claimed.claims AS claim, claimed.attempts,
      claimed.workspace_id AS "workspaceId", endpoint.url,
      endpoint.encrypted_secret AS "encryptedSecret", endpoint.earlier_secrets AS "earlierSecrets",
      endpoint.encrypted_headers AS "encryptedHeaders",
      endpoint.workspace_deleted_at IS NOT NULL AS "isWorkspaceDeleted",
      claimed.event_id AS "eventId", claimed.kind, claimed.sequence, event.occurred_at AS "occurredAt", event.data::text AS data
    FROM claimed
    CROSS JOIN LATERAL (
      SELECT url, encrypted_secret, earlier_secrets, encrypted_headers, workspace_deleted_at
      FROM webhook_endpoints WHERE id = claimed.endpoint_id LIMIT 1
    ) endpoint
    LEFT JOIN LATERAL (
      SELECT occurred_at, data FROM events WHERE workspace_id = claimed.workspace_id
        AND position = claimed.event_position AND relayed_at = claimed.event_relayed_at LIMIT 1
    ) event ON true
    WHERE claimed.endpoint_id = turn.endpoint_id
  ) delivery ON true`;

// A statement's share: a part of a second.
const FORGET_BATCH = 5_000;

const FORGET = `WITH forgotten AS (
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM webhook_deliveries WHERE endpoint_id = $1
        AND id < (SELECT uuidv7_at(now() - $2 * interval '1 day'))
      LIMIT ${FORGET_BATCH}
    ))
    RETURNING *
  ), released AS (${releaseNext('forgotten')}), flow AS (
    UPDATE webhook_flows SET wake_at = now()
    WHERE endpoint_id = $1 AND EXISTS (SELECT FROM released)
  )
  SELECT count(*)::integer AS count FROM forgotten`;

const SWEEP = `WITH woken AS (
    UPDATE webhook_flows SET queued = true, wake_at = now() + ${queuedFor('webhook_flows')}
    WHERE endpoint_id = ANY (ARRAY(
      SELECT endpoint_id FROM webhook_flows WHERE wake_at <= now()
      ORDER BY wake_at LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED
    ))
    RETURNING endpoint_id, ${healthOfFlow('webhook_flows')} AS health
  ), due AS (
    SELECT woken.endpoint_id AS "endpointId", endpoint.workspace_id AS "workspaceId", woken.health
    FROM woken CROSS JOIN LATERAL (
      SELECT workspace_id FROM webhook_endpoints WHERE id = woken.endpoint_id LIMIT 1
    ) endpoint
  )
  SELECT (SELECT coalesce(json_agg(due), '[]') FROM due) AS turns,
    EXISTS (
      SELECT FROM webhook_replays WHERE status = 'running' AND next_step_at <= now()
    ) AS "hasReplays",
    extract(epoch FROM least(
      (SELECT wake_at FROM webhook_flows WHERE wake_at > now() ORDER BY wake_at LIMIT 1),
      (SELECT next_step_at FROM webhook_replays WHERE status = 'running' AND next_step_at > now()
       ORDER BY next_step_at LIMIT 1)
    ) - now())::float8 * 1000 AS "nextIn"`;

// Seconds. Long enough that other attempts of this worker end meanwhile.
const RELEASED_FOR = 2;
// Seconds. A proxy or name servers that cannot be reached will rarely be back sooner. The window of 1
// makes the endpoint one that has not been tried, of which a worker begins few attempts in a second.
const RELEASED_FOR_ALL = 10;

const RELEASE = `WITH released AS (
    UPDATE webhook_deliveries SET claimed_until = NULL,
      due_at = now() + (0.5 + random()) * interval '1 second'
        * CASE WHEN $4 THEN ${RELEASED_FOR_ALL} ELSE ${RELEASED_FOR} END
    WHERE endpoint_id = $1 AND id = $2 AND claims = $3 AND claimed_until > now()
    RETURNING due_at
  )
  UPDATE webhook_flows SET in_flight = greatest(0, in_flight - 1),
    window_size = CASE WHEN $4 THEN 1 ELSE window_size END,
    wake_at = least(wake_at, (SELECT due_at FROM released))
  WHERE endpoint_id = $1 AND EXISTS (SELECT FROM released)`;

const DELETED_AMONG = `SELECT attempt.number::integer
  FROM unnest($1::uuid[], $2::boolean[]) WITH ORDINALITY
    AS attempt (endpoint_id, was_workspace_deleted, number)
  LEFT JOIN LATERAL (
    SELECT id, workspace_deleted_at FROM webhook_endpoints WHERE id = attempt.endpoint_id LIMIT 1
  ) endpoint ON true
  WHERE endpoint.id IS NULL
    OR endpoint.workspace_deleted_at IS NOT NULL AND NOT attempt.was_workspace_deleted`;

interface Swept {
  turns: DueEndpoint[];
  nextIn: number | null;
  /** A replay is to be carried on. */
  hasReplays: boolean;
}

/**
 * Endpoints take turns. The queue holds endpoints, not deliveries: what is due to one is found when
 * its turn has come, a share of it is taken up, and it goes to the end of the queue again. So one
 * with a long backlog delays no other, and how much is under way to it is known, whoever sends it.
 */
@Injectable()
export class Turns {
  private readonly claims = new Batch((turns: Turn[]) => this.claimAll(turns));

  constructor(private readonly database: Database) {}

  /**
   * Finds the endpoints at which it is time to look: a retry is due, or a crash, a lost job or an
   * emptied queue has left something behind. Also gives in how many milliseconds to look again, as
   * far as is known.
   */
  async sweep(): Promise<Swept> {
    const [swept] = await this.database.query<Swept>(SWEEP);
    if (swept === undefined) throw new Error('A statement without FROM gave no row.');
    return swept.turns.length === SWEEP_BATCH ? { ...swept, nextIn: 0 } : swept;
  }

  /** Takes up what is due to an endpoint, as far as there is room and the endpoint bears it. */
  async claim(endpointId: string, room: number): Promise<Claimed> {
    const claimed = await this.claims.add({ id: endpointId, room });
    return claimed ?? { deliveries: [], again: false, pausedFor: null };
  }

  /**
   * Deletes what could not be delivered in so many days, which is longer than any schedule: its
   * endpoint was disabled all the time.
   */
  async forget(days: number): Promise<void> {
    const endpoints = await this.database.query<{ id: string }>(
      `SELECT endpoint_id AS id FROM webhook_flows flow WHERE EXISTS (
         SELECT FROM webhook_deliveries WHERE endpoint_id = flow.endpoint_id
           AND id < (SELECT uuidv7_at(now() - $1 * interval '1 day'))
       )`,
      [days],
    );
    for (const { id } of endpoints) {
      for (let last = FORGET_BATCH; last === FORGET_BATCH;) {
        const [row] = await this.database.together<{ count: number }>(
          [LOCK_FLOWS, [[id]]],
          [FORGET, [id, days]],
        );
        last = row?.count ?? 0;
      }
    }
  }

  /**
   * Gives back a delivery that could not be sent for a reason of the worker. It costs no attempt.
   * @param concernsAll whether deliveries to all endpoints fail, and all wait longer for the next try.
   */
  async release({ endpointId, id, claim }: ClaimedDelivery, concernsAll: boolean): Promise<void> {
    await this.database.together(
      [LOCK_FLOWS, [[endpointId]]],
      [RELEASE, [endpointId, id, claim, concernsAll]],
    );
  }

  /**
   * Returns the indices of the deliveries whose endpoint, or its workspace, was deleted after they were
   * claimed. Deliveries that were claimed later notify the endpoint of what was deleted with its
   * workspace. Times are not compared: a deletion may begin before an attempt and commit after it.
   */
  async deletedAmong(
    deliveries: readonly Pick<ClaimedDelivery, 'endpointId' | 'isWorkspaceDeleted'>[],
  ): Promise<number[]> {
    const rows = await this.database.query<{ number: number }>(DELETED_AMONG, [
      deliveries.map(({ endpointId }) => endpointId),
      deliveries.map(({ isWorkspaceDeleted }) => isWorkspaceDeleted),
    ]);
    return rows.map(({ number }) => number - 1);
  }

  private async claimAll(turns: Turn[]): Promise<Map<string, Claimed>> {
    const endpoints = turns.map(({ id }) => id);
    const rows = await this.database.together<ClaimedRow>(
      [LOCK_FLOWS, [endpoints]],
      [CLAIM, [endpoints, turns.map(({ room }) => room)]],
    );
    const claimed = new Map<string, Claimed>();
    for (const { again, pausedFor, ...row } of rows) {
      const turn = claimed.get(row.endpointId) ?? { deliveries: [], again, pausedFor };
      claimed.set(row.endpointId, turn);
      if (row.id !== null) turn.deliveries.push(row);
    }
    return claimed;
  }
}
