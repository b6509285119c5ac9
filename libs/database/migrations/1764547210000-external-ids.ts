import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ids that callers give to their templates and modules. */
export class ExternalIds1764547210000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- NULL if the caller has given the document no id. A document in the trash keeps its external id in fields.
      ALTER TABLE documents ADD COLUMN external_id text COLLATE "C";
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP COLUMN external_id');
  }
}
