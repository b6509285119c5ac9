import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EncryptionKeys1763683215031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER require_open_encryption_key ON webhook_endpoints;
      DROP FUNCTION require_open_encryption_key;
      DROP TABLE running_programs, encryption_keys;
    `);
  }
}
