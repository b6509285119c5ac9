import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Search1764547207000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Documents whose words a worker has to store (docs/adr/0021). A document is here only while it is neither in the
      -- trash nor deleted.
      CREATE TABLE documents_to_index (
        document_id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        -- The version of the latest change.
        version integer NOT NULL,
        queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        due_at timestamptz NOT NULL
      );
      CREATE INDEX documents_to_index_by_workspace ON documents_to_index (workspace_id, due_at);

      -- The words of each document. Words are as a search compares them, with a blank before and after each.
      CREATE TABLE document_words (
        document_id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        kind text NOT NULL,
        -- The part of a large workspace's documents whose words are in the index. NULL: a search reads the row.
        slice integer,
        name_words text COLLATE "C" NOT NULL,
        -- Of the name and the text.
        words text COLLATE "C" NOT NULL
      );
      CREATE INDEX document_words_by_slice ON document_words (workspace_id, slice, document_id);

      -- What the lexemes of a slice begin with. The start of the workspace's id would be a time, which many share. If
      -- two workspaces have the same four digits, a search in one of them reads entries of the other, and skips them.
      CREATE FUNCTION slice_prefix(workspace uuid, slice integer, place text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN right(workspace::text, 4) || lpad(to_hex(slice), 3, '0') || place;

      CREATE FUNCTION slice_lexemes(workspace uuid, slice integer, name_words text, words text) RETURNS tsvector
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN (replace(rtrim(words), ' ', ' ' || slice_prefix(workspace, slice, 't'))
          || replace(rtrim(name_words), ' ', ' ' || slice_prefix(workspace, slice, 'n')))::tsvector;

      CREATE INDEX document_words_lexemes
        ON document_words USING gin (slice_lexemes(workspace_id, slice, name_words, words)) WHERE slice IS NOT NULL;

      -- The documents that have all words, the last one also as the beginning of a word, until there are enough. First
      -- those that are in no slice, then the slices from the last on, several at a time. Galley's connections use no
      -- bitmaps, but a GIN index knows no other scan.
      CREATE FUNCTION documents_with_words(
        in_workspace uuid, searched text[], in_names boolean, of_kind text, max_documents integer
      ) RETURNS TABLE (document_id uuid, kind text, name_words text)
        LANGUAGE plpgsql STABLE SET enable_bitmapscan = on AS $$
      DECLARE
        slices_at_once CONSTANT integer := 8;
        patterns text[] := ARRAY(
          SELECT '% ' || word || CASE WHEN number < cardinality(searched) THEN ' %' ELSE '%' END
          FROM unnest(searched) WITH ORDINALITY AS word (word, number)
        );
        place text := CASE WHEN in_names THEN 'n' ELSE 't' END;
        last_slice integer;
        query tsquery;
        found integer := 0;
        more integer;
      BEGIN
        IF cardinality(searched) = 0 THEN RETURN; END IF;
        RETURN QUERY SELECT stored.document_id, stored.kind, stored.name_words
          FROM document_words stored
          WHERE workspace_id = in_workspace AND slice IS NULL AND (of_kind IS NULL OR stored.kind = of_kind)
            AND CASE WHEN in_names THEN stored.name_words ELSE words END LIKE ALL (patterns)
          ORDER BY stored.document_id DESC LIMIT max_documents;
        GET DIAGNOSTICS found = ROW_COUNT;
        SELECT max(stored.slice) INTO last_slice FROM document_words stored WHERE workspace_id = in_workspace;
        WHILE found < max_documents AND last_slice IS NOT NULL LOOP
          SELECT string_agg(
              '(' || prefix || array_to_string(searched, ' & ' || prefix) || ':*)', ' | ' ORDER BY number
            )::tsquery INTO query
          FROM generate_series(greatest(0, last_slice - slices_at_once + 1), last_slice) number
            CROSS JOIN LATERAL slice_prefix(in_workspace, number, place) AS prefix;
          RETURN QUERY SELECT stored.document_id, stored.kind, stored.name_words
            FROM document_words stored
            WHERE slice_lexemes(workspace_id, slice, stored.name_words, words) @@ query
              AND slice IS NOT NULL AND workspace_id = in_workspace
              AND (of_kind IS NULL OR stored.kind = of_kind)
            LIMIT max_documents - found;
          GET DIAGNOSTICS more = ROW_COUNT;
          found := found + more;
          SELECT max(stored.slice) INTO last_slice FROM document_words stored
            WHERE workspace_id = in_workspace AND slice <= last_slice - slices_at_once;
        END LOOP;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION documents_with_words;
      DROP TABLE document_words, documents_to_index;
      DROP FUNCTION slice_lexemes, slice_prefix;
    `);
  }
}
