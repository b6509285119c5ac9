import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Workspaces1764547201000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workspaces (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        -- The levels of rules that are not the default, by the name of the rule.
        check_levels jsonb NOT NULL DEFAULT '{}',
        errors_block_publishing boolean NOT NULL DEFAULT false
      );

      CREATE TABLE workspace_members (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES users,
        role text NOT NULL CHECK (role IN ('published', 'viewer', 'editor', 'admin', 'owner')),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, user_id)
      );
      CREATE INDEX workspace_members_user ON workspace_members (user_id);

      CREATE TABLE provider_organizations (
        issuer text NOT NULL,
        id text NOT NULL,
        -- Null once the organization or the workspace was deleted. No later message restores them.
        workspace_id uuid REFERENCES workspaces ON DELETE SET NULL UNIQUE,
        -- Null while the organization is known only from its memberships.
        provider_updated_at timestamptz(3),
        provider_event_id text COLLATE "C" NOT NULL DEFAULT '',
        PRIMARY KEY (issuer, id)
      );

      CREATE TABLE provider_memberships (
        issuer text NOT NULL,
        id text NOT NULL,
        organization_id text NOT NULL,
        subject text NOT NULL,
        role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
        status text NOT NULL CHECK (status IN ('active', 'inactive', 'deleted')),
        provider_updated_at timestamptz(3) NOT NULL,
        provider_event_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (issuer, id)
      );
      CREATE INDEX provider_memberships_of_user ON provider_memberships (issuer, organization_id, subject);

      CREATE TABLE api_keys (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES users UNIQUE,
        name text NOT NULL,
        -- SHA-256 of the key. No slow hash is needed, because a key has 32 random bytes.
        hash bytea NOT NULL UNIQUE,
        -- The beginning of the key, which helps users tell keys apart.
        prefix text NOT NULL,
        expires_at timestamptz(3),
        -- Precise to the minute.
        last_used_at timestamptz(3),
        created_by uuid NOT NULL REFERENCES users,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        -- A key with an environment may only read what is published there. Its membership has a role that is
        -- lower than 'viewer'.
        environment text
      );
      CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id, created_at, id);

      CREATE TABLE audit_entries (
        id uuid PRIMARY KEY,
        -- No foreign key: an entry outlives its workspace, because the deletion of a workspace is an entry,
        -- too.
        workspace_id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        action text NOT NULL,
        -- Null if the identity provider made the change.
        actor_id uuid REFERENCES users,
        address inet,
        target_id uuid NOT NULL,
        details json NOT NULL
      );
      CREATE INDEX audit_entries_by_age ON audit_entries (occurred_at);
      CREATE INDEX audit_entries_of_workspace ON audit_entries (workspace_id, occurred_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_entries, api_keys, provider_memberships, provider_organizations, workspace_members, workspaces;
    `);
  }
}
