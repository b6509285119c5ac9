import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Outbox1763683202000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id uuid PRIMARY KEY,
        kind text NOT NULL,
        workspace_id uuid NOT NULL,
        resource_id uuid NOT NULL,
        data json NOT NULL,
        occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        dispatched_at timestamptz(3)
      );
      CREATE INDEX outbox_undispatched ON outbox (id) WHERE dispatched_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}
