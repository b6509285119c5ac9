import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UsageUpdates1763683214400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Long jobs that pin the references of templates to a version of a module.
      CREATE TABLE module_usage_updates (
        id uuid PRIMARY KEY,
        module_id uuid NOT NULL REFERENCES modules ON DELETE CASCADE,
        -- The module's workspace.
        workspace_id uuid NOT NULL,
        -- The author of the new versions. The job updates only templates that this user may edit.
        user_id uuid NOT NULL,
        to_version integer NOT NULL,
        -- Null for all templates.
        template_ids uuid[],
        status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'cancelled')),
        -- The job has processed the templates up to this id.
        reached uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        total integer NOT NULL,
        done integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        -- The first failures: [{templateId, message}]
        failures jsonb NOT NULL DEFAULT '[]',
        -- How many consecutive steps have ended with an error.
        stalls integer NOT NULL DEFAULT 0,
        next_step_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3)
      );
      CREATE INDEX module_usage_updates_of_module ON module_usage_updates (module_id, id);
      CREATE INDEX module_usage_updates_due ON module_usage_updates (next_step_at)
        WHERE status = 'running';
      -- Many jobs of one workspace would delay the jobs of others.
      CREATE UNIQUE INDEX module_usage_updates_running ON module_usage_updates (workspace_id)
        WHERE status = 'running';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE module_usage_updates');
  }
}
