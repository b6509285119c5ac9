import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ApiKeys1763683206000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A key acts as a user of its own, so that every statement that reads a caller's role supports keys.
      ALTER TABLE users ADD COLUMN kind text NOT NULL DEFAULT 'person'
        CHECK (kind IN ('person', 'key'));

      CREATE TABLE api_keys (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        user_id uuid NOT NULL UNIQUE REFERENCES users,
        name text NOT NULL,
        -- SHA-256 of the key. No slow hash is needed, because a key has 32 random bytes.
        hash bytea NOT NULL UNIQUE,
        -- The beginning of the key, which helps users tell keys apart.
        prefix text NOT NULL,
        expires_at timestamptz(3),
        -- Precise to the minute.
        last_used_at timestamptz(3),
        created_by uuid NOT NULL REFERENCES users,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id, created_at, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM workspace_members WHERE user_id IN (SELECT id FROM users WHERE kind = 'key');
      DROP TABLE api_keys;
      UPDATE users SET status = 'deleted' WHERE kind = 'key';
      ALTER TABLE users DROP COLUMN kind;
    `);
  }
}
