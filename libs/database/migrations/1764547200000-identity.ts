import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Identity1764547200000 implements MigrationInterface {
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
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'invited', 'deactivated', 'deleted')),
        -- When the provider changed the stored data; null while the user is known only from tokens.
        provider_updated_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        -- A key acts as a user of its own, so that every statement that reads a caller's role supports keys.
        kind text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'key')),
        -- The email address that the identity provider has verified, in lower case; not an address that a user
        -- only claims to have.
        verified_email text,
        -- When the provider last reported the address, or reported that there is no verified address.
        email_said_at timestamptz(3),
        -- If two messages have the same time, the message with the larger event id wins, in whichever order
        -- they arrive.
        provider_event_id text COLLATE "C" NOT NULL DEFAULT '',
        UNIQUE (issuer, subject)
      );
      CREATE INDEX users_invited ON users (id) WHERE status = 'invited';
      CREATE INDEX users_of_verified_email ON users (verified_email) WHERE verified_email IS NOT NULL;

      CREATE TABLE identity_provider_messages (
        id text PRIMARY KEY,
        received_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX identity_provider_messages_by_age ON identity_provider_messages (received_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE identity_provider_messages, users');
  }
}
