import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks1763683203000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        url text NOT NULL,
        events text[] NOT NULL,
        description text NOT NULL,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
        encrypted_secret text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX webhook_endpoints_newest_first
        ON webhook_endpoints (workspace_id, updated_at DESC, id DESC);

      CREATE TABLE webhook_deliveries (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        event_id uuid NOT NULL REFERENCES outbox ON DELETE CASCADE,
        endpoint_id uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
        status text NOT NULL DEFAULT 'pending'
          CHECK (status IN ('pending', 'held', 'delivered', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        -- When the next attempt is due; null if there is none.
        next_attempt_at timestamptz(3) DEFAULT now(),
        -- When the sweep queues a job for this delivery: when the next attempt is due, or later if a job for
        -- the delivery is already queued or running.
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        -- Counts the claims. Only the latest claim may record the result.
        claims integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        UNIQUE (event_id, endpoint_id)
      );
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at)
        WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, status);

      CREATE TABLE webhook_attempts (
        delivery_id uuid NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
        id uuid NOT NULL,
        started_at timestamptz(3) NOT NULL,
        duration_ms integer NOT NULL,
        status_code integer,
        error text,
        PRIMARY KEY (delivery_id, id)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_attempts, webhook_deliveries, webhook_endpoints');
  }
}
