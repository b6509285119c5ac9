import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ListOrders1763683211000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- In the order in which the services lock them.
      LOCK TABLE templates, modules IN ACCESS EXCLUSIVE MODE;

      -- The time of a change to a row of a list that is read forward in time. The lock, whose key says
      -- when the transaction began (21 bits of ours, 42 bits of milliseconds), conflicts with nothing;
      -- it shows readers a change that they cannot see yet. libs/database/horizon.ts says why.
      CREATE FUNCTION time_of_change() RETURNS timestamptz LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(
          (1763683::bigint << 42) | floor(date_part('epoch', now()) * 1000)::bigint
        );
        RETURN clock_timestamp();
      END $$;
      -- For the service of the version before, which creates while the versions change. What it updates
      -- has no lock: lists can be followed once it is gone.
      ALTER TABLE templates ALTER COLUMN created_at SET DEFAULT time_of_change(),
        ALTER COLUMN updated_at SET DEFAULT time_of_change();
      ALTER TABLE modules ALTER COLUMN created_at SET DEFAULT time_of_change(),
        ALTER COLUMN updated_at SET DEFAULT time_of_change();

      CREATE INDEX templates_by_creation ON templates (workspace_id, created_at, id);
      CREATE INDEX modules_by_creation ON modules (workspace_id, created_at, id);
      -- These find the free name of a copy as well, so that the ones for that can go.
      CREATE INDEX templates_by_name ON templates (workspace_id, lower(name) COLLATE "C", id);
      CREATE INDEX modules_by_name ON modules (workspace_id, lower(name) COLLATE "C", id);
      DROP INDEX templates_name, modules_name;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX templates_name ON templates (workspace_id, name);
      CREATE INDEX modules_name ON modules (workspace_id, name);
      DROP INDEX templates_by_name, modules_by_name, templates_by_creation, modules_by_creation;
      ALTER TABLE templates ALTER COLUMN created_at SET DEFAULT now(),
        ALTER COLUMN updated_at SET DEFAULT now();
      ALTER TABLE modules ALTER COLUMN created_at SET DEFAULT now(),
        ALTER COLUMN updated_at SET DEFAULT now();
      DROP FUNCTION time_of_change;
    `);
  }
}
