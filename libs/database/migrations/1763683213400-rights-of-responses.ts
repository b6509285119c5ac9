import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RightsOfResponses1763683213400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- [{"workspaceId": …, "roles": […]}]: the caller must have one of the roles in each of the workspaces
      -- to get the stored response. Null in rows of the previous version.
      ALTER TABLE idempotency_keys ADD COLUMN rights json;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys DROP COLUMN rights');
  }
}
