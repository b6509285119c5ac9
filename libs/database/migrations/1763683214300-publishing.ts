import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Publishing1763683214300 implements MigrationInterface {
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
        FOREIGN KEY (template_id, version) REFERENCES template_versions ON DELETE CASCADE,
        FOREIGN KEY (workspace_id, environment) REFERENCES environments
      );
      CREATE INDEX template_pointers_of_environment ON template_pointers (workspace_id, environment);

      -- The history of the pointers. It outlives the environments, and stays while the template is in the
      -- trash. The purge deletes it. number is the value of templates.unversioned_events.
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
        FOREIGN KEY (template_id, version) REFERENCES template_versions ON DELETE CASCADE,
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
      CREATE TRIGGER delete_scheduled_publications AFTER DELETE ON templates
        REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION delete_scheduled_publications();

      -- When a worker looks for due publications of a workspace. Workspaces take turns, so that a workspace
      -- with many due publications does not delay the others.
      CREATE TABLE publication_turns (
        workspace_id uuid PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
        next_at timestamptz NOT NULL
      );
      CREATE INDEX publication_turns_due ON publication_turns (next_at);

      -- A key with an environment may only read what is published there. Its membership has a role that is
      -- lower than 'viewer', so services of the previous version refuse it everything. NOT VALID: the earlier
      -- constraint has checked all rows.
      ALTER TABLE api_keys ADD COLUMN environment text;
      ALTER TABLE workspace_members DROP CONSTRAINT workspace_members_role_check,
        ADD CONSTRAINT workspace_members_role_check
          CHECK (role IN ('published', 'viewer', 'editor', 'admin', 'owner')) NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM workspace_members WHERE role = 'published';
      DELETE FROM api_keys WHERE environment IS NOT NULL;
      ALTER TABLE workspace_members DROP CONSTRAINT workspace_members_role_check,
        ADD CONSTRAINT workspace_members_role_check
          CHECK (role IN ('viewer', 'editor', 'admin', 'owner')) NOT VALID;
      ALTER TABLE api_keys DROP COLUMN environment;
      DROP TRIGGER delete_scheduled_publications ON templates;
      DROP FUNCTION delete_scheduled_publications;
      DROP TABLE publication_turns, scheduled_publications, template_publications, template_pointers;
      DROP TABLE environments;
    `);
  }
}
