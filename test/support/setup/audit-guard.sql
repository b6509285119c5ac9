-- Refuses a commit of the API that changes who may do what, or where events go, without an audit
-- entry of that workspace. It stands in every database of the tests, beside outbox-guard.sql. What a
-- test writes by itself, and what a worker finds out about an endpoint, needs none.

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

-- A test's event and the use of a key are no changes of what they are.
CREATE CONSTRAINT TRIGGER require_audit_entry
  AFTER INSERT OR UPDATE OF name, hash, expires_at OR DELETE ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_audit_entry();

CREATE CONSTRAINT TRIGGER require_audit_entry
  AFTER INSERT OR DELETE OR UPDATE OF url, events, resource_ids, description, encrypted_headers,
    rate_limit, ordered, status, encrypted_secret ON webhook_endpoints
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_audit_entry();
