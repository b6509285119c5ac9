import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Organizations1763683210000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The services lock these tables in the same order, so that no deadlock happens.
      LOCK TABLE identity_provider_messages, users IN ACCESS EXCLUSIVE MODE;

      -- If two messages have the same time, the message with the larger event id wins, in whichever order
      -- they arrive.
      ALTER TABLE users ADD COLUMN provider_event_id text COLLATE "C" NOT NULL DEFAULT '';

      CREATE TABLE provider_organizations (
        issuer text NOT NULL,
        id text NOT NULL,
        -- Null once the organization or the workspace was deleted. No later message restores them.
        workspace_id uuid UNIQUE REFERENCES workspaces ON DELETE SET NULL,
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
      CREATE INDEX provider_memberships_of_user
        ON provider_memberships (issuer, organization_id, subject);

      CREATE INDEX identity_provider_messages_by_age ON identity_provider_messages (received_at);
      CREATE INDEX users_invited ON users (id) WHERE status = 'invited';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX users_invited, identity_provider_messages_by_age;
      DROP TABLE provider_memberships, provider_organizations;
      ALTER TABLE users DROP COLUMN provider_event_id;
    `);
  }
}
