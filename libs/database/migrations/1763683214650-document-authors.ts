import type { MigrationInterface, QueryRunner } from 'typeorm';

// A statement of this size takes some 10 milliseconds, in which changes of the chunk's documents wait.
const CHUNK = 500;

/** Copies the users who made the first and the latest version of each document to the document's row. */
export class DocumentAuthors1763683214650 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const kind of ['template', 'module']) {
      let last: string | undefined = '00000000-0000-0000-0000-000000000000';
      while (last !== undefined) last = await copyAuthors(runner, kind, last);
    }
  }

  async down(): Promise<void> {
    // The columns are dropped with the migration before.
  }
}

/** @returns the last document of the chunk after `last`; undefined after the end. */
async function copyAuthors(
  runner: QueryRunner,
  kind: string,
  last: string,
): Promise<string | undefined> {
  const author = (version: string) =>
    `(SELECT created_by FROM ${kind}_versions WHERE ${kind}_id = document.id AND version = ${version})`;
  const ids = (await runner.query(
    `WITH chunk AS (
       -- In the order of the locks of a batch.
       SELECT id FROM ${kind}s WHERE id > $1 ORDER BY id LIMIT ${CHUNK} FOR NO KEY UPDATE
     ), updated AS (
       UPDATE ${kind}s document SET
         created_by = coalesce(created_by, ${author('1')}),
         updated_by = coalesce(updated_by, ${author('document.version')})
       FROM chunk WHERE document.id = chunk.id
     )
     SELECT id FROM chunk ORDER BY id`,
    [last],
  )) as { id: string }[];
  return ids.at(-1)?.id;
}
