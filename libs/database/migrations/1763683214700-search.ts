import type { MigrationInterface, QueryRunner } from 'typeorm';

// count() keeps PostgreSQL from reading a whole table for each deletion.
const SELECT_PURGED = `SELECT workspace_id, id FROM deleted
          WHERE 0 = (SELECT count(*) FROM (SELECT FROM trashed_documents WHERE id = deleted.id LIMIT 1) kept)
            AND 0 = (SELECT count(*) FROM (SELECT FROM templates WHERE id = deleted.id LIMIT 1) kept)
            AND 0 = (SELECT count(*) FROM (SELECT FROM modules WHERE id = deleted.id LIMIT 1) kept)`;

export class Search1763683214700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What a search finds of each template and module. A worker adds the documents from before this table.
      CREATE TABLE document_search (
        document_id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        kind text NOT NULL,
        -- The version of the document whose text this is.
        version integer NOT NULL,
        -- The words of the name as a search compares them, separated by blanks.
        name_keys text NOT NULL,
        -- The text of the document. NULL until it is known.
        text text,
        -- Each lexeme begins with its workspace, and with one of 256 slices of the workspace's documents: so that
        -- a search reads no entries of other workspaces, and can stop after a slice if a word is frequent.
        lexemes tsvector NOT NULL
      );
      -- Without the list of pending entries, which each search would have to scan.
      CREATE INDEX document_search_lexemes ON document_search USING gin (lexemes) WITH (fastupdate = off);

      -- The documents that match one of the queries, one for each slice, until there are enough. Galley's
      -- connections use no bitmaps, but a GIN index knows no other scan.
      CREATE FUNCTION search_in_slices(
        in_workspace uuid, queries text[], of_kind text, max_documents integer
      ) RETURNS TABLE (document_id uuid, kind text, name_keys text)
        LANGUAGE plpgsql STABLE SET enable_bitmapscan = on AS $$
      DECLARE
        query text;
        found integer := 0;
        more integer;
      BEGIN
        FOREACH query IN ARRAY coalesce(queries, '{}') LOOP
          RETURN QUERY SELECT stored.document_id, stored.kind, stored.name_keys
            FROM document_search stored
            WHERE lexemes @@ query::tsquery AND workspace_id = in_workspace
              AND (of_kind IS NULL OR stored.kind = of_kind)
            LIMIT max_documents - found;
          GET DIAGNOSTICS more = ROW_COUNT;
          found := found + more;
          EXIT WHEN found = max_documents;
        END LOOP;
      END $$;

      -- As before, and deletes what a search finds of the documents.
      CREATE OR REPLACE FUNCTION purge_unless_kept() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        WITH purged AS (
          INSERT INTO documents_to_purge (workspace_id, id) ${SELECT_PURGED} ON CONFLICT DO NOTHING RETURNING id
        )
        DELETE FROM document_search WHERE document_id = ANY (ARRAY(SELECT id FROM purged));
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION purge_unless_kept() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO documents_to_purge (workspace_id, id) ${SELECT_PURGED} ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      DROP FUNCTION search_in_slices;
      DROP TABLE document_search;
    `);
  }
}
