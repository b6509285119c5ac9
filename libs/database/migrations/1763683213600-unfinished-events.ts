import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UnfinishedEvents1763683213600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- This index has few rows: one for each workspace with an event that is being fanned out in parts.
      CREATE INDEX outbox_unfinished ON outbox (workspace_id) WHERE fanned_out_to IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX outbox_unfinished');
  }
}
