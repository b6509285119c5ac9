import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pictures of workspaces. The files are in a storage outside of the database, under the keys in these tables. */
export class Assets1764547212000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The stored pictures. A row outlives its workspace until its file is deleted.
      CREATE TABLE asset_contents (
        -- SHA-256 of the workspace and the bytes, in hexadecimal digits. It is part of the public URL.
        hash text COLLATE "C" PRIMARY KEY,
        workspace_id uuid NOT NULL,
        -- No two files ever have the same key, so that the deletion of an old file cannot meet a new one.
        storage_key text NOT NULL,
        -- The last part of the public URL.
        file_name text NOT NULL,
        type text NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        bytes integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        -- When a worker may delete the content, unless something needs it then. Null while an asset has the content.
        purge_after timestamptz(3)
      );
      -- Includes the bytes, so that the sum of a workspace is read from the index alone.
      CREATE INDEX asset_contents_of_workspace ON asset_contents (workspace_id) INCLUDE (bytes);
      CREATE INDEX asset_contents_to_purge ON asset_contents (purge_after) WHERE purge_after IS NOT NULL;

      CREATE TABLE assets (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces,
        -- A workspace has each picture once, also in its trash.
        hash text COLLATE "C" NOT NULL UNIQUE REFERENCES asset_contents,
        name text NOT NULL,
        tags text[] NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL,
        created_by uuid NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        updated_by uuid NOT NULL,
        -- Null unless the asset is in the trash.
        deleted_at timestamptz(3),
        expires_at timestamptz(3)
      );
      CREATE INDEX assets_newest_first ON assets (workspace_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
      CREATE INDEX trashed_assets_newest_first ON assets (workspace_id, updated_at DESC, id DESC)
        WHERE deleted_at IS NOT NULL;
      CREATE INDEX assets_by_expiry ON assets (expires_at) WHERE expires_at IS NOT NULL;

      -- Files that a worker deletes: those of purged contents, and those of uploads that did not finish.
      CREATE TABLE asset_files_to_delete (
        storage_key text PRIMARY KEY,
        delete_after timestamptz NOT NULL
      );
      CREATE INDEX asset_files_to_delete_by_time ON asset_files_to_delete (delete_after);

      -- The pictures that each version of a document refers to, whether they exist or not.
      CREATE TABLE asset_references (
        document_id uuid NOT NULL,
        version integer NOT NULL,
        hash text COLLATE "C" NOT NULL,
        PRIMARY KEY (document_id, version, hash),
        FOREIGN KEY (document_id, version) REFERENCES document_versions ON DELETE CASCADE
      );
      CREATE INDEX asset_references_by_hash ON asset_references (hash, document_id, version);

      -- A trigger, because versions come from many statements, and programs of the previous release make some of them
      -- during an update. Some JSON libraries escape slashes. The limit bounds what a version costs.
      CREATE FUNCTION store_asset_references() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO asset_references (document_id, version, hash)
          SELECT NEW.document_id, NEW.version, hash FROM (
            SELECT DISTINCT digest[1] AS hash
            FROM regexp_matches(NEW.content::text, '/assets\\\\?/([0-9a-f]{64})\\\\?/', 'g') AS digest
          ) reference LIMIT 1000;
        RETURN NULL;
      END $$;
      -- Most documents refer to no picture of Galley: these run no trigger.
      CREATE TRIGGER store_asset_references AFTER INSERT ON document_versions FOR EACH ROW
        WHEN (strpos(NEW.content::text, '/assets') > 0) EXECUTE FUNCTION store_asset_references();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER store_asset_references ON document_versions;
      DROP FUNCTION store_asset_references;
      DROP TABLE asset_references, asset_files_to_delete, assets, asset_contents;
    `);
  }
}
