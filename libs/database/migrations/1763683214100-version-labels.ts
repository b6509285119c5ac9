import type { MigrationInterface, QueryRunner } from 'typeorm';

export class VersionLabels1763683214100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Texts that people add to a version later. The default rewrites no table.
      ALTER TABLE template_versions ADD COLUMN label text NOT NULL DEFAULT '',
        ADD COLUMN note text NOT NULL DEFAULT '';
      ALTER TABLE module_versions ADD COLUMN label text NOT NULL DEFAULT '',
        ADD COLUMN note text NOT NULL DEFAULT '';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE module_versions DROP COLUMN label, DROP COLUMN note;
      ALTER TABLE template_versions DROP COLUMN label, DROP COLUMN note;
    `);
  }
}
