import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsBetween } from '../partitions/partition-plan.js';

/**
 * Separates work to do, which stays small, from history, which grows: the outbox and `webhook_deliveries`
 * hold work to do, partitioned tables hold history.
 */
export class DeliveryEngine1763683204000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox RENAME TO old_outbox;
      ALTER TABLE old_outbox RENAME CONSTRAINT outbox_pkey TO old_outbox_pkey;
      ALTER TABLE webhook_deliveries RENAME TO old_deliveries;
      ALTER TABLE old_deliveries RENAME CONSTRAINT webhook_deliveries_pkey TO old_deliveries_pkey;
      DROP INDEX webhook_deliveries_due;
      ALTER TABLE webhook_attempts RENAME TO old_attempts;
      ALTER TABLE old_attempts RENAME CONSTRAINT webhook_attempts_pkey TO old_attempts_pkey;

      -- Makes an id that contains a time. The services do not make the ids of partitioned rows, because the
      -- time must come from the clock by which partitions are created and dropped.
      CREATE FUNCTION uuidv7_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
        -- A random UUID (version 4) with 48 bits of time in front; two bits turn the 4 into a 7.
        SELECT encode(
          set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid()) PLACING
              substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1),
            52, 1), 53, 1),
          'hex')::uuid
      $$;

      ALTER TABLE modules ADD COLUMN events integer NOT NULL DEFAULT 0;
      UPDATE modules SET events =
        (SELECT count(*) FROM old_outbox WHERE resource_id = modules.id AND kind LIKE 'module.%');
      ALTER TABLE modules ALTER COLUMN events DROP DEFAULT;

      -- Events that no worker has relayed yet.
      CREATE TABLE outbox (
        workspace_id uuid NOT NULL,
        -- A later event of a resource has a larger number, because its row is inserted after the earlier
        -- event has committed. The clocks of several APIs could not guarantee that.
        number bigint GENERATED ALWAYS AS IDENTITY,
        id uuid NOT NULL,
        kind text NOT NULL,
        resource_id uuid NOT NULL,
        sequence integer NOT NULL,
        data json NOT NULL,
        occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        -- The next columns are set while an event for very many endpoints is fanned out in parts: the
        -- event's position in its feed, and the last endpoint that the fan-out has reached.
        position bigint,
        relayed_at timestamptz(3),
        fanned_out_to uuid,
        PRIMARY KEY (workspace_id, number)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

      -- The last position of a workspace's events. The relay locks the row. The row outlives the workspace,
      -- whose last events need positions, too.
      CREATE TABLE workspace_feeds (
        workspace_id uuid PRIMARY KEY,
        position bigint NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50);
      INSERT INTO workspace_feeds (workspace_id)
        SELECT id FROM workspaces UNION SELECT workspace_id FROM old_outbox;

      -- The events of each workspace. Their positions are the order in which subscribers read them, without
      -- gaps.
      CREATE TABLE events (
        workspace_id uuid NOT NULL,
        position bigint NOT NULL,
        id uuid NOT NULL,
        kind text NOT NULL,
        resource_id uuid NOT NULL,
        sequence integer NOT NULL,
        data json NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        relayed_at timestamptz(3) NOT NULL,
        PRIMARY KEY (workspace_id, position, relayed_at)
      ) PARTITION BY RANGE (relayed_at);

      -- Deliveries that are not finished: pending, or held if their endpoint is disabled.
      CREATE TABLE webhook_deliveries (
        endpoint_id uuid NOT NULL,
        id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        event_position bigint NOT NULL,
        event_relayed_at timestamptz(3) NOT NULL,
        event_id uuid NOT NULL,
        kind text NOT NULL,
        resource_id uuid NOT NULL,
        sequence integer NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        -- When the next attempt is due.
        due_at timestamptz NOT NULL,
        -- Counts the claims. Only the latest claim may record a failure.
        claims integer NOT NULL DEFAULT 0,
        -- When the lease ends. By then, the worker that claimed the delivery is expected to have recorded
        -- the attempt.
        claimed_until timestamptz,
        PRIMARY KEY (endpoint_id, id)
        -- The fillfactor leaves space on each page, so that a row changed by a claim stays on its page. A
        -- claim changes no indexed column, so the indexes need no new entry.
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      -- The condition is true for every row. Its purpose is that a statement without this condition, such
      -- as the search for one delivery by id, cannot use the index. Otherwise a plan that is made while the
      -- table is empty, when all indexes cost the same, could later read all deliveries of an endpoint to
      -- find one.
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at)
        WHERE due_at > '-infinity';

      -- The traffic of an endpoint. A transaction that changes deliveries of the endpoint locks this row.
      CREATE TABLE webhook_flows (
        endpoint_id uuid PRIMARY KEY REFERENCES webhook_endpoints ON DELETE CASCADE,
        -- Whether a job for this endpoint is in the queue, or on its way there.
        queued boolean NOT NULL DEFAULT false,
        -- When the sweep queues the endpoint, unless a job serves it first; null if there is nothing to do.
        wake_at timestamptz,
        -- The number of attempts in flight, and when the last lease of these attempts ends.
        in_flight integer NOT NULL DEFAULT 0,
        claimed_until timestamptz NOT NULL DEFAULT '-infinity',
        -- How many attempts may be in flight. A new window is small, because a receiver may never respond;
        -- after seven round trips to a receiver that responds, the window is 100.
        window_size integer NOT NULL DEFAULT 2,
        -- Consecutive failures.
        failures integer NOT NULL DEFAULT 0,
        failing_since timestamptz(3),
        -- The circuit breaker: how often it has opened in a row, and until when it is open.
        opened integer NOT NULL DEFAULT 0,
        open_until timestamptz NOT NULL DEFAULT '-infinity'
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
      CREATE INDEX webhook_flows_wake ON webhook_flows (wake_at);
      CREATE INDEX webhook_endpoints_of_workspace ON webhook_endpoints (workspace_id, id);

      -- The trigger replaces a foreign key, which would look up the endpoint of each new delivery.
      CREATE FUNCTION delete_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        DELETE FROM webhook_deliveries WHERE endpoint_id = OLD.endpoint_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER delete_deliveries AFTER DELETE ON webhook_flows
        FOR EACH ROW EXECUTE FUNCTION delete_deliveries();

      CREATE TABLE webhook_delivery_log (
        endpoint_id uuid NOT NULL,
        id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        event_position bigint NOT NULL,
        event_relayed_at timestamptz(3) NOT NULL,
        event_id uuid NOT NULL,
        kind text NOT NULL,
        resource_id uuid NOT NULL,
        sequence integer NOT NULL,
        status text NOT NULL CHECK (status IN ('delivered', 'failed')),
        attempts integer NOT NULL,
        finished_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (endpoint_id, id)
      ) PARTITION BY RANGE (id);
      CREATE INDEX webhook_delivery_log_undelivered ON webhook_delivery_log (endpoint_id, status, id)
        WHERE status <> 'delivered';

      CREATE TABLE webhook_attempts (
        delivery_id uuid NOT NULL,
        -- The number of the claim that made the attempt.
        claim integer NOT NULL,
        started_at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        status_code integer,
        -- The phase and the code of the failure; null after a success.
        stage text,
        error text,
        request_headers json,
        response_headers json,
        -- At most 16 KiB.
        response_body text,
        PRIMARY KEY (delivery_id, claim)
      ) PARTITION BY RANGE (delivery_id);
    `);

    const [span] = (await runner.query(
      'SELECT least(now(), min(occurred_at)) AS begin, now() AS end FROM old_outbox',
    )) as [{ begin: Date; end: Date }];
    for (const statement of partitionsBetween(span.begin, span.end).values()) {
      await runner.query(statement);
    }

    await runner.query(`
      CREATE TEMPORARY TABLE counted ON COMMIT DROP AS
        SELECT *, coalesce((data ->> 'version')::integer + (kind = 'template.deleted')::integer,
          row_number() OVER (PARTITION BY resource_id ORDER BY id)) AS sequence
        FROM old_outbox;

      INSERT INTO outbox (workspace_id, id, kind, resource_id, sequence, data, occurred_at)
        SELECT workspace_id, id, kind, resource_id, sequence, data, occurred_at
        FROM counted WHERE dispatched_at IS NULL ORDER BY id;

      INSERT INTO events
        SELECT workspace_id, row_number() OVER (PARTITION BY workspace_id ORDER BY id), id, kind,
          resource_id, sequence, data, occurred_at, occurred_at
        FROM counted WHERE dispatched_at IS NOT NULL;
      UPDATE workspace_feeds feed SET position =
        (SELECT coalesce(max(position), 0) FROM events WHERE workspace_id = feed.workspace_id);

      CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
        SELECT old.id AS old_id, uuidv7_at(event.relayed_at) AS id, old.endpoint_id, old.status,
          old.attempts, old.due_at, old.claims, event.workspace_id, event.position,
          event.relayed_at, event.id AS event_id, event.kind, event.resource_id, event.sequence
        FROM old_deliveries old JOIN events event ON event.id = old.event_id;

      INSERT INTO webhook_deliveries
        SELECT endpoint_id, id, workspace_id, position, relayed_at, event_id, kind, resource_id,
          sequence, attempts, due_at, claims
        FROM moved WHERE status IN ('pending', 'held');
      INSERT INTO webhook_delivery_log
        SELECT endpoint_id, id, workspace_id, position, relayed_at, event_id, kind, resource_id,
          sequence, status, attempts
        FROM moved WHERE status IN ('delivered', 'failed');
      INSERT INTO webhook_flows (endpoint_id, wake_at)
        SELECT id, now() FROM webhook_endpoints;
      INSERT INTO webhook_attempts
        SELECT moved.id, row_number() OVER (PARTITION BY moved.id ORDER BY started_at),
          started_at, duration_ms, status_code,
          CASE WHEN error IS NOT NULL THEN 'connect' WHEN status_code NOT BETWEEN 200 AND 299 THEN 'status' END,
          error
        FROM old_attempts JOIN moved ON moved.old_id = delivery_id;
      DROP TABLE old_attempts, old_deliveries, old_outbox;
    `);
  }

  down(): Promise<void> {
    throw new Error('This migration cannot be reverted; restore a backup instead.');
  }
}
