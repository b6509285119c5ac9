import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Trash1763683214200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Deleted templates and modules that can be restored. Their versions stay where they are.
      CREATE TABLE trashed_documents (
        id uuid PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('template', 'module')),
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        -- The row of the document, by column, without the document itself.
        fields jsonb NOT NULL,
        -- The rows of module_usages: [{module_id, pinned_version, occurrences}].
        usages jsonb NOT NULL,
        deleted_by uuid NOT NULL REFERENCES users,
        deleted_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      );
      CREATE INDEX trashed_documents_latest_first
        ON trashed_documents (workspace_id, expires_at DESC, id DESC);
      -- For the purge of all workspaces. An expression, because PostgreSQL would also use an index of the bare
      -- column for lists, and read the documents of other workspaces.
      CREATE INDEX trashed_documents_by_expiry
        ON trashed_documents ((expires_at AT TIME ZONE 'UTC'));

      -- Documents that are gone for good. A worker deletes their versions, a few at a time.
      CREATE TABLE documents_to_purge (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        PRIMARY KEY (workspace_id, id)
      );

      -- How many events of a template made no version: its deletions and restores from the trash. The
      -- default rewrites no table.
      ALTER TABLE templates ADD COLUMN unversioned_events integer NOT NULL DEFAULT 0;

      -- A deleted document leaves its versions behind: for the trash, or for the purge. Services of the
      -- previous version know neither, so a trigger and not a service decides: what is in none of the three
      -- tables is purged. count() keeps PostgreSQL from reading a whole table for each deletion.
      CREATE FUNCTION purge_unless_kept() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO documents_to_purge (workspace_id, id)
          SELECT workspace_id, id FROM deleted
          WHERE 0 = (SELECT count(*) FROM (SELECT FROM trashed_documents WHERE id = deleted.id LIMIT 1) kept)
            AND 0 = (SELECT count(*) FROM (SELECT FROM templates WHERE id = deleted.id LIMIT 1) kept)
            AND 0 = (SELECT count(*) FROM (SELECT FROM modules WHERE id = deleted.id LIMIT 1) kept)
          ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER purge_unless_kept AFTER DELETE ON templates
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION purge_unless_kept();
      CREATE TRIGGER purge_unless_kept AFTER DELETE ON modules
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION purge_unless_kept();
      CREATE TRIGGER purge_unless_kept AFTER DELETE ON trashed_documents
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION purge_unless_kept();

      ALTER TABLE template_versions DROP CONSTRAINT template_versions_template_id_fkey;
      ALTER TABLE module_versions DROP CONSTRAINT module_versions_module_id_fkey;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM template_versions WHERE NOT EXISTS (SELECT FROM templates WHERE id = template_id);
      DELETE FROM module_versions WHERE NOT EXISTS (SELECT FROM modules WHERE id = module_id);
      ALTER TABLE template_versions ADD CONSTRAINT template_versions_template_id_fkey
        FOREIGN KEY (template_id) REFERENCES templates ON DELETE CASCADE;
      ALTER TABLE module_versions ADD CONSTRAINT module_versions_module_id_fkey
        FOREIGN KEY (module_id) REFERENCES modules ON DELETE CASCADE;
      DROP TRIGGER purge_unless_kept ON modules;
      DROP TRIGGER purge_unless_kept ON templates;
      DROP TABLE documents_to_purge, trashed_documents;
      DROP FUNCTION purge_unless_kept;
      ALTER TABLE templates DROP COLUMN unversioned_events;
    `);
  }
}
