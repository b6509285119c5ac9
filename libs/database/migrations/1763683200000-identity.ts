import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Identity1763683200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        email text NOT NULL DEFAULT '',
        first_name text NOT NULL DEFAULT '',
        last_name text NOT NULL DEFAULT '',
        -- A deleted user stays as a tombstone, so that a late message or an old token does not restore the
        -- user.
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deactivated', 'deleted')),
        -- When the provider changed the stored data; null while the user is known only from tokens.
        provider_updated_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        UNIQUE (issuer, subject)
      );

      CREATE TABLE identity_provider_messages (
        id text PRIMARY KEY,
        received_at timestamptz(3) NOT NULL DEFAULT now()
      );

      CREATE TABLE workspaces (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );

      CREATE TABLE workspace_members (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES users,
        role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, user_id)
      );
      CREATE INDEX workspace_members_user ON workspace_members (user_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE workspace_members, workspaces, identity_provider_messages, users',
    );
  }
}
