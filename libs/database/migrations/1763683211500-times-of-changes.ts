import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TimesOfChanges1763683211500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- In the order in which the services lock these tables, and for a moment.
      LOCK TABLE templates, modules IN ACCESS EXCLUSIVE MODE;

      -- The time of a change to a row of a list that is read forward in time. The lock, whose key says
      -- when the transaction began (21 bits of ours, 42 bits of milliseconds), conflicts with nothing;
      -- it shows readers a change that they cannot see yet. libs/documents/low-watermark.ts says why.
      CREATE FUNCTION time_of_change() RETURNS timestamptz LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(
          (1763683::bigint << 42) | floor(date_part('epoch', now()) * 1000)::bigint
        );
        RETURN clock_timestamp();
      END $$;
      -- For services of the previous version, which still create rows during an update. Their updates take
      -- no lock: lists can be followed once these services have stopped.
      ALTER TABLE templates ALTER COLUMN created_at SET DEFAULT time_of_change(),
        ALTER COLUMN updated_at SET DEFAULT time_of_change();
      ALTER TABLE modules ALTER COLUMN created_at SET DEFAULT time_of_change(),
        ALTER COLUMN updated_at SET DEFAULT time_of_change();

      -- templates_by_name and modules_by_name find the free name of a copy.
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
