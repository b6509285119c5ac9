import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ModuleReferences1763683214000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Which modules the latest versions of templates and modules use directly.
      CREATE TABLE module_usages (
        document_id uuid NOT NULL,
        document_kind text NOT NULL,
        module_id uuid NOT NULL,
        -- 0 if the references follow the latest version.
        pinned_version integer NOT NULL,
        occurrences integer NOT NULL,
        PRIMARY KEY (document_id, module_id, pinned_version)
      );
      CREATE INDEX module_usages_of_module ON module_usages (module_id, document_id);

      -- The references in a version of a module; no row for a version without references.
      CREATE TABLE module_version_references (
        module_id uuid NOT NULL,
        version integer NOT NULL,
        -- How many modules the version uses, including the modules that those use.
        modules integer NOT NULL,
        -- [{moduleId, version, asOf}]
        uses jsonb NOT NULL,
        -- The size of the document with the documents of its modules, when the version was made.
        expanded_bytes integer NOT NULL,
        PRIMARY KEY (module_id, version),
        FOREIGN KEY (module_id, version) REFERENCES module_versions ON DELETE CASCADE
      );

      -- The table has no foreign key to the documents, because they are in two tables.
      CREATE FUNCTION delete_module_usages() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM module_usages USING deleted WHERE document_id = deleted.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER delete_module_usages AFTER DELETE ON templates
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_module_usages();
      CREATE TRIGGER delete_module_usages AFTER DELETE ON modules
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_module_usages();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER delete_module_usages ON modules;
      DROP TRIGGER delete_module_usages ON templates;
      DROP FUNCTION delete_module_usages;
      DROP TABLE module_version_references, module_usages;
    `);
  }
}
