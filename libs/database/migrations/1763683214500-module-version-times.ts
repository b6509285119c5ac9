import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Builds the index while changes go on. That is possible only without a transaction. */
export class ModuleVersionTimes1763683214500 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A build that failed leaves an index that is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS module_versions_by_time');
    // The build waits for the end of all older transactions, and no statement waits behind it.
    await runner.query('SET lock_timeout = 0');
    await runner.query(
      'CREATE INDEX CONCURRENTLY module_versions_by_time ON module_versions (module_id, created_at DESC, version DESC)',
    );
    await runner.query('RESET lock_timeout');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX module_versions_by_time');
  }
}
