import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WorkspaceDeletion1763683209000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The services lock these tables in the same order, so that no deadlock happens.
      LOCK TABLE workspaces, webhook_endpoints IN ACCESS EXCLUSIVE MODE;

      -- An endpoint outlives its workspace until it has been notified of what was deleted with the
      -- workspace.
      ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_workspace_id_fkey;
      ALTER TABLE webhook_endpoints ADD COLUMN workspace_deleted_at timestamptz;
      CREATE INDEX webhook_endpoints_without_workspace ON webhook_endpoints (workspace_deleted_at)
        WHERE workspace_deleted_at IS NOT NULL;

      -- A trigger sets the time, because services of the previous version also delete workspaces during a
      -- deployment, and do not set it.
      CREATE FUNCTION release_webhook_endpoints() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE webhook_endpoints SET workspace_deleted_at = now() WHERE workspace_id = OLD.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER release_webhook_endpoints AFTER DELETE ON workspaces
        FOR EACH ROW EXECUTE FUNCTION release_webhook_endpoints();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER release_webhook_endpoints ON workspaces;
      DROP FUNCTION release_webhook_endpoints;
      DELETE FROM webhook_endpoints WHERE workspace_deleted_at IS NOT NULL;
      ALTER TABLE webhook_endpoints DROP COLUMN workspace_deleted_at,
        ADD FOREIGN KEY (workspace_id) REFERENCES workspaces;
    `);
  }
}
