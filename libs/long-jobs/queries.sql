-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- selectDueJob (libs/long-jobs/long-job.ts)
SELECT id, endpoint_id AS "endpointId", extract(epoch FROM next_step_at - now())::float8 * 1000 AS "dueInMs"
   FROM webhook_replays WHERE status = 'running' ORDER BY next_step_at LIMIT 2;

-- selectDueJob, shape 2 (libs/long-jobs/long-job.ts)
SELECT id, extract(epoch FROM next_step_at - now())::float8 * 1000 AS "dueInMs"
   FROM module_usage_updates WHERE status = 'running' ORDER BY next_step_at LIMIT 2;
