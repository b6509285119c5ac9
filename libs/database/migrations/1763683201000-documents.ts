import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Documents1763683201000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Documents are in template_versions, one for each version. A template has the number of its latest
      -- version.
      CREATE TABLE templates (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces,
        name text NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX templates_newest_first ON templates (workspace_id, updated_at DESC, id DESC);
      CREATE INDEX templates_name ON templates (workspace_id, name);

      CREATE TABLE template_versions (
        template_id uuid NOT NULL REFERENCES templates ON DELETE CASCADE,
        version integer NOT NULL,
        name text NOT NULL,
        -- json, because jsonb loses the order of keys, duplicate keys and the spelling of numbers.
        content json NOT NULL,
        created_by uuid NOT NULL REFERENCES users,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (template_id, version)
      );

      CREATE TABLE modules (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces,
        name text NOT NULL,
        category text NOT NULL,
        description text NOT NULL,
        content json NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX modules_newest_first ON modules (workspace_id, updated_at DESC, id DESC);
      CREATE INDEX modules_name ON modules (workspace_id, name);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE modules, template_versions, templates');
  }
}
