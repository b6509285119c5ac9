-- Refuses a commit of the API that changes members, API keys, environments or webhook endpoints of a workspace without an
-- audit entry of that workspace. Every database of the tests has this guard and outbox-guard.sql. The guard
-- checks only the API: writes by a test itself, and changes of an endpoint's status by a worker, need no
-- audit entry.

CREATE FUNCTION note_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config(
    'galley.audited_workspaces',
    coalesce(current_setting('galley.audited_workspaces', true), '') || NEW.workspace_id,
    true
  );
  RETURN NULL;
END $$;

CREATE TRIGGER note_audit_entry AFTER INSERT ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION note_audit_entry();

CREATE FUNCTION require_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END;
BEGIN
  IF current_setting('application_name') = 'galley api'
    AND strpos(coalesce(current_setting('galley.audited_workspaces', true), ''), changed::text) = 0
  THEN
    RAISE EXCEPTION '% of workspace % was changed without an audit entry', TG_TABLE_NAME, changed;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER require_audit_entry AFTER INSERT OR UPDATE OR DELETE ON workspace_members
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_audit_entry();

-- These two triggers ignore the columns that change when a key is used or a test event is sent.
CREATE CONSTRAINT TRIGGER require_audit_entry
  AFTER INSERT OR UPDATE OF name, hash, expires_at OR DELETE ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_audit_entry();

CREATE CONSTRAINT TRIGGER require_audit_entry
  AFTER INSERT OR DELETE OR UPDATE OF url, events, resource_ids, description, encrypted_headers,
    rate_limit, ordered, status, encrypted_secret ON webhook_endpoints
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_audit_entry();

-- Publishing creates the row of 'production' when something needs it.
CREATE CONSTRAINT TRIGGER require_audit_entry_of_creation AFTER INSERT ON environments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.name <> 'production')
  EXECUTE FUNCTION require_audit_entry();
CREATE CONSTRAINT TRIGGER require_audit_entry_of_deletion AFTER DELETE ON environments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_audit_entry();
