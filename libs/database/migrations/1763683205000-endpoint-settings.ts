import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EndpointSettings1763683205000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints
        DROP CONSTRAINT webhook_endpoints_status_check,
        ADD CONSTRAINT webhook_endpoints_status_check
          CHECK (status IN ('active', 'failing', 'disabled')),
        ADD COLUMN status_reason text,
        ADD COLUMN status_since timestamptz(3) NOT NULL DEFAULT now(),
        -- How many events about the endpoint itself exist.
        ADD COLUMN sequence integer NOT NULL DEFAULT 0,
        -- The endpoint gets only the events of these resources; null for the events of all resources.
        ADD COLUMN resource_ids uuid[],
        -- Attempts per second; null for no limit.
        ADD COLUMN rate_limit integer,
        -- Encrypted JSON: the values of the headers by name.
        ADD COLUMN encrypted_headers text,
        -- Whether the events of a resource are delivered one after the other.
        ADD COLUMN ordered boolean NOT NULL DEFAULT false,
        -- Earlier secrets that still sign notifications: [{encrypted, until}].
        ADD COLUMN earlier_secrets json NOT NULL DEFAULT '[]';

      -- due_at is 'infinity' while a delivery waits for an earlier delivery of its resource.
      ALTER TABLE webhook_deliveries ADD COLUMN is_ordered boolean NOT NULL DEFAULT false;
      CREATE INDEX webhook_deliveries_ordered
        ON webhook_deliveries (endpoint_id, resource_id, event_position) WHERE is_ordered;

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
      CREATE INDEX webhook_replays_running ON webhook_replays (next_step_at) WHERE status = 'running';
      CREATE UNIQUE INDEX webhook_replays_one_at_a_time ON webhook_replays (endpoint_id)
        WHERE status = 'running';
      CREATE INDEX webhook_replays_of_endpoint ON webhook_replays (endpoint_id, id);
      ALTER TABLE webhook_deliveries ADD COLUMN replay_id uuid;
      ALTER TABLE webhook_delivery_log ADD COLUMN replay_id uuid;
      CREATE INDEX webhook_deliveries_replay ON webhook_deliveries (replay_id, attempts, due_at)
        WHERE replay_id IS NOT NULL;

      CREATE TABLE webhook_endpoint_transitions (
        endpoint_id uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
        sequence integer NOT NULL,
        status text NOT NULL,
        reason text NOT NULL,
        at timestamptz(3) NOT NULL,
        PRIMARY KEY (endpoint_id, sequence)
      );

      -- No ON DELETE CASCADE: deleting many endpoints with all their deliveries takes long, and blocks the
      -- relay.
      ALTER TABLE webhook_endpoints
        DROP CONSTRAINT webhook_endpoints_workspace_id_fkey,
        ADD FOREIGN KEY (workspace_id) REFERENCES workspaces;

      ALTER TABLE webhook_flows
        -- When the last failure happened.
        ADD COLUMN failed_at timestamptz,
        -- With a rate limit: the earliest time of the next attempt.
        ADD COLUMN paced_until timestamptz NOT NULL DEFAULT '-infinity',
        -- Whether deliveries that were held while the endpoint was disabled are being sent, at a limited
        -- rate.
        ADD COLUMN is_draining boolean NOT NULL DEFAULT false;

      ALTER TABLE webhook_delivery_log
        DROP CONSTRAINT webhook_delivery_log_status_check,
        ADD CONSTRAINT webhook_delivery_log_status_check
          CHECK (status IN ('delivered', 'failed', 'cancelled'));

      -- The only endpoint that gets the event; null if all matching endpoints get it.
      ALTER TABLE outbox ADD COLUMN endpoint_id uuid;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox DROP COLUMN endpoint_id;
      DELETE FROM webhook_delivery_log WHERE status = 'cancelled';
      ALTER TABLE webhook_delivery_log
        DROP CONSTRAINT webhook_delivery_log_status_check,
        ADD CONSTRAINT webhook_delivery_log_status_check CHECK (status IN ('delivered', 'failed'));
      ALTER TABLE webhook_flows
        DROP COLUMN failed_at, DROP COLUMN paced_until, DROP COLUMN is_draining;
      ALTER TABLE webhook_endpoints
        DROP CONSTRAINT webhook_endpoints_workspace_id_fkey,
        ADD FOREIGN KEY (workspace_id) REFERENCES workspaces ON DELETE CASCADE;
      ALTER TABLE webhook_deliveries DROP COLUMN is_ordered, DROP COLUMN replay_id;
      ALTER TABLE webhook_delivery_log DROP COLUMN replay_id;
      DROP TABLE webhook_replays;
      DROP TABLE webhook_endpoint_transitions;
      UPDATE webhook_endpoints SET status = 'active' WHERE status = 'failing';
      ALTER TABLE webhook_endpoints
        DROP COLUMN status_reason, DROP COLUMN status_since, DROP COLUMN sequence,
        DROP COLUMN ordered, DROP COLUMN resource_ids, DROP COLUMN rate_limit, DROP COLUMN encrypted_headers,
        DROP COLUMN earlier_secrets,
        DROP CONSTRAINT webhook_endpoints_status_check,
        ADD CONSTRAINT webhook_endpoints_status_check CHECK (status IN ('active', 'disabled'));
    `);
  }
}
