import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdempotencyKeys1763683212000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Stored responses of requests with an idempotency key. The column user_id has no foreign key: users
      -- are never deleted, and a foreign key would lock the caller's row in each of these transactions.
      CREATE TABLE idempotency_keys (
        user_id uuid NOT NULL,
        key text COLLATE "C" NOT NULL,
        fingerprint bytea NOT NULL,
        status smallint NOT NULL,
        headers json NOT NULL,
        encrypted_body bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, key)
      );
      -- Encrypted bytes cannot be compressed, so PostgreSQL must not try.
      ALTER TABLE idempotency_keys ALTER COLUMN encrypted_body SET STORAGE EXTERNAL;
      CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
