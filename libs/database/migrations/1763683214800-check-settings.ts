import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CheckSettings1763683214800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The defaults rewrite no table.
      ALTER TABLE workspaces
        -- The levels of rules that are not the default, by the name of the rule.
        ADD COLUMN check_levels jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN errors_block_publishing boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces DROP COLUMN check_levels, DROP COLUMN errors_block_publishing;
    `);
  }
}
