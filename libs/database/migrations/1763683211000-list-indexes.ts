import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Separate from statements that take a stronger lock: reads continue while these indexes are built, which
 * may take long.
 */
export class ListIndexes1763683211000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- In the order in which the services lock these tables.
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
