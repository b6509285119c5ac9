-- Refuses a commit that changes a template or module without an outbox row for it, unless the unit of work
-- has given a reason. Every database of the tests has this guard; docs/adr/0004 says why production does
-- not. A setting of the transaction collects the ids of the resources that have an outbox row.

CREATE FUNCTION note_outbox_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config(
    'galley.event_resources',
    coalesce(current_setting('galley.event_resources', true), '') || NEW.resource_id,
    true
  );
  RETURN NULL;
END $$;

CREATE TRIGGER note_outbox_event AFTER INSERT ON outbox
  FOR EACH ROW EXECUTE FUNCTION note_outbox_event();

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

CREATE CONSTRAINT TRIGGER require_outbox_event AFTER INSERT OR UPDATE OR DELETE ON documents
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_outbox_event();
