import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Publishing1764547203000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The environments of a workspace. The row of 'production' is created when something needs it.
      CREATE TABLE environments (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        name text NOT NULL,
        created_by uuid REFERENCES users,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, name)
      );

      -- What is published: one row for each template and environment. The pointers of a template in the trash
      -- stay.
      CREATE TABLE template_pointers (
        template_id uuid NOT NULL,
        environment text NOT NULL,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        version integer NOT NULL,
        -- The publication that set the pointer.
        number integer NOT NULL,
        -- No two publications of a template have the same time.
        published_at timestamptz(3) NOT NULL,
        PRIMARY KEY (template_id, environment),
        FOREIGN KEY (template_id, version) REFERENCES document_versions ON DELETE CASCADE,
        FOREIGN KEY (workspace_id, environment) REFERENCES environments
      );
      CREATE INDEX template_pointers_of_environment ON template_pointers (workspace_id, environment);

      -- The history of the pointers. It outlives the environments, and stays while the template is in the
      -- trash. The purge deletes it. number is the
      -- value of documents.events.
      CREATE TABLE template_publications (
        template_id uuid NOT NULL,
        number integer NOT NULL,
        id uuid NOT NULL,
        environment text NOT NULL,
        -- Null if the template was unpublished.
        version integer,
        note text NOT NULL,
        at timestamptz(3) NOT NULL,
        created_by uuid NOT NULL REFERENCES users,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (template_id, number)
      );
      CREATE INDEX template_publications_of_environment
        ON template_publications (template_id, environment, number);

      CREATE TABLE scheduled_publications (
        id uuid PRIMARY KEY,
        template_id uuid NOT NULL,
        environment text NOT NULL,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        version integer NOT NULL,
        note text NOT NULL,
        at timestamptz(3) NOT NULL,
        created_by uuid NOT NULL REFERENCES users,
        created_at timestamptz(3) NOT NULL,
        FOREIGN KEY (template_id, version) REFERENCES document_versions ON DELETE CASCADE,
        FOREIGN KEY (workspace_id, environment) REFERENCES environments
      );
      CREATE INDEX scheduled_publications_of_template
        ON scheduled_publications (template_id, at, id);
      CREATE INDEX scheduled_publications_of_workspace
        ON scheduled_publications (workspace_id, at, id);
      CREATE INDEX scheduled_publications_of_environment
        ON scheduled_publications (workspace_id, environment);

      -- A template in the trash is not published at a time that passes meanwhile.
      CREATE FUNCTION delete_scheduled_publications() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM scheduled_publications
          WHERE template_id = ANY (ARRAY(SELECT id FROM deleted));
        RETURN NULL;
      END $$;
      CREATE TRIGGER delete_scheduled_publications AFTER DELETE ON documents
        REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION delete_scheduled_publications();

      -- When a worker looks for due publications of a workspace. Workspaces take turns, so that a workspace
      -- with many due publications does not delay the others.
      CREATE TABLE publication_turns (
        workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
        next_at timestamptz NOT NULL
      );
      CREATE INDEX publication_turns_due ON publication_turns (next_at);


      -- Long jobs that pin the references of templates to a version of a module.
      CREATE TABLE module_usage_updates (
        id uuid PRIMARY KEY,
        module_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
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
    await runner.query(`
      DROP TRIGGER delete_scheduled_publications ON documents;
      DROP FUNCTION delete_scheduled_publications;
      DROP TABLE module_usage_updates, publication_turns, scheduled_publications, template_publications,
        template_pointers, environments;
    `);
  }
}
