-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- STEP_REPLAY (libs/webhooks/delivery/replays/step-replay.sql.ts)
-- Parameters: $1 uuid, $2 double precision
-- Writes: Insert webhook_deliveries, Update webhook_replays, Update webhook_traffic
-- Locks: webhook_replays FOR UPDATE SKIP LOCKED
WITH replay AS (
    SELECT * FROM webhook_replays WHERE id = $1 AND status = 'running' AND next_step_at <= now()
    FOR UPDATE SKIP LOCKED
  ), capacity AS (
    SELECT least(100 - count(*) FILTER (WHERE due_at < 'infinity'),
      1000 - count(*)) AS size
    FROM webhook_deliveries WHERE replay_id = $1 AND attempts = 0
  ), scanned AS (
    SELECT log.*, (replay.events IS NULL
    OR replay.events && ARRAY[log.kind, split_part(log.kind, '.', 1) || '.*', '*'])
  AND (replay.resource_id IS NULL OR log.resource_id = replay.resource_id)
  AND (replay.statuses IS NULL OR log.status = ANY (replay.statuses))
  AND log.replay_id IS NULL
      AND log.finished_at <= replay.created_at
      AND log.event_relayed_at > now() - $2 * interval '1 day' AS matches
    FROM replay CROSS JOIN capacity CROSS JOIN LATERAL (
      SELECT * FROM webhook_delivery_log log WHERE log.endpoint_id = replay.endpoint_id
        AND log.id > replay.reached AND log.id < replay.end_id
      ORDER BY log.id LIMIT CASE WHEN capacity.size > 0 THEN 5000 ELSE 0 END
    ) log
  ), matched AS (
    SELECT *, row_number() OVER (ORDER BY id) AS rank FROM scanned WHERE matches
  ), chosen AS (
    SELECT * FROM matched WHERE rank <= (SELECT size FROM capacity)
  ), step AS (
    SELECT (SELECT count(*) FROM chosen) AS done,
      capacity.size <= 0 OR (SELECT count(*) FROM matched) > capacity.size AS is_full,
      (SELECT count(*) FROM scanned) < 5000 AS is_end
    FROM replay CROSS JOIN capacity
  ), inserted AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, due_at, replay_id, is_ordered)
    SELECT endpoint_id, uuidv7_at(now()), workspace_id, event_position, event_relayed_at, event_id,
      kind, resource_id, sequence, now(), $1,
      (SELECT ordered FROM webhook_endpoints WHERE id = chosen.endpoint_id)
    FROM chosen
  ), progress AS (
    UPDATE webhook_replays replay SET done = replay.done + step.done,
      reached = coalesce(CASE WHEN step.is_full
        THEN (SELECT id FROM chosen ORDER BY id DESC LIMIT 1)
        ELSE (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) END, replay.reached),
      status = CASE WHEN step.is_end AND NOT step.is_full THEN 'done' ELSE 'running' END,
      finished_at = CASE WHEN step.is_end AND NOT step.is_full THEN now() END,
      stalls = CASE WHEN step.is_full AND step.done = 0 THEN stalls + 1 ELSE 0 END,
      next_step_at = now() + CASE WHEN step.is_full AND step.done = 0
        THEN least(interval '50 milliseconds' * 2 ^ least(stalls, 11), interval '1 minute')
        ELSE interval '50 milliseconds' END
    FROM step WHERE replay.id = $1
  ), queued AS (UPDATE webhook_traffic SET queued = true, wake_at = now() + CASE WHEN CASE WHEN webhook_traffic.opened = 0 AND webhook_traffic.window_size > 1 THEN 'healthy'
    WHEN webhook_traffic.failures = 0 AND webhook_traffic.opened = 0 THEN 'unproven' ELSE 'failing' END = 'healthy'
    THEN interval '20 seconds' ELSE interval '1 minute' END
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM webhook_traffic
     WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM chosen)) AND NOT queued AND in_flight < window_size AND open_until <= now()))
    RETURNING endpoint_id, CASE WHEN webhook_traffic.opened = 0 AND webhook_traffic.window_size > 1 THEN 'healthy'
    WHEN webhook_traffic.failures = 0 AND webhook_traffic.opened = 0 THEN 'unproven' ELSE 'failing' END AS health)
  SELECT endpoint_id AS "endpointId", health,
    (SELECT workspace_id FROM chosen LIMIT 1) AS "workspaceId"
  FROM queued;

-- COUNT_CHUNK (libs/webhooks/endpoints/count-secrets-by-key.ts)
-- Parameters: $1 uuid
WITH chunk AS (
    SELECT id, concat_ws(' ', encrypted_secret, encrypted_headers, earlier_secrets::text) AS encrypted
    FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT 5000
  )
  SELECT (SELECT id FROM chunk ORDER BY id DESC LIMIT 1) AS last,
    (SELECT count(*)::integer FROM chunk) AS size, found.key_id AS "keyId", count(*)::integer AS count
  FROM chunk, LATERAL (
    SELECT DISTINCT match[2] AS key_id
    FROM regexp_matches(encrypted, '(^|[ "])([0-9a-f]{8})\.', 'g') AS match
  ) found
  GROUP BY found.key_id;

-- findEncryptedWithOldKey (libs/webhooks/endpoints/endpoint-secrets.ts)
-- Parameters: $1 text, $2 uuid
SELECT id, encrypted_secret AS secret, encrypted_headers AS headers,
         earlier_secrets AS "previousSecrets"
       FROM webhook_endpoints
       WHERE id > $2 AND concat_ws(' ', encrypted_secret, encrypted_headers, earlier_secrets::text)
         ~ ('(^|[ "])(?!' || $1 || ')[0-9a-f]{8}\.')
       ORDER BY id LIMIT 200;

-- LOCK_ENDPOINT (libs/webhooks/endpoints/endpoint.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone[]
-- Locks: webhook_endpoints FOR UPDATE
SELECT FROM webhook_endpoints WHERE id = $1 AND ($2::timestamptz[] IS NULL OR updated_at = ANY ($2)) FOR UPDATE;

-- selectPage (libs/webhooks/endpoints/list-endpoints.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
   LEFT JOIN LATERAL (
     SELECT endpoint.id, endpoint.workspace_id AS "workspaceId", endpoint.url,
  endpoint.events, endpoint.resource_ids AS "resourceIds", endpoint.description,
  endpoint.encrypted_headers AS "encryptedHeaders", endpoint.rate_limit AS "rateLimit", endpoint.ordered,
  endpoint.status, endpoint.status_reason AS "statusReason", endpoint.status_since AS "statusSince",
  endpoint.created_at AS "createdAt", endpoint.updated_at AS "updatedAt" FROM webhook_endpoints endpoint
     WHERE endpoint.workspace_id = member.workspace_id
       AND (endpoint.updated_at, endpoint.id) < ($3, $4)
     ORDER BY endpoint.updated_at DESC, endpoint.id DESC LIMIT $5
   ) page ON true
   
   WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- deleteFinished (libs/webhooks/endpoints/orphaned-endpoints.ts)
SELECT id FROM webhook_endpoints endpoint WHERE workspace_deleted_at IS NOT NULL
           -- A plan for EXISTS that was made while these tables were empty would read all rows; count() avoids that.
           AND 0 = (SELECT count(*) FROM (
             SELECT FROM outbox WHERE workspace_id = endpoint.workspace_id LIMIT 1) event)
           AND (status = 'disabled' OR 0 = (SELECT count(*) FROM (
             SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id LIMIT 1) delivery))
         ORDER BY workspace_deleted_at LIMIT 100;

-- INSERT_ENDPOINT (libs/webhooks/endpoints/write-endpoint.sql.ts)
-- Parameters: $1 uuid, $2 uuid, $3 uuid, $4 text, $5 text[], $6 uuid[], $7 text, $8 text, $9 integer, $10 boolean, $11 text, $12 bigint
-- Writes: Insert webhook_endpoints, Insert webhook_traffic
WITH caller AS (
    SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
  ), endpoint AS (
    INSERT INTO webhook_endpoints (id, workspace_id, url, events, resource_ids, description,
      encrypted_headers, rate_limit, ordered, encrypted_secret)
    SELECT $3, "foundId", $4, $5, $6, $7, $8, $9, $10, $11 FROM caller
    WHERE "isCallerActive" AND "callerRole" IN ('admin', 'owner') AND $12 > (
      SELECT count(*) FROM (
        SELECT FROM webhook_endpoints WHERE workspace_id = "foundId" LIMIT $12
      ) existing
    )
    RETURNING *
  ), traffic AS (
    INSERT INTO webhook_traffic (endpoint_id) SELECT id FROM endpoint
  )
  SELECT "isCallerActive", "callerRole", "foundId", endpoint.id, endpoint.workspace_id AS "workspaceId", endpoint.url,
  endpoint.events, endpoint.resource_ids AS "resourceIds", endpoint.description,
  endpoint.encrypted_headers AS "encryptedHeaders", endpoint.rate_limit AS "rateLimit", endpoint.ordered,
  endpoint.status, endpoint.status_reason AS "statusReason", endpoint.status_since AS "statusSince",
  endpoint.created_at AS "createdAt", endpoint.updated_at AS "updatedAt"
  FROM caller LEFT JOIN endpoint ON true;

-- LOCK_WORKSPACE_AS_ADMIN (libs/webhooks/endpoints/write-endpoint.sql.ts)
-- Parameters: $1 uuid, $2 uuid
-- Locks: users FOR NO KEY UPDATE
SELECT FROM workspaces WHERE id = $1 AND EXISTS (
    SELECT FROM workspace_members member JOIN users caller ON caller.id = member.user_id
    WHERE member.workspace_id = $1 AND member.user_id = $2 AND caller.status = 'active'
      AND member.role IN ('admin', 'owner')
  ) FOR NO KEY UPDATE;

-- sendTest (libs/webhooks/history/delivery-actions.ts)
-- Parameters: $1 uuid
-- Writes: Update webhook_endpoints
UPDATE webhook_endpoints SET sequence = sequence + 1 WHERE id = $1
         RETURNING uuidv7_at(now()) AS id, sequence, now() AS "createdAt";

-- read (libs/webhooks/history/event-feed.ts)
-- Parameters: $1 uuid, $2 uuid, $3 bigint, $4 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
       LEFT JOIN LATERAL (
         SELECT position::float8 AS position, id, kind AS event, occurred_at AS timestamp,
           resource_id AS "resourceId", sequence,
           CASE WHEN kind LIKE 'webhook.%' AND member.role NOT IN ('admin', 'owner')
             THEN json_build_object('id', resource_id, 'workspaceId', events.workspace_id)
             ELSE data END AS data,
           relayed_at < now() - interval '1 second' AS "isDurable"
         FROM events
         WHERE workspace_id = member.workspace_id AND events.position > $3
         ORDER BY events.position LIMIT $4
       ) page ON true
       WHERE caller.id = $1 ORDER BY page.position;

-- start (libs/webhooks/history/replays.ts)
-- Parameters: $1 uuid, $2 uuid, $3 uuid, $4 uuid, $5 text[], $6 uuid, $7 text[], $8 integer
-- Writes: Insert webhook_replays
INSERT INTO webhook_replays AS replay
           (id, endpoint_id, reached, end_id, events, resource_id, statuses, total)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (endpoint_id) WHERE status = 'running' DO NOTHING
         RETURNING replay.id, replay.status, replay.total, replay.done,
  replay.created_at AS "createdAt", replay.finished_at AS "finishedAt";

-- CLAIM_DELIVERIES (libs/webhooks/pipeline/claim-deliveries.sql.ts)
-- Parameters: $1 uuid[], $2 integer[]
-- Writes: Update webhook_deliveries, Update webhook_traffic
WITH allowance AS (
    SELECT requested.endpoint_id, requested.claim_limit, traffic.window_size, traffic.open_until,
      traffic.claimed_until, traffic.is_draining, endpoint.status = 'disabled' AS is_disabled,
      endpoint.status_since, endpoint.ordered, pace.per_second, pace.paced_until,
      lease.is_lease_lost, lease.in_flight_before, slots.capacity,
      greatest(0, least(slots.capacity, 1 + floor(
        extract(epoch FROM now() + interval '100 milliseconds' - pace.paced_until) * pace.per_second
      )))::integer AS claimable
    FROM unnest($1::uuid[], $2::integer[]) AS requested (endpoint_id, claim_limit)
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_traffic WHERE endpoint_id = requested.endpoint_id LIMIT 1
    ) traffic
    CROSS JOIN LATERAL (
      SELECT status, status_since, rate_limit, ordered FROM webhook_endpoints
      WHERE id = requested.endpoint_id LIMIT 1
    ) endpoint
    CROSS JOIN LATERAL (
      SELECT least(endpoint.rate_limit, CASE WHEN traffic.is_draining THEN 50 END)
        AS per_second, greatest(traffic.paced_until, now()) AS paced_until
    ) pace
    CROSS JOIN LATERAL (
      SELECT traffic.claimed_until <= now() AND traffic.in_flight > 0 AS is_lease_lost,
        CASE WHEN traffic.claimed_until <= now() THEN 0 ELSE traffic.in_flight END
          AS in_flight_before
    ) lease
    CROSS JOIN LATERAL (
      SELECT CASE WHEN endpoint.status = 'disabled' OR traffic.open_until > now() THEN 0
        ELSE greatest(0, least(requested.claim_limit, traffic.window_size - lease.in_flight_before))
        END AS capacity
    ) slots
  ), plan AS (
    SELECT allowance.*, due.rows, due.blocked, due.rows <> '{}' AS claims_some,
      in_flight_before + due.fresh AS in_flight_after,
      -- Whether more deliveries are due and may be sent now. Either the worker's free slots have limited the
      -- claim, and not the window or the rate. Or the claim has read blocked deliveries, and the window has
      -- room for others.
      due.has_more AND (
        claimable = claim_limit AND in_flight_before + claimable < window_size
        OR due.blocked IS NOT NULL AND claimable > 0
          AND in_flight_before + due.fresh < window_size
      ) AS has_more,
      is_draining AND due.has_more AND due.oldest < status_since AS still_draining,
      paced_until + coalesce(cardinality(due.rows) * interval '1 second' / per_second,
        interval '0') AS next_paced_until,
      due.has_more AND claimable < capacity AS is_paced
    FROM allowance
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(row) FILTER (WHERE rank <= claimable AND is_first), '{}') AS rows,
        array_agg(row) FILTER (WHERE NOT is_first) AS blocked,
        count(*) FILTER (WHERE rank <= claimable AND is_first AND is_fresh) AS fresh,
        count(*) > claimable AS has_more, min(due_at) AS oldest
      FROM (
        SELECT ctid AS row, due_at, delivery.claimed_until IS NULL OR is_lease_lost AS is_fresh,
          row_number() OVER (ORDER BY due_at) AS rank,
          NOT (is_ordered AND allowance.ordered) OR NOT EXISTS (
            SELECT FROM webhook_deliveries earlier
            WHERE earlier.endpoint_id = delivery.endpoint_id AND earlier.is_ordered
              AND earlier.resource_id = delivery.resource_id
              AND earlier.event_position < delivery.event_position
          ) AS is_first
        FROM webhook_deliveries delivery
        WHERE endpoint_id = allowance.endpoint_id AND due_at > '-infinity' AND due_at <= now()
          AND (delivery.claimed_until IS NULL OR delivery.claimed_until <= now())
        ORDER BY due_at LIMIT claimable + 1
      ) delivery
    ) due
  ), expired AS (
    -- If all leases of an endpoint have expired, its traffic no longer counts these deliveries as in flight.
    -- Without a lease, a delivery is counted again when it is claimed. Deliveries with an expired lease have
    -- been due longest, so the LIMIT includes them.
    UPDATE webhook_deliveries SET claimed_until = NULL WHERE ctid = ANY (ARRAY(
      SELECT delivery.ctid FROM plan CROSS JOIN LATERAL (
        SELECT ctid, claimed_until FROM webhook_deliveries
        WHERE endpoint_id = plan.endpoint_id AND due_at > '-infinity' AND due_at <= now()
        ORDER BY due_at LIMIT 200
      ) delivery
      WHERE plan.is_lease_lost AND delivery.claimed_until <= now()
        AND delivery.ctid <> ALL (plan.rows || plan.blocked)
    ))
  ), blocked AS (
    -- A blocked delivery is due at 'infinity' until the earlier delivery has finished. Otherwise, each claim
    -- would read the blocked delivery again.
    UPDATE webhook_deliveries SET due_at = 'infinity'
    WHERE ctid = ANY (ARRAY(SELECT unnest(blocked) FROM plan))
  ), claimed AS (
    UPDATE webhook_deliveries
    SET claims = claims + 1, claimed_until = now() + interval '20000 milliseconds'
    WHERE ctid = ANY (ARRAY(SELECT unnest(rows) FROM plan))
    RETURNING *
  ), traffic AS (
    UPDATE webhook_traffic traffic SET (in_flight, claimed_until, queued, is_draining, paced_until,
      wake_at) = (
      SELECT plan.in_flight_after,
        CASE WHEN plan.claims_some THEN now() + interval '20000 milliseconds' ELSE plan.claimed_until END,
        plan.has_more, plan.still_draining, plan.next_paced_until,
        CASE
          WHEN plan.is_disabled THEN NULL
          WHEN plan.open_until > now() THEN plan.open_until
          WHEN plan.has_more THEN now() + interval '20 seconds'
          ELSE least(
            CASE WHEN plan.claims_some THEN now() + interval '20000 milliseconds'
              WHEN plan.in_flight_after > 0 THEN plan.claimed_until END,
            CASE WHEN plan.is_paced THEN
              greatest(plan.next_paced_until - interval '100 milliseconds', now() + interval '10 milliseconds') END,
            (SELECT due_at FROM webhook_deliveries WHERE endpoint_id = plan.endpoint_id
             AND due_at > '-infinity' AND due_at > now() AND due_at < 'infinity'
             ORDER BY due_at LIMIT 1))
        END
      FROM plan plan WHERE plan.endpoint_id = traffic.endpoint_id
    )
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM plan))
  )
  SELECT plan.endpoint_id AS "endpointId", plan.has_more AS "hasMore",
    CASE WHEN plan.is_paced THEN
      extract(epoch FROM plan.next_paced_until - interval '100 milliseconds' - now())::float8 * 1000
    END AS "pausedForMs", delivery.*
  FROM plan LEFT JOIN LATERAL (
    SELECT claimed.id, claimed.claims AS "claimNumber", claimed.attempts,
      claimed.workspace_id AS "workspaceId", endpoint.url,
      endpoint.encrypted_secret AS "encryptedSecret", endpoint.earlier_secrets AS "previousSecrets",
      endpoint.encrypted_headers AS "encryptedHeaders",
      endpoint.workspace_deleted_at IS NOT NULL AS "isWorkspaceDeleted",
      claimed.replay_id IS NOT NULL AS "isReplay",
      claimed.event_id AS "eventId", claimed.kind, claimed.sequence,
      event.occurred_at AS "occurredAt", event.data::text AS data, event.traceparent
    FROM claimed
    CROSS JOIN LATERAL (
      SELECT url, encrypted_secret, earlier_secrets, encrypted_headers, workspace_deleted_at
      FROM webhook_endpoints WHERE id = claimed.endpoint_id LIMIT 1
    ) endpoint
    LEFT JOIN LATERAL (
      SELECT occurred_at, data, traceparent FROM events WHERE workspace_id = claimed.workspace_id
        AND position = claimed.event_position AND relayed_at = claimed.event_relayed_at LIMIT 1
    ) event ON true
    WHERE claimed.endpoint_id = plan.endpoint_id
  ) delivery ON true;

-- SWEEP_DUE_ENDPOINTS (libs/webhooks/pipeline/claims.ts)
-- Writes: Update webhook_traffic
-- Locks: webhook_traffic FOR UPDATE SKIP LOCKED
WITH woken AS (UPDATE webhook_traffic SET queued = true, wake_at = now() + CASE WHEN CASE WHEN webhook_traffic.opened = 0 AND webhook_traffic.window_size > 1 THEN 'healthy'
    WHEN webhook_traffic.failures = 0 AND webhook_traffic.opened = 0 THEN 'unproven' ELSE 'failing' END = 'healthy'
    THEN interval '20 seconds' ELSE interval '1 minute' END
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM webhook_traffic WHERE wake_at <= now()
     ORDER BY wake_at LIMIT 100 FOR UPDATE SKIP LOCKED))
    RETURNING endpoint_id, CASE WHEN webhook_traffic.opened = 0 AND webhook_traffic.window_size > 1 THEN 'healthy'
    WHEN webhook_traffic.failures = 0 AND webhook_traffic.opened = 0 THEN 'unproven' ELSE 'failing' END AS health
  ), due AS (
    SELECT woken.endpoint_id AS "endpointId", endpoint.workspace_id AS "workspaceId", woken.health
    FROM woken CROSS JOIN LATERAL (
      SELECT workspace_id FROM webhook_endpoints WHERE id = woken.endpoint_id LIMIT 1
    ) endpoint
  )
  SELECT (SELECT coalesce(json_agg(due), '[]') FROM due) AS "dueEndpoints",
    extract(epoch FROM (SELECT wake_at FROM webhook_traffic
  WHERE wake_at > now() ORDER BY wake_at LIMIT 1) - now())::float8 * 1000 AS "nextSweepInMs";

-- RECORD_ATTEMPTS (libs/webhooks/pipeline/record-attempts.sql.ts)
-- Parameters: $1 uuid[], $2 uuid[], $3 integer[], $4 text[], $5 timestamp with time zone[], $6 integer[], $7 integer[], $8 text[], $9 text[], $10 json[], $11 json[], $12 text[], $13 integer[], $14 integer[], $15 text[], $16 uuid[]
-- Writes: Delete webhook_deliveries, Insert webhook_attempts, Insert webhook_delivery_log, Insert webhook_statistics, Update webhook_deliveries, Update webhook_traffic
WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::timestamptz[],
      $6::integer[], $7::integer[], $8::text[], $9::text[], $10::json[], $11::json[], $12::text[],
      $13::integer[], $14::integer[], $15::text[], $16::uuid[]) AS input (endpoint_id, delivery_id,
      claim, status, started_at, duration_ms, status_code, stage, error, request_headers,
      response_headers, response_body, retry_in, retry_after, url, workspace_id)
  ), inserted AS (
    INSERT INTO webhook_attempts (delivery_id, claim, started_at, duration_ms, status_code, stage,
      error, request_headers, response_headers, response_body, url)
    SELECT delivery_id, claim, started_at, duration_ms, status_code, stage, error, request_headers,
      response_headers, response_body, url FROM input
    ON CONFLICT DO NOTHING
    RETURNING delivery_id
  ), attempt AS (
    SELECT input.endpoint_id, input.workspace_id, input.delivery_id, input.claim, input.status,
      input.stage, input.duration_ms, input.retry_in, input.retry_after,
      -- The stage 'event' means that the event is no longer kept, which is not a failure of the receiver.
      input.status <> 'delivered' AND input.stage IS DISTINCT FROM 'event' AS is_failure,
      delivery.row, delivery.row IS NULL AS is_over, delivery.claims = input.claim AS is_latest,
      input.status = 'delivered' OR (input.status = 'failed' AND delivery.claims = input.claim)
        AS is_last
    FROM input JOIN inserted ON inserted.delivery_id = input.delivery_id
    LEFT JOIN LATERAL (
      SELECT ctid AS row, claims FROM webhook_deliveries
      WHERE endpoint_id = input.endpoint_id AND id = input.delivery_id LIMIT 1
    ) delivery ON true
  ), finished AS (
    DELETE FROM webhook_deliveries
    WHERE ctid = ANY (ARRAY(SELECT row FROM attempt WHERE is_last))
    RETURNING *
  ), released AS (
    UPDATE webhook_deliveries
  SET due_at = now() WHERE ctid = ANY (ARRAY(
    SELECT next.ctid FROM finished finished CROSS JOIN LATERAL (
      SELECT ctid, due_at FROM webhook_deliveries WHERE endpoint_id = finished.endpoint_id AND is_ordered
        AND resource_id = finished.resource_id AND event_position > finished.event_position
      ORDER BY event_position FETCH FIRST ROW WITH TIES
    ) next WHERE finished.is_ordered AND next.due_at = 'infinity'
  ))
  RETURNING endpoint_id
  ), logged AS (
    INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, status, attempts, replay_id)
    SELECT finished.endpoint_id, id, finished.workspace_id, event_position, event_relayed_at,
      event_id, kind, resource_id, sequence, attempt.status, attempts + 1, replay_id
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
      max(retry_after) * interval '1 millisecond' AS retry_after,
      -- Attempts that are recorded together ended at about the same time, so any failed attempt can stand
      -- for the last one.
      (array_agg(delivery_id) FILTER (WHERE status <> 'delivered'))[1] AS failed_delivery_id,
      (array_agg(claim) FILTER (WHERE status <> 'delivered'))[1] AS failed_claim
    FROM attempt GROUP BY endpoint_id
  ), statistics AS (
    INSERT INTO webhook_statistics AS stored (subject_id, interval_start,
      attempts, delivered, failed, retried, within_1, within_2, within_4, within_8, within_16, within_32, within_64, within_128, within_256, within_512, within_1024, within_2048, within_4096, within_8192, within_15000, longer)
    SELECT coalesce(endpoint_id, workspace_id), date_bin('5 minutes', now(), 'epoch'), count(*),
      count(*) FILTER (WHERE NOT is_over AND is_last AND status = 'delivered'),
      count(*) FILTER (WHERE NOT is_over AND is_last AND status = 'failed'),
      count(*) FILTER (WHERE NOT is_over AND NOT is_last),
      count(*) FILTER (WHERE bucket = 0), count(*) FILTER (WHERE bucket = 1), count(*) FILTER (WHERE bucket = 2), count(*) FILTER (WHERE bucket = 3), count(*) FILTER (WHERE bucket = 4), count(*) FILTER (WHERE bucket = 5), count(*) FILTER (WHERE bucket = 6), count(*) FILTER (WHERE bucket = 7), count(*) FILTER (WHERE bucket = 8), count(*) FILTER (WHERE bucket = 9), count(*) FILTER (WHERE bucket = 10), count(*) FILTER (WHERE bucket = 11), count(*) FILTER (WHERE bucket = 12), count(*) FILTER (WHERE bucket = 13), count(*) FILTER (WHERE bucket = 14), count(*) FILTER (WHERE bucket = 15)
    FROM (
      SELECT *, CASE WHEN stage IS NULL OR stage IN ('first-byte', 'status')
    THEN width_bucket(duration_ms - 1, '{1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,15000}'::integer[]) END AS bucket FROM attempt
    ) attempt
    GROUP BY GROUPING SETS ((endpoint_id), (workspace_id))
    ORDER BY coalesce(endpoint_id, workspace_id)
    ON CONFLICT (subject_id, interval_start) DO UPDATE SET
      attempts = stored.attempts + excluded.attempts, delivered = stored.delivered + excluded.delivered, failed = stored.failed + excluded.failed, retried = stored.retried + excluded.retried, within_1 = stored.within_1 + excluded.within_1, within_2 = stored.within_2 + excluded.within_2, within_4 = stored.within_4 + excluded.within_4, within_8 = stored.within_8 + excluded.within_8, within_16 = stored.within_16 + excluded.within_16, within_32 = stored.within_32 + excluded.within_32, within_64 = stored.within_64 + excluded.within_64, within_128 = stored.within_128 + excluded.within_128, within_256 = stored.within_256 + excluded.within_256, within_512 = stored.within_512 + excluded.within_512, within_1024 = stored.within_1024 + excluded.within_1024, within_2048 = stored.within_2048 + excluded.within_2048, within_4096 = stored.within_4096 + excluded.within_4096, within_8192 = stored.within_8192 + excluded.within_8192, within_15000 = stored.within_15000 + excluded.within_15000, longer = stored.longer + excluded.longer
  ), counted AS (
    SELECT traffic.*, tally.retry_in, tally.retry_after, tally.failed_delivery_id,
      tally.failed_claim, endpoint.status, attempts.succeeded, attempts.failed,
      greatest(0, traffic.in_flight - tally.ended) AS still_in_flight,
      CASE WHEN attempts.succeeded THEN 0 ELSE traffic.failures + tally.failures END
        AS failures_in_a_row,
      CASE WHEN traffic.failed_at >= now() - interval '36 hours'
        THEN coalesce(traffic.failing_since, now()) ELSE now() END AS streak_since,
      CASE
        WHEN tally.retry_after > interval '0' THEN 1
        WHEN attempts.failed THEN greatest(1, traffic.window_size / 2)
        WHEN traffic.in_flight < traffic.window_size / 2 THEN traffic.window_size
        ELSE least(100, traffic.window_size + tally.successes)
      END AS next_window_size,
      attempts.failed AND traffic.open_until <= now()
        AND traffic.failures + tally.failures >= 5 AS should_open
    FROM tally tally
    CROSS JOIN LATERAL (
      SELECT tally.successes > 0 AS succeeded, tally.successes = 0 AND tally.failures > 0 AS failed
    ) attempts
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_traffic WHERE endpoint_id = tally.endpoint_id LIMIT 1
    ) traffic
    CROSS JOIN LATERAL (
      SELECT status FROM webhook_endpoints WHERE id = tally.endpoint_id LIMIT 1
    ) endpoint
  ), paused AS (
    SELECT counted.*, greatest(now() + retry_after, breaker.until) AS paused_until,
      CASE WHEN now() + retry_after >= breaker.until THEN true WHEN should_open THEN false
        ELSE is_pause_requested END AS is_next_pause_requested
    FROM counted
    CROSS JOIN LATERAL (
      SELECT CASE
        -- A success ends the pause of the breaker. A pause that the receiver has asked for continues.
        WHEN succeeded AND NOT is_pause_requested THEN '-infinity'
        WHEN should_open THEN now() + (0.8 + 0.4 * random())
          * least(interval '5 seconds' * 2 ^ least(opened, 10),
            interval '5 minutes')
        ELSE open_until
      END AS until
    ) breaker
  ), decided AS (
    SELECT paused.*, paused_until <= now() AND NOT queued
      AND still_in_flight <= next_window_size / 2
      AND (endpoint_id IN (SELECT endpoint_id FROM released) OR (
        SELECT count(*) > 0 FROM (
          SELECT FROM webhook_deliveries delivery WHERE delivery.endpoint_id = paused.endpoint_id
            AND due_at > '-infinity' AND due_at <= now() AND delivery.claimed_until IS NULL LIMIT 1
        ) due
      )) AS should_claim_next,
      CASE
        WHEN status = 'disabled' THEN NULL
        WHEN succeeded AND status = 'failing' THEN 'active'
        WHEN NOT failed THEN NULL
        WHEN streak_since < now() - interval '5 days' THEN 'disabled'
        WHEN failures_in_a_row >= 5 AND status = 'active' THEN 'failing'
      END AS new_status,
      CASE WHEN should_open THEN 1 ELSE next_window_size END AS final_window_size,
      CASE WHEN succeeded THEN 0 WHEN should_open THEN opened + 1 ELSE opened END AS final_opened
    FROM paused
  ), traffic AS (
    UPDATE webhook_traffic traffic SET (in_flight, failures, failing_since, failed_at, window_size,
      opened, open_until, is_pause_requested, last_failed_delivery_id, last_failed_claim, queued,
      wake_at) = (
      SELECT still_in_flight, failures_in_a_row,
        CASE WHEN failed THEN streak_since WHEN NOT succeeded THEN failing_since END,
        CASE WHEN failed THEN now() WHEN NOT succeeded THEN failed_at END,
        final_window_size, final_opened, paused_until, is_next_pause_requested,
        coalesce(failed_delivery_id, last_failed_delivery_id),
        coalesce(failed_claim, last_failed_claim), queued OR should_claim_next,
        CASE WHEN should_claim_next THEN now() + interval '20 seconds'
          WHEN paused_until > now() THEN paused_until
          -- The breaker has closed, and deliveries that it held up may be due.
          WHEN succeeded AND opened > 0 THEN now()
          ELSE least(wake_at, now() + retry_in) END
      FROM decided WHERE decided.endpoint_id = traffic.endpoint_id
    )
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM decided))
  )
  SELECT endpoint_id AS "endpointId",
    should_claim_next AS "shouldClaimNext", new_status AS "newStatus",
    CASE WHEN final_opened = 0 AND final_window_size > 1 THEN 'healthy'
    WHEN failures_in_a_row = 0 AND final_opened = 0 THEN 'unproven' ELSE 'failing' END AS health,
    failures_in_a_row::integer AS "consecutiveFailures", streak_since AS "failingSince"
  FROM decided WHERE should_claim_next OR new_status IS NOT NULL;

-- relayEvents (libs/webhooks/pipeline/relay-events.sql.ts)
-- Parameters: $1 uuid
-- Writes: Delete outbox, Insert events, Insert outbox, Insert webhook_deliveries, Update webhook_traffic, Update workspace_feeds
-- Locks: visited FOR UPDATE SKIP LOCKED, webhook_endpoints FOR KEY SHARE, delivery FOR UPDATE
WITH RECURSIVE visited AS (
    SELECT $1::uuid AS workspace_id, 0::float8 AS cost
    UNION ALL
    SELECT next.workspace_id, visited.cost + 20 / 10.0
    FROM visited CROSS JOIN LATERAL (
      SELECT workspace_id FROM outbox
      WHERE workspace_id > visited.workspace_id AND fanned_out_to IS NOT NULL
      ORDER BY workspace_id LIMIT 1
    ) next WHERE visited.cost < 20
  ), feed AS (
    SELECT workspace_id, position FROM workspace_feeds
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM visited)) FOR UPDATE SKIP LOCKED
  ), share AS MATERIALIZED (
    SELECT workspace_id, position, 100 / (SELECT count(*) FROM feed) AS fan_out,
      true AS is_wide, 1 AS events
    FROM feed
  ), taken AS (
    DELETE FROM outbox WHERE ctid = ANY (ARRAY(
      SELECT event.ctid FROM share CROSS JOIN LATERAL (
        SELECT ctid FROM outbox WHERE workspace_id = share.workspace_id
        ORDER BY number LIMIT share.events
      ) event
    ))
    RETURNING *
  ), event AS (
    SELECT taken.workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, fanned_out_to, taken.endpoint_id AS only_for, share.is_wide,
      share.fan_out, taken.position IS NULL AS is_new,
      coalesce(relayed_at, now()) AS relayed_at,
      coalesce(taken.position, share.position
        + count(*) FILTER (WHERE taken.position IS NULL) OVER same_workspace) AS position,
      row_number() OVER same_workspace = share.events AS has_more
    FROM taken JOIN share ON share.workspace_id = taken.workspace_id
    WINDOW same_workspace AS (PARTITION BY taken.workspace_id ORDER BY number)
  ), candidate AS (
    SELECT event.*, endpoint.id AS endpoint_id, endpoint.ordered,
      CASE WHEN event.only_for IS NULL THEN endpoint.events && ARRAY[event.kind, split_part(event.kind, '.', 1) || '.*', '*']
        AND coalesce(event.resource_id = ANY (endpoint.resource_ids), true)
        ELSE endpoint.id = event.only_for END AS matches
    FROM event CROSS JOIN LATERAL (
      -- With an equality of workspace_id, PostgreSQL might scan the index of ids, across all workspaces.
      SELECT id, events, resource_ids, ordered FROM webhook_endpoints
      WHERE (workspace_id, id) > (event.workspace_id, coalesce(event.fanned_out_to, '00000000-0000-0000-0000-000000000000'))
        AND workspace_id <= event.workspace_id
        AND (event.only_for IS NULL OR id = event.only_for)
      ORDER BY workspace_id, id LIMIT event.fan_out FOR KEY SHARE
    ) endpoint
  ), unfinished AS (
    INSERT INTO outbox (workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, endpoint_id, position, relayed_at, fanned_out_to)
    OVERRIDING SYSTEM VALUE
    SELECT workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, only_for, position, relayed_at, endpoint_id
    FROM (
      SELECT *, row_number() OVER (PARTITION BY workspace_id, number ORDER BY endpoint_id) AS rank
      FROM candidate WHERE is_wide
    ) candidate WHERE rank = fan_out
    RETURNING number
  ), published AS (
    INSERT INTO events (workspace_id, position, id, kind, resource_id, sequence, data,
      occurred_at, relayed_at, traceparent)
    SELECT workspace_id, position, id, kind, resource_id, sequence, data, occurred_at, relayed_at,
      traceparent
    FROM event WHERE is_new
  ), numbered AS (
    UPDATE workspace_feeds feed SET position = feed.position
      + (SELECT count(*) FROM event WHERE event.workspace_id = feed.workspace_id AND is_new)
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM event WHERE is_new))
  ), delivery AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, is_ordered, due_at)
    -- The delivery of a test gets the id of its event, because the API has already returned this id.
    SELECT endpoint_id, CASE WHEN only_for IS NULL THEN uuidv7_at(now()) ELSE id END,
      workspace_id, position, relayed_at, id, kind,
      resource_id, sequence, ordered, now()
    FROM candidate WHERE matches
    RETURNING endpoint_id
  ), traffic AS (SELECT endpoint_id, NOT queued AND in_flight < window_size AND open_until <= now() AS is_idle FROM webhook_traffic
    WHERE endpoint_id = ANY (ARRAY(SELECT DISTINCT endpoint_id FROM delivery)) ORDER BY endpoint_id FOR UPDATE
  ), queued AS (UPDATE webhook_traffic SET queued = true, wake_at = now() + CASE WHEN CASE WHEN webhook_traffic.opened = 0 AND webhook_traffic.window_size > 1 THEN 'healthy'
    WHEN webhook_traffic.failures = 0 AND webhook_traffic.opened = 0 THEN 'unproven' ELSE 'failing' END = 'healthy'
    THEN interval '20 seconds' ELSE interval '1 minute' END
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM traffic WHERE is_idle))
    RETURNING endpoint_id, CASE WHEN webhook_traffic.opened = 0 AND webhook_traffic.window_size > 1 THEN 'healthy'
    WHEN webhook_traffic.failures = 0 AND webhook_traffic.opened = 0 THEN 'unproven' ELSE 'failing' END AS health
  ), due_endpoint AS (
    SELECT endpoint_id AS "endpointId", health,
      (SELECT workspace_id FROM webhook_endpoints WHERE id = endpoint_id) AS "workspaceId"
    FROM queued
  )
  SELECT (SELECT workspace_id FROM visited WHERE cost >= 20) AS "resumeAfter",
    EXISTS (SELECT FROM event WHERE has_more) AS "hasMore",
    EXISTS (SELECT FROM outbox WHERE fanned_out_to IS NOT NULL) OR EXISTS (SELECT FROM unfinished)
      AS "hasUnfinished",
    (SELECT count(*) FROM event) > (SELECT count(*) FROM unfinished) AS "hasFinished",
    (SELECT count(*)::integer FROM event WHERE is_new) AS "relayedCount",
    (SELECT coalesce(json_agg(due_endpoint), '[]') FROM due_endpoint) AS "dueEndpoints",
    ARRAY(SELECT DISTINCT traceparent FROM event WHERE traceparent IS NOT NULL LIMIT 100)
      AS traceparents,
    CASE WHEN current_setting('synchronous_standby_names') <> ''
      THEN set_config('synchronous_commit', 'on', true) END AS "synchronousCommit";

-- relayEvents, shape 2 (libs/webhooks/pipeline/relay-events.sql.ts)
-- Parameters: $1 uuid
-- Writes: Delete outbox, Insert events, Insert outbox, Insert webhook_deliveries, Update webhook_traffic, Update workspace_feeds
-- Locks: visited FOR UPDATE SKIP LOCKED, webhook_endpoints FOR KEY SHARE, delivery FOR UPDATE
WITH RECURSIVE visited AS (
    SELECT $1::uuid AS workspace_id, true AS is_skipped, 0::float8 AS cost
    UNION ALL
    SELECT next.*, visited.cost + CASE WHEN is_unfinished THEN 0.2 ELSE 1 END
    FROM visited CROSS JOIN LATERAL (
      -- A count instead of EXISTS, which PostgreSQL would turn into a scan of all unfinished events.
      SELECT workspace_id, 0 < (
        SELECT count(*) FROM (
          SELECT FROM outbox unfinished WHERE unfinished.workspace_id = outbox.workspace_id
            AND unfinished.fanned_out_to IS NOT NULL LIMIT 1
        ) unfinished
      ) AS is_unfinished
      FROM outbox WHERE workspace_id > visited.workspace_id ORDER BY workspace_id LIMIT 1
    ) next WHERE visited.cost < 20
  ), feed AS (
    SELECT workspace_id, position FROM workspace_feeds
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM visited WHERE NOT is_skipped))
    FOR UPDATE SKIP LOCKED
  ), share AS MATERIALIZED (
    SELECT feed.workspace_id, feed.position, 25 AS fan_out,
      endpoints.count > 25 AS is_wide,
      CASE WHEN endpoints.count > 25 THEN 1 ELSE greatest(1,
        500 / (SELECT count(*) FROM feed) / greatest(1, endpoints.count)) END AS events
    FROM feed CROSS JOIN LATERAL (
      SELECT count(*) FROM (
        SELECT FROM webhook_endpoints WHERE workspace_id = feed.workspace_id LIMIT 25 + 1
      ) endpoint
    ) endpoints
  ), taken AS (
    DELETE FROM outbox WHERE ctid = ANY (ARRAY(
      SELECT event.ctid FROM share CROSS JOIN LATERAL (
        SELECT ctid FROM outbox WHERE workspace_id = share.workspace_id
        ORDER BY number LIMIT share.events
      ) event
    ))
    RETURNING *
  ), event AS (
    SELECT taken.workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, fanned_out_to, taken.endpoint_id AS only_for, share.is_wide,
      share.fan_out, taken.position IS NULL AS is_new,
      coalesce(relayed_at, now()) AS relayed_at,
      coalesce(taken.position, share.position
        + count(*) FILTER (WHERE taken.position IS NULL) OVER same_workspace) AS position,
      row_number() OVER same_workspace = share.events AS has_more
    FROM taken JOIN share ON share.workspace_id = taken.workspace_id
    WINDOW same_workspace AS (PARTITION BY taken.workspace_id ORDER BY number)
  ), candidate AS (
    SELECT event.*, endpoint.id AS endpoint_id, endpoint.ordered,
      CASE WHEN event.only_for IS NULL THEN endpoint.events && ARRAY[event.kind, split_part(event.kind, '.', 1) || '.*', '*']
        AND coalesce(event.resource_id = ANY (endpoint.resource_ids), true)
        ELSE endpoint.id = event.only_for END AS matches
    FROM event CROSS JOIN LATERAL (
      -- With an equality of workspace_id, PostgreSQL might scan the index of ids, across all workspaces.
      SELECT id, events, resource_ids, ordered FROM webhook_endpoints
      WHERE (workspace_id, id) > (event.workspace_id, coalesce(event.fanned_out_to, '00000000-0000-0000-0000-000000000000'))
        AND workspace_id <= event.workspace_id
        AND (event.only_for IS NULL OR id = event.only_for)
      ORDER BY workspace_id, id LIMIT event.fan_out FOR KEY SHARE
    ) endpoint
  ), unfinished AS (
    INSERT INTO outbox (workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, endpoint_id, position, relayed_at, fanned_out_to)
    OVERRIDING SYSTEM VALUE
    SELECT workspace_id, number, id, kind, resource_id, sequence, data, occurred_at,
      traceparent, only_for, position, relayed_at, endpoint_id
    FROM (
      SELECT *, row_number() OVER (PARTITION BY workspace_id, number ORDER BY endpoint_id) AS rank
      FROM candidate WHERE is_wide
    ) candidate WHERE rank = fan_out
    RETURNING number
  ), published AS (
    INSERT INTO events (workspace_id, position, id, kind, resource_id, sequence, data,
      occurred_at, relayed_at, traceparent)
    SELECT workspace_id, position, id, kind, resource_id, sequence, data, occurred_at, relayed_at,
      traceparent
    FROM event WHERE is_new
  ), numbered AS (
    UPDATE workspace_feeds feed SET position = feed.position
      + (SELECT count(*) FROM event WHERE event.workspace_id = feed.workspace_id AND is_new)
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM event WHERE is_new))
  ), delivery AS (
    INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
      event_relayed_at, event_id, kind, resource_id, sequence, is_ordered, due_at)
    -- The delivery of a test gets the id of its event, because the API has already returned this id.
    SELECT endpoint_id, CASE WHEN only_for IS NULL THEN uuidv7_at(now()) ELSE id END,
      workspace_id, position, relayed_at, id, kind,
      resource_id, sequence, ordered, now()
    FROM candidate WHERE matches
    RETURNING endpoint_id
  ), traffic AS (SELECT endpoint_id, NOT queued AND in_flight < window_size AND open_until <= now() AS is_idle FROM webhook_traffic
    WHERE endpoint_id = ANY (ARRAY(SELECT DISTINCT endpoint_id FROM delivery)) ORDER BY endpoint_id FOR UPDATE
  ), queued AS (UPDATE webhook_traffic SET queued = true, wake_at = now() + CASE WHEN CASE WHEN webhook_traffic.opened = 0 AND webhook_traffic.window_size > 1 THEN 'healthy'
    WHEN webhook_traffic.failures = 0 AND webhook_traffic.opened = 0 THEN 'unproven' ELSE 'failing' END = 'healthy'
    THEN interval '20 seconds' ELSE interval '1 minute' END
    WHERE endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM traffic WHERE is_idle))
    RETURNING endpoint_id, CASE WHEN webhook_traffic.opened = 0 AND webhook_traffic.window_size > 1 THEN 'healthy'
    WHEN webhook_traffic.failures = 0 AND webhook_traffic.opened = 0 THEN 'unproven' ELSE 'failing' END AS health
  ), due_endpoint AS (
    SELECT endpoint_id AS "endpointId", health,
      (SELECT workspace_id FROM webhook_endpoints WHERE id = endpoint_id) AS "workspaceId"
    FROM queued
  )
  SELECT (SELECT workspace_id FROM visited WHERE cost >= 20) AS "resumeAfter",
    EXISTS (SELECT FROM event WHERE has_more) AS "hasMore",
    EXISTS (SELECT FROM outbox WHERE fanned_out_to IS NOT NULL) OR EXISTS (SELECT FROM unfinished)
      AS "hasUnfinished",
    (SELECT count(*) FROM event) > (SELECT count(*) FROM unfinished) AS "hasFinished",
    (SELECT count(*)::integer FROM event WHERE is_new) AS "relayedCount",
    (SELECT coalesce(json_agg(due_endpoint), '[]') FROM due_endpoint) AS "dueEndpoints",
    ARRAY(SELECT DISTINCT traceparent FROM event WHERE traceparent IS NOT NULL LIMIT 100)
      AS traceparents,
    CASE WHEN current_setting('synchronous_standby_names') <> ''
      THEN set_config('synchronous_commit', 'on', true) END AS "synchronousCommit";

-- LOCK_TRAFFIC (libs/webhooks/traffic/endpoint-traffic.ts)
-- Parameters: $1 uuid[]
-- Locks: webhook_traffic FOR UPDATE
SELECT FROM webhook_traffic
  WHERE endpoint_id = ANY ($1::uuid[]) ORDER BY endpoint_id FOR UPDATE;

-- selectEndpointIds (libs/webhooks/traffic/endpoint-traffic.ts)
-- Parameters: $1 double precision
SELECT endpoint_id AS id FROM webhook_traffic traffic WHERE EXISTS (
        SELECT FROM webhook_deliveries WHERE endpoint_id = traffic.endpoint_id
          AND id < (SELECT uuidv7_at(now() - $1 * interval '1 day'))
      );
