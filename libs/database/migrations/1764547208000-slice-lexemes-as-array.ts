import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes filling a slice cheaper: PostgreSQL takes about a third less time and writes less WAL (docs/adr/0021). The
 * lexemes stay the same, so the entries of the index remain valid.
 */
export class SliceLexemesAsArray1764547208000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION slice_lexemes(workspace uuid, slice integer, name_words text, words text)
        RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
        -- The text of a tsvector would have to be parsed.
        RETURN array_to_tsvector(string_to_array(substr(
          replace(rtrim(words), ' ', ' ' || slice_prefix(workspace, slice, 't'))
            || replace(rtrim(name_words), ' ', ' ' || slice_prefix(workspace, slice, 'n')), 2), ' '));

      -- 500 documents with 350 words each have 5 MB of pending entries. With the default of 4 MB, the statement that
      -- puts them into a slice would also sort a part of them in, and the next statement would do so once more.
      -- Other sessions keep the expression of the index with the body of the function in it. This statement makes them
      -- read the expression again. Otherwise, they would not use the index for a statement with the new body.
      ALTER INDEX document_words_lexemes SET (gin_pending_list_limit = 8192);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER INDEX document_words_lexemes RESET (gin_pending_list_limit);
      CREATE OR REPLACE FUNCTION slice_lexemes(workspace uuid, slice integer, name_words text, words text)
        RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN (replace(rtrim(words), ' ', ' ' || slice_prefix(workspace, slice, 't'))
          || replace(rtrim(name_words), ' ', ' ' || slice_prefix(workspace, slice, 'n')))::tsvector;
    `);
  }
}
