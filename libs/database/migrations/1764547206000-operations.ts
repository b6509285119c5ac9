import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Operations1764547206000 implements MigrationInterface {
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
        -- [{"workspaceId": …, "roles": […]}]: the caller must have one of the roles in each of the workspaces
        -- to get the stored response.
        rights json NOT NULL,
        PRIMARY KEY (user_id, key)
      );
      -- Encrypted bytes cannot be compressed, so PostgreSQL must not try.
      ALTER TABLE idempotency_keys ALTER COLUMN encrypted_body SET STORAGE EXTERNAL;
      CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

      -- Work that one process at a time does for all. A row instead of an advisory lock, because a lock of a
      -- session does not survive a connection pooler.
      CREATE TABLE leases (
        name text PRIMARY KEY,
        holder uuid NOT NULL,
        expires_at timestamptz NOT NULL
      );

      -- The keys that have encrypted stored values, by an id that tells nothing about the key (docs/adr/0031).
      CREATE TABLE encryption_keys (
        id text PRIMARY KEY,
        -- active: encrypts. old: programs that have not noticed the promotion of another key may still encrypt
        -- with it. closed: encrypts nothing, and stored values may need it. retired: no webhook needs it.
        state text NOT NULL CHECK (state IN ('active', 'old', 'closed', 'retired')),
        changed_at timestamptz NOT NULL DEFAULT now(),
        -- How many webhooks needed the key when a worker counted last.
        webhooks integer NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX encryption_keys_active ON encryption_keys (state) WHERE state = 'active';

      -- Refuses values of a key that is closed, retired or not known: the program that writes them has slept
      -- through a promotion. A transaction that stores a value of a key locks the key until it ends, so that a
      -- key is closed only after that. Values that the row already had may stay.
      CREATE FUNCTION require_open_encryption_key() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        pattern CONSTANT text := '(^|[ "])([0-9a-f]{8})\\.';
        stored text := '';
        key_id text;
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          stored := concat_ws(' ', OLD.encrypted_secret, OLD.encrypted_headers, OLD.earlier_secrets::text);
        END IF;
        FOR key_id IN
          SELECT match[2] FROM regexp_matches(
            concat_ws(' ', NEW.encrypted_secret, NEW.encrypted_headers, NEW.earlier_secrets::text),
            pattern, 'g') AS match
          EXCEPT SELECT match[2] FROM regexp_matches(stored, pattern, 'g') AS match
        LOOP
          PERFORM FROM encryption_keys WHERE id = key_id AND state IN ('active', 'old') FOR SHARE;
          IF NOT FOUND AND EXISTS (SELECT FROM encryption_keys) THEN
            RAISE EXCEPTION 'The key % must not encrypt any more.', key_id USING ERRCODE = 'GK001';
          END IF;
        END LOOP;
        RETURN NEW;
      END $$;
      CREATE TRIGGER require_open_encryption_key
        BEFORE INSERT OR UPDATE OF encrypted_secret, encrypted_headers, earlier_secrets ON webhook_endpoints
        FOR EACH ROW EXECUTE FUNCTION require_open_encryption_key();

      -- The programs that run, and the keys that they know, in the order of SECRETS_KEYS.
      CREATE TABLE running_programs (
        id uuid PRIMARY KEY,
        program text NOT NULL,
        host text NOT NULL,
        key_ids text[] NOT NULL,
        -- The key that the program encrypts with.
        active_key_id text,
        -- How often the program has reported that it runs.
        beats bigint NOT NULL DEFAULT 0,
        seen_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER require_open_encryption_key ON webhook_endpoints;
      DROP FUNCTION require_open_encryption_key;
      DROP TABLE running_programs, encryption_keys, leases, idempotency_keys;
    `);
  }
}
