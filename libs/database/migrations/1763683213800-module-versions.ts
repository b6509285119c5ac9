import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ModuleVersions1763683213800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE modules ADD COLUMN version integer NOT NULL DEFAULT 1;

      CREATE TABLE module_versions (
        module_id uuid NOT NULL REFERENCES modules ON DELETE CASCADE,
        version integer NOT NULL,
        name text NOT NULL,
        category text NOT NULL,
        description text NOT NULL,
        content json NOT NULL,
        -- Null for versions from before this migration, and for those that a service of the previous version
        -- makes.
        created_by uuid REFERENCES users,
        created_at timestamptz(3) NOT NULL,
        content_bytes integer,
        PRIMARY KEY (module_id, version)
      );
      CREATE TRIGGER measure_content BEFORE INSERT ON module_versions
        FOR EACH ROW EXECUTE FUNCTION measure_content();

      -- For services of the previous version, which still change modules during a deployment: they neither
      -- count versions nor store them.
      CREATE FUNCTION count_module_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- The next migration may not have stored the version that this change replaces.
        INSERT INTO module_versions (module_id, version, name, category, description, content, created_at)
          VALUES (OLD.id, OLD.version, OLD.name, OLD.category, OLD.description, OLD.content, OLD.updated_at)
          ON CONFLICT DO NOTHING;
        NEW.version := OLD.version + 1;
        RETURN NEW;
      END $$;
      CREATE TRIGGER count_module_version BEFORE UPDATE OF events ON modules
        FOR EACH ROW WHEN (NEW.version = OLD.version) EXECUTE FUNCTION count_module_version();

      CREATE FUNCTION append_module_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (
          SELECT FROM module_versions WHERE module_id = NEW.id AND version = NEW.version
        ) THEN
          INSERT INTO module_versions (module_id, version, name, category, description, content, created_at)
            VALUES (NEW.id, NEW.version, NEW.name, NEW.category, NEW.description, NEW.content, NEW.updated_at);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER append_module_version AFTER INSERT OR UPDATE OF events ON modules
        FOR EACH ROW EXECUTE FUNCTION append_module_version();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER append_module_version ON modules;
      DROP TRIGGER count_module_version ON modules;
      DROP FUNCTION append_module_version, count_module_version;
      DROP TABLE module_versions;
      ALTER TABLE modules DROP COLUMN version;
    `);
  }
}
