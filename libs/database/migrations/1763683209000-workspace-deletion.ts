import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WorkspaceDeletion1763683209000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- An endpoint outlives its workspace until it has been told what was deleted with it.
      ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_workspace_id_fkey;
      ALTER TABLE webhook_endpoints ADD COLUMN workspace_deleted_at timestamptz;
      CREATE INDEX webhook_endpoints_without_workspace ON webhook_endpoints (workspace_deleted_at)
        WHERE workspace_deleted_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM webhook_endpoints WHERE workspace_deleted_at IS NOT NULL;
      ALTER TABLE webhook_endpoints DROP COLUMN workspace_deleted_at,
        ADD FOREIGN KEY (workspace_id) REFERENCES workspaces;
    `);
  }
}
