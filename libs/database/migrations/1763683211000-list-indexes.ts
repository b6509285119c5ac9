import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Building these indexes may take long, and blocks writes but not reads. The indexes have a migration of
 * their own, because the locks of other statements would also block reads.
 */
export class ListIndexes1763683211000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The services lock these tables in the same order, so that no deadlock happens.
      LOCK TABLE templates, modules IN SHARE MODE;
      CREATE INDEX templates_by_creation ON templates (workspace_id, created_at, id);
      CREATE INDEX modules_by_creation ON modules (workspace_id, created_at, id);
      CREATE INDEX templates_by_name ON templates (workspace_id, lower(name) COLLATE "C", id);
      CREATE INDEX modules_by_name ON modules (workspace_id, lower(name) COLLATE "C", id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX templates_by_name, modules_by_name, templates_by_creation, modules_by_creation',
    );
  }
}
