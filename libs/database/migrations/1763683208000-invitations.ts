import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Invitations1763683208000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Each invited email address gets a user that nobody can sign in as. When somebody signs in with the
      -- verified address, the memberships of this user move to that person's own user.
      ALTER TABLE users DROP CONSTRAINT users_status_check;
      ALTER TABLE users ADD CONSTRAINT users_status_check
        CHECK (status IN ('active', 'invited', 'deactivated', 'deleted'));

      -- The email address that the identity provider has verified, in lower case; not an address that a user
      -- only claims to have.
      ALTER TABLE users ADD COLUMN verified_email text;
      -- When the provider last reported the address, or reported that there is no verified address.
      ALTER TABLE users ADD COLUMN email_said_at timestamptz(3);
      CREATE INDEX users_of_verified_email ON users (verified_email)
        WHERE verified_email IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM workspace_members
        WHERE user_id IN (SELECT id FROM users WHERE status = 'invited');
      DELETE FROM users WHERE status = 'invited';
      ALTER TABLE users DROP COLUMN verified_email, DROP COLUMN email_said_at;
      ALTER TABLE users DROP CONSTRAINT users_status_check;
      ALTER TABLE users ADD CONSTRAINT users_status_check
        CHECK (status IN ('active', 'deactivated', 'deleted'));
    `);
  }
}
