import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsBetween } from '../partitions/partition-plan.js';

export class Webhooks1764547205000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        url text NOT NULL,
        events text[] NOT NULL,
        description text NOT NULL,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'failing', 'disabled')),
        encrypted_secret text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        status_reason text,
        status_since timestamptz(3) NOT NULL DEFAULT now(),
        -- How many events about the endpoint itself exist.
        sequence integer NOT NULL DEFAULT 0,
        -- The endpoint gets only the events of these resources; null for the events of all resources.
        resource_ids uuid[],
        -- Attempts per second; null for no limit.
        rate_limit integer,
        -- Encrypted JSON: the values of the headers by name.
        encrypted_headers text,
        -- Whether the events of a resource are delivered one after the other.
        ordered boolean NOT NULL DEFAULT false,
        -- Earlier secrets that still sign notifications: [{encrypted, until}].
        earlier_secrets json NOT NULL DEFAULT '[]',
        workspace_deleted_at timestamptz
      );
      CREATE INDEX webhook_endpoints_by_status ON webhook_endpoints (status)
        WHERE workspace_deleted_at IS NULL;
      CREATE INDEX webhook_endpoints_newest_first ON webhook_endpoints (workspace_id, updated_at DESC, id DESC);
      CREATE INDEX webhook_endpoints_of_workspace ON webhook_endpoints (workspace_id, id);
      CREATE INDEX webhook_endpoints_without_workspace ON webhook_endpoints (workspace_deleted_at)
        WHERE workspace_deleted_at IS NOT NULL;

      -- The endpoints of a deleted workspace stay until their last events are delivered.
      CREATE FUNCTION release_webhook_endpoints() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE webhook_endpoints SET workspace_deleted_at = now() WHERE workspace_id = OLD.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER release_webhook_endpoints AFTER DELETE ON workspaces
        FOR EACH ROW EXECUTE FUNCTION release_webhook_endpoints();

      CREATE TABLE webhook_endpoint_transitions (
        endpoint_id uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
        sequence integer NOT NULL,
        status text NOT NULL,
        reason text NOT NULL,
        at timestamptz(3) NOT NULL,
        PRIMARY KEY (endpoint_id, sequence)
      );

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
        window_size integer NOT NULL DEFAULT 1,
        -- Consecutive failures.
        failures integer NOT NULL DEFAULT 0,
        failing_since timestamptz(3),
        -- The circuit breaker: how often it has opened in a row, and until when it is open.
        opened integer NOT NULL DEFAULT 0,
        open_until timestamptz NOT NULL DEFAULT '-infinity',
        -- When the last failure happened.
        failed_at timestamptz,
        -- With a rate limit: the earliest time of the next attempt.
        paced_until timestamptz NOT NULL DEFAULT '-infinity',
        -- Whether deliveries that were held while the endpoint was disabled are being sent, at a limited
        -- rate.
        is_draining boolean NOT NULL DEFAULT false,
        -- The last attempt that failed; null before the first failure.
        last_failed_delivery_id uuid,
        last_failed_claim integer,
        -- Whether the receiver asked for the pause until open_until, with Retry-After. Otherwise the circuit
        -- breaker pauses the endpoint.
        is_pause_requested boolean NOT NULL DEFAULT false
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
      CREATE INDEX webhook_flows_wake ON webhook_flows (wake_at);

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
        -- due_at is 'infinity' while a delivery waits for an earlier delivery of its resource.
        is_ordered boolean NOT NULL DEFAULT false,
        replay_id uuid,
        PRIMARY KEY (endpoint_id, id)
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      -- The condition is true for every row. Its purpose is that a statement without this condition, such
      -- as the search for one delivery by id, cannot use the index. Otherwise a plan that is made while the
      -- table is empty, when all indexes cost the same, could later read all deliveries of an endpoint to
      -- find one.
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at)
        WHERE due_at > '-infinity';
      CREATE INDEX webhook_deliveries_ordered ON webhook_deliveries (endpoint_id, resource_id, event_position)
        WHERE is_ordered;
      CREATE INDEX webhook_deliveries_replay ON webhook_deliveries (replay_id, attempts, due_at)
        WHERE replay_id IS NOT NULL;

      -- The trigger replaces a foreign key, which would look up the endpoint of each new delivery.
      CREATE FUNCTION delete_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
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
        status text NOT NULL CHECK (status IN ('delivered', 'failed', 'cancelled')),
        attempts integer NOT NULL,
        finished_at timestamptz(3) NOT NULL DEFAULT now(),
        replay_id uuid,
        PRIMARY KEY (endpoint_id, id)
      ) PARTITION BY RANGE (id);
      CREATE INDEX webhook_delivery_log_undelivered ON ONLY webhook_delivery_log (endpoint_id, status, id)
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
        -- The URL that the request was sent to; null if nothing was sent.
        url text,
        PRIMARY KEY (delivery_id, claim)
      ) PARTITION BY RANGE (delivery_id);

      CREATE TABLE webhook_replays (
        id uuid PRIMARY KEY,
        endpoint_id uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
        status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'cancelled')),
        -- The last delivery that the replay has read from the log, and the id at which the replay ends.
        reached uuid NOT NULL,
        end_id uuid NOT NULL,
        events text[],
        resource_id uuid,
        statuses text[],
        total integer NOT NULL,
        done integer NOT NULL DEFAULT 0,
        -- How many consecutive steps could not add any delivery.
        stalls integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        next_step_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz(3)
      );
      CREATE INDEX webhook_replays_of_endpoint ON webhook_replays (endpoint_id, id);
      CREATE UNIQUE INDEX webhook_replays_one_at_a_time ON webhook_replays (endpoint_id)
        WHERE status = 'running';
      CREATE INDEX webhook_replays_running ON webhook_replays (next_step_at) WHERE status = 'running';

      -- Counts of attempts and deliveries in five minutes. Like the history, the rows have no foreign key:
      -- the rows of a deleted endpoint can no longer be read, and are dropped with the partition of their
      -- week.
      CREATE TABLE webhook_statistics (
        -- The id of an endpoint or of a workspace. The row of a workspace counts all its endpoints.
        subject_id uuid NOT NULL,
        -- When the five minutes begin, by PostgreSQL's clock.
        interval_start timestamptz NOT NULL,
        attempts integer NOT NULL,
        -- Finished deliveries, by result.
        delivered integer NOT NULL,
        failed integer NOT NULL,
        -- Failed attempts after which the delivery gets another attempt.
        retried integer NOT NULL,
        -- The response times of attempts that reached the receiver. Each column counts the times above the
        -- bound of the column before, up to its own bound, in milliseconds.
        within_1 integer NOT NULL,
        within_2 integer NOT NULL,
        within_4 integer NOT NULL,
        within_8 integer NOT NULL,
        within_16 integer NOT NULL,
        within_32 integer NOT NULL,
        within_64 integer NOT NULL,
        within_128 integer NOT NULL,
        within_256 integer NOT NULL,
        within_512 integer NOT NULL,
        within_1024 integer NOT NULL,
        within_2048 integer NOT NULL,
        within_4096 integer NOT NULL,
        within_8192 integer NOT NULL,
        within_15000 integer NOT NULL,
        longer integer NOT NULL,
        PRIMARY KEY (subject_id, interval_start)
      ) PARTITION BY RANGE (interval_start);
    `);
    // A worker creates further partitions when it starts, and then every hour.
    const [clock] = (await runner.query('SELECT now()')) as [{ now: Date }];
    for (const statement of partitionsBetween(clock.now, clock.now).values()) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER release_webhook_endpoints ON workspaces;
      DROP VIEW IF EXISTS webhook_traffic;
      DROP TABLE webhook_statistics, webhook_replays, webhook_attempts, webhook_delivery_log, webhook_deliveries,
        webhook_flows, webhook_endpoint_transitions, webhook_endpoints;
      DROP FUNCTION delete_deliveries, release_webhook_endpoints;
    `);
  }
}
