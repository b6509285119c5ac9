import type { MigrationInterface, QueryRunner } from 'typeorm';

// A statement of this size takes milliseconds for usual documents.
const CHUNK = 200;

/**
 * Stores version 1 of all modules that have no version yet. Each chunk is a transaction of its own, because a
 * new version locks its module: no change of a module waits longer than for one chunk.
 */
export class FirstModuleVersions1763683213900 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const ids = (await runner.query(
        `WITH chunk AS (
           -- Without the lock, a module could be deleted before its version refers to it.
           SELECT * FROM modules WHERE id > $1 ORDER BY id LIMIT ${CHUNK} FOR KEY SHARE
         ), version AS (
           INSERT INTO module_versions (module_id, version, name, category, description, content, created_at)
           SELECT id, version, name, category, description, content, updated_at FROM chunk
           ON CONFLICT DO NOTHING
         )
         SELECT id FROM chunk ORDER BY id`,
        [last],
      )) as { id: string }[];
      const next = ids.at(-1)?.id;
      if (next === undefined) return;
      last = next;
    }
  }

  async down(): Promise<void> {
    // The table is dropped with the migration before.
  }
}
