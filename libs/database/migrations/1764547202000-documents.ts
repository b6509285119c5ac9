import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Documents1764547202000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Returns the time of a change to a row, for lists that clients read forward in time. Takes a lock
      -- whose key says when the transaction began: 21 constant bits, then 42 bits of milliseconds. The lock
      -- conflicts with nothing. It tells readers that there is a change which they cannot see yet;
      -- libs/documents/lists/low-watermark.ts says why.
      CREATE FUNCTION time_of_change() RETURNS timestamptz LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(
          (1763683::bigint << 42) | floor(date_part('epoch', now()) * 1000)::bigint
        );
        RETURN clock_timestamp();
      END $$;

      -- Templates and modules. The documents themselves are in document_versions.
      CREATE TABLE documents (
        id uuid PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('template', 'module')),
        workspace_id uuid NOT NULL REFERENCES workspaces,
        name text NOT NULL,
        -- Empty for templates.
        category text NOT NULL DEFAULT '',
        description text NOT NULL DEFAULT '',
        tags text[] NOT NULL DEFAULT '{}',
        -- The number of the latest version.
        version integer NOT NULL DEFAULT 1,
        -- The number of events, which is the sequence number of the latest one.
        events integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        -- Null for a document of an export that has no author.
        created_by uuid,
        updated_at timestamptz(3) NOT NULL,
        updated_by uuid
      );
      CREATE INDEX documents_newest_first ON documents (workspace_id, kind, updated_at DESC, id DESC);
      CREATE INDEX documents_by_creation ON documents (workspace_id, kind, created_at, id);
      CREATE INDEX documents_by_name ON documents (workspace_id, kind, lower(name) COLLATE "C", id);

      -- A deleted document leaves its versions behind: for the trash, or for the purge.
      CREATE TABLE document_versions (
        document_id uuid NOT NULL,
        version integer NOT NULL,
        kind text NOT NULL,
        name text NOT NULL,
        category text NOT NULL DEFAULT '',
        description text NOT NULL DEFAULT '',
        -- json, because jsonb loses the order of keys, duplicate keys and the spelling of numbers.
        content json NOT NULL,
        -- Without reading the document, PostgreSQL knows only the compressed size, but pages are limited by this one.
        content_bytes integer NOT NULL,
        -- Texts that people add to a version later.
        label text NOT NULL DEFAULT '',
        note text NOT NULL DEFAULT '',
        created_by uuid REFERENCES users,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (document_id, version)
      );
      -- For references to the module of a time. Nothing looks for the template of a time.
      CREATE INDEX document_versions_of_modules
        ON document_versions (document_id, created_at DESC, version DESC) WHERE kind = 'module';

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
            WHERE workspace_id = OLD.workspace_id AND tag = ANY (OLD.tags) AND kind = OLD.kind
              AND document_id = OLD.id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO document_tags (workspace_id, tag, kind, document_id)
            SELECT NEW.workspace_id, unnest(NEW.tags), NEW.kind, NEW.id;
        END IF;
        RETURN NULL;
      END $$;
      -- Most documents have no tags, and most changes leave the tags alone: these run no trigger.
      CREATE TRIGGER insert_tags AFTER INSERT ON documents FOR EACH ROW
        WHEN (NEW.tags <> '{}') EXECUTE FUNCTION store_tags();
      CREATE TRIGGER update_tags AFTER UPDATE OF tags ON documents FOR EACH ROW
        WHEN (NEW.tags <> OLD.tags) EXECUTE FUNCTION store_tags();
      CREATE TRIGGER delete_tags AFTER DELETE ON documents FOR EACH ROW
        WHEN (OLD.tags <> '{}') EXECUTE FUNCTION store_tags();

      -- Which modules the latest versions of documents use directly.
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

      -- The trigger replaces a foreign key, which would look up the document of each new usage.
      CREATE FUNCTION delete_module_usages() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM module_usages USING deleted WHERE document_id = deleted.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER delete_module_usages AFTER DELETE ON documents
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_module_usages();

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
        FOREIGN KEY (module_id, version) REFERENCES document_versions ON DELETE CASCADE
      );

      -- Deleted documents that can be restored. Their versions stay where they are.
      CREATE TABLE trashed_documents (
        id uuid PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('template', 'module')),
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        -- The row of the document, by column.
        fields jsonb NOT NULL,
        -- The rows of module_usages: [{module_id, pinned_version, occurrences}].
        usages jsonb NOT NULL,
        deleted_by uuid NOT NULL REFERENCES users,
        deleted_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      );
      CREATE INDEX trashed_documents_latest_first ON trashed_documents (workspace_id, expires_at DESC, id DESC);
      -- For the purge of all workspaces. An expression, because PostgreSQL would also use an index of the bare
      -- column for lists, and read the documents of other workspaces.
      CREATE INDEX trashed_documents_by_expiry ON trashed_documents ((expires_at AT TIME ZONE 'UTC'));

      -- Documents that are gone for good. A worker deletes their versions, a few at a time.
      CREATE TABLE documents_to_purge (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        PRIMARY KEY (workspace_id, id)
      );

      -- Documents in neither of the two tables are purged. count() keeps PostgreSQL from reading a whole table for each
      -- deletion.
      CREATE FUNCTION purge_unless_kept() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- What leaves the trash may be restored, and is queued then.
        IF TG_TABLE_NAME = 'documents' THEN
          DELETE FROM documents_to_index WHERE document_id = ANY (ARRAY(SELECT id FROM deleted));
          DELETE FROM document_words WHERE document_id = ANY (ARRAY(SELECT id FROM deleted));
        END IF;
        INSERT INTO documents_to_purge (workspace_id, id) SELECT workspace_id, id FROM deleted
          WHERE 0 = (SELECT count(*) FROM (SELECT FROM trashed_documents WHERE id = deleted.id LIMIT 1) kept)
            AND 0 = (SELECT count(*) FROM (SELECT FROM documents WHERE id = deleted.id LIMIT 1) kept)
          ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER purge_unless_kept AFTER DELETE ON documents
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION purge_unless_kept();
      CREATE TRIGGER purge_unless_kept AFTER DELETE ON trashed_documents
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION purge_unless_kept();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE module_version_references, module_usages, documents_to_purge, trashed_documents, document_tags,
        document_versions, documents;
      DROP FUNCTION purge_unless_kept, delete_module_usages, store_tags, time_of_change;
    `);
  }
}
