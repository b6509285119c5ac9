import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TimesOfChanges1763683211500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The services lock these tables in the same order, so that no deadlock happens. The locks are held
      -- for a moment only.
      LOCK TABLE templates, modules IN ACCESS EXCLUSIVE MODE;

      -- Returns the time of a change to a row, for lists that clients read forward in time. Takes a lock
      -- whose key says when the transaction began: 21 constant bits, then 42 bits of milliseconds. The lock
      -- conflicts with nothing. It tells readers that there is a change which they cannot see yet;
      -- libs/documents/lists/low-watermark.ts says why.
      CREATE FUNCTION time_of_change() RETURNS timestamptz LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(
          (1763683::bigint << 42) | floor(date_part('epoch', now()) * 1000)::bigint
        );
        RETURN clock_timestamp();
      END $$;
      -- The defaults are for services of the previous version, which still insert rows during a deployment.
      -- The UPDATE statements of these services take no lock, so clients can follow lists only after these
      -- services have stopped.
      ALTER TABLE templates ALTER COLUMN created_at SET DEFAULT time_of_change(),
        ALTER COLUMN updated_at SET DEFAULT time_of_change();
      ALTER TABLE modules ALTER COLUMN created_at SET DEFAULT time_of_change(),
        ALTER COLUMN updated_at SET DEFAULT time_of_change();

      -- No longer needed: the search for the free name of a copy uses templates_by_name and
      -- modules_by_name.
      DROP INDEX templates_name, modules_name;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX templates_name ON templates (workspace_id, name);
      CREATE INDEX modules_name ON modules (workspace_id, name);
      ALTER TABLE templates ALTER COLUMN created_at SET DEFAULT now(),
        ALTER COLUMN updated_at SET DEFAULT now();
      ALTER TABLE modules ALTER COLUMN created_at SET DEFAULT now(),
        ALTER COLUMN updated_at SET DEFAULT now();
      DROP FUNCTION time_of_change;
    `);
  }
}
