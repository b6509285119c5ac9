import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Outbox1763683202000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id uuid PRIMARY KEY,
        kind text NOT NULL,
        workspace_id uuid NOT NULL,
        resource_id uuid NOT NULL,
        data json NOT NULL,
        occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        dispatched_at timestamptz(3)
      );
      CREATE INDEX outbox_undispatched ON outbox (id) WHERE dispatched_at IS NULL;
    `);

    // The second ring around "no change without its event": a transaction that touches a template
    // or a module commits only with an outbox row for it, or after it has said why there is none.
    // The ids travel in a setting that is local to the transaction, which spares an index.
    await runner.query(`
      CREATE FUNCTION note_outbox_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM set_config(
          'galley.event_resources',
          coalesce(current_setting('galley.event_resources', true), '')
            || (SELECT string_agg(resource_id::text, ',') FROM inserted) || ',',
          true
        );
        RETURN NULL;
      END $$;
      CREATE TRIGGER note_outbox_events AFTER INSERT ON outbox
        REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION note_outbox_events();

      CREATE FUNCTION require_outbox_event() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changed uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.id ELSE NEW.id END;
      BEGIN
        IF strpos(coalesce(current_setting('galley.event_resources', true), ''), changed::text) = 0
          AND coalesce(current_setting('galley.no_event', true), '') = ''
        THEN
          RAISE EXCEPTION '% % was changed without an event in the outbox', TG_TABLE_NAME, changed;
        END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER require_outbox_event AFTER INSERT OR UPDATE OR DELETE ON templates
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_outbox_event();
      CREATE CONSTRAINT TRIGGER require_outbox_event AFTER INSERT OR UPDATE OR DELETE ON modules
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_outbox_event();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER require_outbox_event ON modules;
      DROP TRIGGER require_outbox_event ON templates;
      DROP FUNCTION require_outbox_event;
      DROP TABLE outbox;
      DROP FUNCTION note_outbox_events;
    `);
  }
}
