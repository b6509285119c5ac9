import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Audit1763683207000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        id uuid PRIMARY KEY,
        -- No foreign key: an entry outlives its workspace, because the deletion of a workspace is an entry,
        -- too.
        workspace_id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        action text NOT NULL,
        -- Null if the identity provider made the change.
        actor_id uuid REFERENCES users,
        address inet,
        target_id uuid NOT NULL,
        details json NOT NULL
      );
      CREATE INDEX audit_entries_of_workspace ON audit_entries (workspace_id, occurred_at, id);
      CREATE INDEX audit_entries_by_age ON audit_entries (occurred_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entries');
  }
}
