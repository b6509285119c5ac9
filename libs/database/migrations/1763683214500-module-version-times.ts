import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Building the index blocks changes of modules, but not reads. The index has a migration of its own, because the
 * locks of other statements would also block reads.
 */
export class ModuleVersionTimes1763683214500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX module_versions_by_time
        ON module_versions (module_id, created_at DESC, version DESC)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX module_versions_by_time');
  }
}
