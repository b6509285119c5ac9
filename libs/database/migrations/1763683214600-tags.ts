import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Tags1763683214600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The defaults rewrite no table. The next migration fills in the users.
      ALTER TABLE templates
        ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
        ADD COLUMN created_by uuid,
        ADD COLUMN updated_by uuid;
      ALTER TABLE modules
        ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
        ADD COLUMN created_by uuid,
        ADD COLUMN updated_by uuid;

      -- The documents of each tag, for filters and counts. An index of the arrays would mix the documents of
      -- all workspaces, and could not stop after the first thousand documents of a tag.
      CREATE TABLE document_tags (
        workspace_id uuid NOT NULL,
        tag text COLLATE "C" NOT NULL,
        kind text NOT NULL,
        document_id uuid NOT NULL,
        PRIMARY KEY (workspace_id, tag, kind, document_id)
      );

      CREATE FUNCTION store_tags() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          DELETE FROM document_tags
            WHERE workspace_id = OLD.workspace_id AND tag = ANY (OLD.tags) AND kind = TG_ARGV[0]
              AND document_id = OLD.id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO document_tags (workspace_id, tag, kind, document_id)
            SELECT NEW.workspace_id, unnest(NEW.tags), TG_ARGV[0], NEW.id;
        END IF;
        RETURN NULL;
      END $$;
      ${['template', 'module'].map(triggersOf).join('')}

      -- The services of the release before count no versions of modules. They change no tags either, so a
      -- change of tags comes from this release, which counts versions itself.
      DROP TRIGGER count_module_version ON modules;
      CREATE TRIGGER count_module_version BEFORE UPDATE OF events ON modules FOR EACH ROW
        WHEN (NEW.version = OLD.version AND NEW.tags IS NOT DISTINCT FROM OLD.tags)
        EXECUTE FUNCTION count_module_version();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER count_module_version ON modules;
      CREATE TRIGGER count_module_version BEFORE UPDATE OF events ON modules FOR EACH ROW
        WHEN (NEW.version = OLD.version) EXECUTE FUNCTION count_module_version();
      ${['templates', 'modules']
        .map(
          (table) => `
            DROP TRIGGER insert_tags ON ${table};
            DROP TRIGGER update_tags ON ${table};
            DROP TRIGGER delete_tags ON ${table};
            ALTER TABLE ${table} DROP COLUMN tags, DROP COLUMN created_by, DROP COLUMN updated_by;
          `,
        )
        .join('')}
      DROP TABLE document_tags;
      DROP FUNCTION store_tags;
    `);
  }
}

// Most documents have no tags, and most changes leave the tags alone: these run no trigger.
const triggersOf = (kind: string): string => `
      CREATE TRIGGER insert_tags AFTER INSERT ON ${kind}s FOR EACH ROW
        WHEN (NEW.tags <> '{}') EXECUTE FUNCTION store_tags('${kind}');
      CREATE TRIGGER update_tags AFTER UPDATE OF tags ON ${kind}s FOR EACH ROW
        WHEN (NEW.tags <> OLD.tags) EXECUTE FUNCTION store_tags('${kind}');
      CREATE TRIGGER delete_tags AFTER DELETE ON ${kind}s FOR EACH ROW
        WHEN (OLD.tags <> '{}') EXECUTE FUNCTION store_tags('${kind}');`;
