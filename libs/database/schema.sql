-- The schema after all migrations. `npm run generate` writes this file.

CREATE OR REPLACE FUNCTION public.delete_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        DELETE FROM webhook_deliveries WHERE endpoint_id = OLD.endpoint_id;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.delete_module_usages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        DELETE FROM module_usages USING deleted WHERE document_id = deleted.id;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.delete_scheduled_publications()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        DELETE FROM scheduled_publications
          WHERE template_id = ANY (ARRAY(SELECT id FROM deleted));
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.documents_with_words(in_workspace uuid, searched text[], in_names boolean, of_kind text, max_documents integer)
 RETURNS TABLE(document_id uuid, kind text, name_words text)
 LANGUAGE plpgsql
 STABLE
 SET enable_bitmapscan TO 'on'
AS $function$
      DECLARE
        slices_at_once CONSTANT integer := 8;
        patterns text[] := ARRAY(
          SELECT '% ' || word || CASE WHEN number < cardinality(searched) THEN ' %' ELSE '%' END
          FROM unnest(searched) WITH ORDINALITY AS word (word, number)
        );
        place text := CASE WHEN in_names THEN 'n' ELSE 't' END;
        last_slice integer;
        query tsquery;
        found integer := 0;
        more integer;
      BEGIN
        IF cardinality(searched) = 0 THEN RETURN; END IF;
        RETURN QUERY SELECT stored.document_id, stored.kind, stored.name_words
          FROM document_words stored
          WHERE workspace_id = in_workspace AND slice IS NULL AND (of_kind IS NULL OR stored.kind = of_kind)
            AND CASE WHEN in_names THEN stored.name_words ELSE words END LIKE ALL (patterns)
          ORDER BY stored.document_id DESC LIMIT max_documents;
        GET DIAGNOSTICS found = ROW_COUNT;
        SELECT max(stored.slice) INTO last_slice FROM document_words stored WHERE workspace_id = in_workspace;
        WHILE found < max_documents AND last_slice IS NOT NULL LOOP
          SELECT string_agg(
              '(' || prefix || array_to_string(searched, ' & ' || prefix) || ':*)', ' | ' ORDER BY number
            )::tsquery INTO query
          FROM generate_series(greatest(0, last_slice - slices_at_once + 1), last_slice) number
            CROSS JOIN LATERAL slice_prefix(in_workspace, number, place) AS prefix;
          RETURN QUERY SELECT stored.document_id, stored.kind, stored.name_words
            FROM document_words stored
            WHERE slice_lexemes(workspace_id, slice, stored.name_words, words) @@ query
              AND slice IS NOT NULL AND workspace_id = in_workspace
              AND (of_kind IS NULL OR stored.kind = of_kind)
            LIMIT max_documents - found;
          GET DIAGNOSTICS more = ROW_COUNT;
          found := found + more;
          SELECT max(stored.slice) INTO last_slice FROM document_words stored
            WHERE workspace_id = in_workspace AND slice <= last_slice - slices_at_once;
        END LOOP;
      END $function$;

CREATE OR REPLACE FUNCTION public.purge_unless_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        -- What leaves the trash may be restored, and is queued then.
        IF TG_TABLE_NAME = 'documents' THEN
          DELETE FROM documents_to_index WHERE document_id = ANY (ARRAY(SELECT id FROM deleted));
          DELETE FROM document_words WHERE document_id = ANY (ARRAY(SELECT id FROM deleted));
        END IF;
        INSERT INTO documents_to_purge (workspace_id, id) SELECT workspace_id, id FROM deleted
          WHERE 0 = (SELECT count(*) FROM (SELECT FROM trashed_documents WHERE id = deleted.id LIMIT 1) kept)
            AND 0 = (SELECT count(*) FROM (SELECT FROM documents WHERE id = deleted.id LIMIT 1) kept)
          ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.release_webhook_endpoints()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        UPDATE webhook_endpoints SET workspace_deleted_at = now() WHERE workspace_id = OLD.id;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.require_open_encryption_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      DECLARE
        pattern CONSTANT text := '(^|[ "])([0-9a-f]{8})\.';
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
      END $function$;

CREATE OR REPLACE FUNCTION public.slice_lexemes(workspace uuid, slice integer, name_words text, words text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(string_to_array(substr((replace(rtrim(words), ' '::text, (' '::text || slice_prefix(workspace, slice, 't'::text))) || replace(rtrim(name_words), ' '::text, (' '::text || slice_prefix(workspace, slice, 'n'::text)))), 2), ' '::text));

CREATE OR REPLACE FUNCTION public.slice_prefix(workspace uuid, slice integer, place text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (("right"((workspace)::text, 4) || lpad(to_hex(slice), 3, '0'::text)) || place);

CREATE OR REPLACE FUNCTION public.store_asset_references()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        INSERT INTO asset_references (document_id, version, hash)
          SELECT NEW.document_id, NEW.version, hash FROM (
            SELECT DISTINCT digest[1] AS hash
            FROM regexp_matches(NEW.content::text, '/assets\\?/([0-9a-f]{64})\\?/', 'g') AS digest
          ) reference LIMIT 1000;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.store_tags()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          DELETE FROM document_tags
            WHERE workspace_id = OLD.workspace_id AND tag = ANY (OLD.tags) AND kind = OLD.kind
              AND document_id = OLD.id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO document_tags (workspace_id, tag, kind, document_id)
            SELECT NEW.workspace_id, unnest(NEW.tags), NEW.kind, NEW.id;
        END IF;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.time_of_change()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(
          (1763683::bigint << 42) | floor(date_part('epoch', now()) * 1000)::bigint
        );
        RETURN clock_timestamp();
      END $function$;

CREATE OR REPLACE FUNCTION public.uuidv7_at(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
AS $function$
        -- A random UUID (version 4) with 48 bits of time in front; two bits turn the 4 into a 7.
        SELECT encode(
          set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid()) PLACING
              substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1),
            52, 1), 53, 1),
          'hex')::uuid
      $function$;

CREATE TABLE api_keys (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  hash bytea NOT NULL,
  prefix text NOT NULL,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_by uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  environment text,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT api_keys_hash_key UNIQUE (hash),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT api_keys_user_id_key UNIQUE (user_id),
  CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_of_workspace ON api_keys USING btree (workspace_id, created_at, id);

CREATE TABLE asset_contents (
  hash text COLLATE "C" NOT NULL,
  workspace_id uuid NOT NULL,
  storage_key text NOT NULL,
  file_name text NOT NULL,
  type text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  bytes integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  purge_after timestamp(3) with time zone,
  CONSTRAINT asset_contents_pkey PRIMARY KEY (hash)
);
CREATE INDEX asset_contents_of_workspace ON asset_contents USING btree (workspace_id) INCLUDE (bytes);
CREATE INDEX asset_contents_to_purge ON asset_contents USING btree (purge_after) WHERE purge_after IS NOT NULL;

CREATE TABLE asset_files_to_delete (
  storage_key text NOT NULL,
  delete_after timestamp with time zone NOT NULL,
  CONSTRAINT asset_files_to_delete_pkey PRIMARY KEY (storage_key)
);
CREATE INDEX asset_files_to_delete_by_time ON asset_files_to_delete USING btree (delete_after);

CREATE TABLE asset_references (
  document_id uuid NOT NULL,
  version integer NOT NULL,
  hash text COLLATE "C" NOT NULL,
  CONSTRAINT asset_references_pkey PRIMARY KEY (document_id, version, hash),
  CONSTRAINT asset_references_document_id_version_fkey FOREIGN KEY (document_id, version) REFERENCES document_versions(document_id, version) ON DELETE CASCADE
);
CREATE INDEX asset_references_by_hash ON asset_references USING btree (hash, document_id, version);

CREATE TABLE assets (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  hash text COLLATE "C" NOT NULL,
  name text NOT NULL,
  tags text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  updated_by uuid NOT NULL,
  deleted_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  CONSTRAINT assets_pkey PRIMARY KEY (id),
  CONSTRAINT assets_hash_fkey FOREIGN KEY (hash) REFERENCES asset_contents(hash),
  CONSTRAINT assets_hash_key UNIQUE (hash),
  CONSTRAINT assets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX assets_by_expiry ON assets USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX assets_newest_first ON assets USING btree (workspace_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX trashed_assets_newest_first ON assets USING btree (workspace_id, updated_at DESC, id DESC) WHERE deleted_at IS NOT NULL;

CREATE TABLE audit_entries (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  action text NOT NULL,
  actor_id uuid,
  address inet,
  target_id uuid NOT NULL,
  details json NOT NULL,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id)
);
CREATE INDEX audit_entries_by_age ON audit_entries USING btree (occurred_at);
CREATE INDEX audit_entries_of_workspace ON audit_entries USING btree (workspace_id, occurred_at, id);

CREATE TABLE document_tags (
  workspace_id uuid NOT NULL,
  tag text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  document_id uuid NOT NULL,
  CONSTRAINT document_tags_pkey PRIMARY KEY (workspace_id, tag, kind, document_id)
);

CREATE TABLE document_versions (
  document_id uuid NOT NULL,
  version integer NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  category text NOT NULL DEFAULT ''::text,
  description text NOT NULL DEFAULT ''::text,
  content json NOT NULL,
  content_bytes integer NOT NULL,
  label text NOT NULL DEFAULT ''::text,
  note text NOT NULL DEFAULT ''::text,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT document_versions_pkey PRIMARY KEY (document_id, version),
  CONSTRAINT document_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE INDEX document_versions_of_modules ON document_versions USING btree (document_id, created_at DESC, version DESC) WHERE kind = 'module'::text;
CREATE TRIGGER store_asset_references AFTER INSERT ON document_versions FOR EACH ROW WHEN (strpos(new.content::text, '/assets'::text) > 0) EXECUTE FUNCTION store_asset_references();

CREATE TABLE document_words (
  document_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  slice integer,
  name_words text COLLATE "C" NOT NULL,
  words text COLLATE "C" NOT NULL,
  CONSTRAINT document_words_pkey PRIMARY KEY (document_id)
);
CREATE INDEX document_words_by_slice ON document_words USING btree (workspace_id, slice, document_id);
CREATE INDEX document_words_lexemes ON document_words USING gin (slice_lexemes(workspace_id, slice, name_words, words)) WITH (gin_pending_list_limit='8192') WHERE slice IS NOT NULL;

CREATE TABLE documents (
  id uuid NOT NULL,
  kind text NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  category text NOT NULL DEFAULT ''::text,
  description text NOT NULL DEFAULT ''::text,
  tags text[] NOT NULL DEFAULT '{}'::text[],
  version integer NOT NULL DEFAULT 1,
  events integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_at timestamp(3) with time zone NOT NULL,
  updated_by uuid,
  external_id text COLLATE "C",
  CONSTRAINT documents_pkey PRIMARY KEY (id),
  CONSTRAINT documents_kind_check CHECK (kind = ANY (ARRAY['template'::text, 'module'::text])),
  CONSTRAINT documents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX documents_by_creation ON documents USING btree (workspace_id, kind, created_at, id);
CREATE UNIQUE INDEX documents_by_external_id ON documents USING btree (uuid_send(workspace_id), external_id, kind) WHERE external_id IS NOT NULL;
CREATE INDEX documents_by_name ON documents USING btree (workspace_id, kind, lower(name) COLLATE "C", id);
CREATE INDEX documents_newest_first ON documents USING btree (workspace_id, kind, updated_at DESC, id DESC);
CREATE TRIGGER delete_module_usages AFTER DELETE ON documents REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_module_usages();
CREATE TRIGGER delete_scheduled_publications AFTER DELETE ON documents REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_scheduled_publications();
CREATE TRIGGER delete_tags AFTER DELETE ON documents FOR EACH ROW WHEN (old.tags <> '{}'::text[]) EXECUTE FUNCTION store_tags();
CREATE TRIGGER insert_tags AFTER INSERT ON documents FOR EACH ROW WHEN (new.tags <> '{}'::text[]) EXECUTE FUNCTION store_tags();
CREATE TRIGGER purge_unless_kept AFTER DELETE ON documents REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION purge_unless_kept();
CREATE TRIGGER update_tags AFTER UPDATE OF tags ON documents FOR EACH ROW WHEN (new.tags <> old.tags) EXECUTE FUNCTION store_tags();

CREATE TABLE documents_to_index (
  document_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  version integer NOT NULL,
  queued_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT documents_to_index_pkey PRIMARY KEY (document_id)
);
CREATE INDEX documents_to_index_by_workspace ON documents_to_index USING btree (workspace_id, due_at);

CREATE TABLE documents_to_purge (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  CONSTRAINT documents_to_purge_pkey PRIMARY KEY (workspace_id, id)
);

CREATE TABLE encryption_keys (
  id text NOT NULL,
  state text NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  webhooks integer NOT NULL DEFAULT 0,
  CONSTRAINT encryption_keys_pkey PRIMARY KEY (id),
  CONSTRAINT encryption_keys_state_check CHECK (state = ANY (ARRAY['active'::text, 'old'::text, 'closed'::text, 'retired'::text]))
);
CREATE UNIQUE INDEX encryption_keys_active ON encryption_keys USING btree (state) WHERE state = 'active'::text;

CREATE TABLE environments (
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT environments_pkey PRIMARY KEY (workspace_id, name),
  CONSTRAINT environments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT environments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE events (
  workspace_id uuid NOT NULL,
  position bigint NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  resource_id uuid NOT NULL,
  sequence integer NOT NULL,
  data json NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  relayed_at timestamp(3) with time zone NOT NULL,
  traceparent text,
  CONSTRAINT events_pkey PRIMARY KEY (workspace_id, "position", relayed_at)
) PARTITION BY RANGE (relayed_at);

CREATE TABLE idempotency_keys (
  user_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  headers json NOT NULL,
  encrypted_body bytea STORAGE EXTERNAL NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  rights json NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

CREATE TABLE identity_provider_messages (
  id text NOT NULL,
  received_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT identity_provider_messages_pkey PRIMARY KEY (id)
);
CREATE INDEX identity_provider_messages_by_age ON identity_provider_messages USING btree (received_at);

CREATE TABLE leases (
  name text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);

CREATE TABLE migrations (
  id integer NOT NULL DEFAULT nextval('migrations_id_seq'::regclass),
  timestamp bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT PK_8c82d7f526340ab734260ea46be PRIMARY KEY (id)
);

CREATE TABLE module_usage_updates (
  id uuid NOT NULL,
  module_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  to_version integer NOT NULL,
  template_ids uuid[],
  status text NOT NULL DEFAULT 'running'::text,
  reached uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  failures jsonb NOT NULL DEFAULT '[]'::jsonb,
  stalls integer NOT NULL DEFAULT 0,
  next_step_at timestamp with time zone NOT NULL DEFAULT now(),
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  finished_at timestamp(3) with time zone,
  CONSTRAINT module_usage_updates_pkey PRIMARY KEY (id),
  CONSTRAINT module_usage_updates_module_id_fkey FOREIGN KEY (module_id) REFERENCES documents(id) ON DELETE CASCADE,
  CONSTRAINT module_usage_updates_status_check CHECK (status = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text]))
);
CREATE INDEX module_usage_updates_due ON module_usage_updates USING btree (next_step_at) WHERE status = 'running'::text;
CREATE INDEX module_usage_updates_of_module ON module_usage_updates USING btree (module_id, id);
CREATE UNIQUE INDEX module_usage_updates_running ON module_usage_updates USING btree (workspace_id) WHERE status = 'running'::text;

CREATE TABLE module_usages (
  document_id uuid NOT NULL,
  document_kind text NOT NULL,
  module_id uuid NOT NULL,
  pinned_version integer NOT NULL,
  occurrences integer NOT NULL,
  CONSTRAINT module_usages_pkey PRIMARY KEY (document_id, module_id, pinned_version)
);
CREATE INDEX module_usages_of_module ON module_usages USING btree (module_id, document_id);

CREATE TABLE module_version_references (
  module_id uuid NOT NULL,
  version integer NOT NULL,
  modules integer NOT NULL,
  uses jsonb NOT NULL,
  expanded_bytes integer NOT NULL,
  CONSTRAINT module_version_references_pkey PRIMARY KEY (module_id, version),
  CONSTRAINT module_version_references_module_id_version_fkey FOREIGN KEY (module_id, version) REFERENCES document_versions(document_id, version) ON DELETE CASCADE
);

CREATE TABLE outbox (
  workspace_id uuid NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  id uuid NOT NULL,
  kind text NOT NULL,
  resource_id uuid NOT NULL,
  sequence integer NOT NULL,
  data json NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  position bigint,
  relayed_at timestamp(3) with time zone,
  fanned_out_to uuid,
  endpoint_id uuid,
  traceparent text,
  CONSTRAINT outbox_pkey PRIMARY KEY (workspace_id, number)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
CREATE INDEX outbox_of_endpoint ON outbox USING btree (endpoint_id, id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX outbox_unfinished ON outbox USING btree (workspace_id) WHERE fanned_out_to IS NOT NULL;

CREATE TABLE provider_memberships (
  issuer text NOT NULL,
  id text NOT NULL,
  organization_id text NOT NULL,
  subject text NOT NULL,
  role text NOT NULL,
  status text NOT NULL,
  provider_updated_at timestamp(3) with time zone NOT NULL,
  provider_event_id text COLLATE "C" NOT NULL,
  CONSTRAINT provider_memberships_pkey PRIMARY KEY (issuer, id),
  CONSTRAINT provider_memberships_role_check CHECK (role = ANY (ARRAY['viewer'::text, 'editor'::text, 'admin'::text, 'owner'::text])),
  CONSTRAINT provider_memberships_status_check CHECK (status = ANY (ARRAY['active'::text, 'inactive'::text, 'deleted'::text]))
);
CREATE INDEX provider_memberships_of_user ON provider_memberships USING btree (issuer, organization_id, subject);

CREATE TABLE provider_organizations (
  issuer text NOT NULL,
  id text NOT NULL,
  workspace_id uuid,
  provider_updated_at timestamp(3) with time zone,
  provider_event_id text COLLATE "C" NOT NULL DEFAULT ''::text,
  CONSTRAINT provider_organizations_pkey PRIMARY KEY (issuer, id),
  CONSTRAINT provider_organizations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE SET NULL,
  CONSTRAINT provider_organizations_workspace_id_key UNIQUE (workspace_id)
);

CREATE TABLE publication_turns (
  workspace_id uuid NOT NULL,
  next_at timestamp with time zone NOT NULL,
  CONSTRAINT publication_turns_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT publication_turns_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX publication_turns_due ON publication_turns USING btree (next_at);

CREATE TABLE running_programs (
  id uuid NOT NULL,
  program text NOT NULL,
  host text NOT NULL,
  key_ids text[] NOT NULL,
  active_key_id text,
  beats bigint NOT NULL DEFAULT 0,
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT running_programs_pkey PRIMARY KEY (id)
);

CREATE TABLE scheduled_publications (
  id uuid NOT NULL,
  template_id uuid NOT NULL,
  environment text NOT NULL,
  workspace_id uuid NOT NULL,
  version integer NOT NULL,
  note text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT scheduled_publications_pkey PRIMARY KEY (id),
  CONSTRAINT scheduled_publications_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT scheduled_publications_template_id_version_fkey FOREIGN KEY (template_id, version) REFERENCES document_versions(document_id, version) ON DELETE CASCADE,
  CONSTRAINT scheduled_publications_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environments(workspace_id, name),
  CONSTRAINT scheduled_publications_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX scheduled_publications_of_environment ON scheduled_publications USING btree (workspace_id, environment);
CREATE INDEX scheduled_publications_of_template ON scheduled_publications USING btree (template_id, at, id);
CREATE INDEX scheduled_publications_of_workspace ON scheduled_publications USING btree (workspace_id, at, id);

CREATE TABLE template_pointers (
  template_id uuid NOT NULL,
  environment text NOT NULL,
  workspace_id uuid NOT NULL,
  version integer NOT NULL,
  number integer NOT NULL,
  published_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT template_pointers_pkey PRIMARY KEY (template_id, environment),
  CONSTRAINT template_pointers_template_id_version_fkey FOREIGN KEY (template_id, version) REFERENCES document_versions(document_id, version) ON DELETE CASCADE,
  CONSTRAINT template_pointers_workspace_id_environment_fkey FOREIGN KEY (workspace_id, environment) REFERENCES environments(workspace_id, name),
  CONSTRAINT template_pointers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX template_pointers_of_environment ON template_pointers USING btree (workspace_id, environment);

CREATE TABLE template_publications (
  template_id uuid NOT NULL,
  number integer NOT NULL,
  id uuid NOT NULL,
  environment text NOT NULL,
  version integer,
  note text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT template_publications_pkey PRIMARY KEY (template_id, number),
  CONSTRAINT template_publications_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE INDEX template_publications_of_environment ON template_publications USING btree (template_id, environment, number);

CREATE TABLE trashed_documents (
  id uuid NOT NULL,
  kind text NOT NULL,
  workspace_id uuid NOT NULL,
  fields jsonb NOT NULL,
  usages jsonb NOT NULL,
  deleted_by uuid NOT NULL,
  deleted_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT trashed_documents_pkey PRIMARY KEY (id),
  CONSTRAINT trashed_documents_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES users(id),
  CONSTRAINT trashed_documents_kind_check CHECK (kind = ANY (ARRAY['template'::text, 'module'::text])),
  CONSTRAINT trashed_documents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX trashed_documents_by_expiry ON trashed_documents USING btree ((expires_at AT TIME ZONE 'UTC'::text));
CREATE INDEX trashed_documents_latest_first ON trashed_documents USING btree (workspace_id, expires_at DESC, id DESC);
CREATE TRIGGER purge_unless_kept AFTER DELETE ON trashed_documents REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION purge_unless_kept();

CREATE TABLE users (
  id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text NOT NULL DEFAULT ''::text,
  first_name text NOT NULL DEFAULT ''::text,
  last_name text NOT NULL DEFAULT ''::text,
  status text NOT NULL DEFAULT 'active'::text,
  provider_updated_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  kind text NOT NULL DEFAULT 'person'::text,
  verified_email text,
  email_said_at timestamp(3) with time zone,
  provider_event_id text COLLATE "C" NOT NULL DEFAULT ''::text,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT users_kind_check CHECK (kind = ANY (ARRAY['person'::text, 'key'::text])),
  CONSTRAINT users_status_check CHECK (status = ANY (ARRAY['active'::text, 'invited'::text, 'deactivated'::text, 'deleted'::text]))
);
CREATE INDEX users_invited ON users USING btree (id) WHERE status = 'invited'::text;
CREATE INDEX users_of_verified_email ON users USING btree (verified_email) WHERE verified_email IS NOT NULL;

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  claim integer NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  duration_ms integer NOT NULL,
  status_code integer,
  stage text,
  error text,
  request_headers json,
  response_headers json,
  response_body text,
  url text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, claim)
) PARTITION BY RANGE (delivery_id);

CREATE TABLE webhook_deliveries (
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  event_position bigint NOT NULL,
  event_relayed_at timestamp(3) with time zone NOT NULL,
  event_id uuid NOT NULL,
  kind text NOT NULL,
  resource_id uuid NOT NULL,
  sequence integer NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL,
  claims integer NOT NULL DEFAULT 0,
  claimed_until timestamp with time zone,
  is_ordered boolean NOT NULL DEFAULT false,
  replay_id uuid,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (endpoint_id, id)
) WITH (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (endpoint_id, due_at) WHERE due_at > '-infinity'::timestamp with time zone;
CREATE INDEX webhook_deliveries_ordered ON webhook_deliveries USING btree (endpoint_id, resource_id, event_position) WHERE is_ordered;
CREATE INDEX webhook_deliveries_replay ON webhook_deliveries USING btree (replay_id, attempts, due_at) WHERE replay_id IS NOT NULL;

CREATE TABLE webhook_delivery_log (
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  event_position bigint NOT NULL,
  event_relayed_at timestamp(3) with time zone NOT NULL,
  event_id uuid NOT NULL,
  kind text NOT NULL,
  resource_id uuid NOT NULL,
  sequence integer NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL,
  finished_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  replay_id uuid,
  CONSTRAINT webhook_delivery_log_pkey PRIMARY KEY (endpoint_id, id),
  CONSTRAINT webhook_delivery_log_status_check CHECK (status = ANY (ARRAY['delivered'::text, 'failed'::text, 'cancelled'::text]))
) PARTITION BY RANGE (id);
CREATE INDEX webhook_delivery_log_undelivered ON ONLY webhook_delivery_log USING btree (endpoint_id, status, id) WHERE status <> 'delivered'::text;

CREATE TABLE webhook_endpoint_transitions (
  endpoint_id uuid NOT NULL,
  sequence integer NOT NULL,
  status text NOT NULL,
  reason text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT webhook_endpoint_transitions_pkey PRIMARY KEY (endpoint_id, sequence),
  CONSTRAINT webhook_endpoint_transitions_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
);

CREATE TABLE webhook_endpoints (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  description text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  encrypted_secret text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  status_reason text,
  status_since timestamp(3) with time zone NOT NULL DEFAULT now(),
  sequence integer NOT NULL DEFAULT 0,
  resource_ids uuid[],
  rate_limit integer,
  encrypted_headers text,
  ordered boolean NOT NULL DEFAULT false,
  earlier_secrets json NOT NULL DEFAULT '[]'::json,
  workspace_deleted_at timestamp with time zone,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_status_check CHECK (status = ANY (ARRAY['active'::text, 'failing'::text, 'disabled'::text]))
);
CREATE INDEX webhook_endpoints_by_status ON webhook_endpoints USING btree (status) WHERE workspace_deleted_at IS NULL;
CREATE INDEX webhook_endpoints_newest_first ON webhook_endpoints USING btree (workspace_id, updated_at DESC, id DESC);
CREATE INDEX webhook_endpoints_of_workspace ON webhook_endpoints USING btree (workspace_id, id);
CREATE INDEX webhook_endpoints_without_workspace ON webhook_endpoints USING btree (workspace_deleted_at) WHERE workspace_deleted_at IS NOT NULL;
CREATE TRIGGER require_open_encryption_key BEFORE INSERT OR UPDATE OF encrypted_secret, encrypted_headers, earlier_secrets ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION require_open_encryption_key();

CREATE TABLE webhook_replays (
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'running'::text,
  reached uuid NOT NULL,
  end_id uuid NOT NULL,
  events text[],
  resource_id uuid,
  statuses text[],
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  stalls integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  next_step_at timestamp with time zone NOT NULL DEFAULT now(),
  finished_at timestamp(3) with time zone,
  CONSTRAINT webhook_replays_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_replays_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  CONSTRAINT webhook_replays_status_check CHECK (status = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text]))
);
CREATE INDEX webhook_replays_of_endpoint ON webhook_replays USING btree (endpoint_id, id);
CREATE UNIQUE INDEX webhook_replays_one_at_a_time ON webhook_replays USING btree (endpoint_id) WHERE status = 'running'::text;
CREATE INDEX webhook_replays_running ON webhook_replays USING btree (next_step_at) WHERE status = 'running'::text;

CREATE TABLE webhook_statistics (
  subject_id uuid NOT NULL,
  interval_start timestamp with time zone NOT NULL,
  attempts integer NOT NULL,
  delivered integer NOT NULL,
  failed integer NOT NULL,
  retried integer NOT NULL,
  within_1 integer NOT NULL,
  within_2 integer NOT NULL,
  within_4 integer NOT NULL,
  within_8 integer NOT NULL,
  within_16 integer NOT NULL,
  within_32 integer NOT NULL,
  within_64 integer NOT NULL,
  within_128 integer NOT NULL,
  within_256 integer NOT NULL,
  within_512 integer NOT NULL,
  within_1024 integer NOT NULL,
  within_2048 integer NOT NULL,
  within_4096 integer NOT NULL,
  within_8192 integer NOT NULL,
  within_15000 integer NOT NULL,
  longer integer NOT NULL,
  CONSTRAINT webhook_statistics_pkey PRIMARY KEY (subject_id, interval_start)
) PARTITION BY RANGE (interval_start);

CREATE TABLE webhook_traffic (
  endpoint_id uuid NOT NULL,
  queued boolean NOT NULL DEFAULT false,
  wake_at timestamp with time zone,
  in_flight integer NOT NULL DEFAULT 0,
  claimed_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  window_size integer NOT NULL DEFAULT 1,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamp(3) with time zone,
  opened integer NOT NULL DEFAULT 0,
  open_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  failed_at timestamp with time zone,
  paced_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  is_draining boolean NOT NULL DEFAULT false,
  last_failed_delivery_id uuid,
  last_failed_claim integer,
  is_pause_requested boolean NOT NULL DEFAULT false,
  CONSTRAINT webhook_traffic_pkey PRIMARY KEY (endpoint_id),
  CONSTRAINT webhook_traffic_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_traffic_wake ON webhook_traffic USING btree (wake_at);
CREATE TRIGGER delete_deliveries AFTER DELETE ON webhook_traffic FOR EACH ROW EXECUTE FUNCTION delete_deliveries();

CREATE TABLE workspace_feeds (
  workspace_id uuid NOT NULL,
  position bigint NOT NULL DEFAULT 0,
  CONSTRAINT workspace_feeds_pkey PRIMARY KEY (workspace_id)
) WITH (fillfactor=50);

CREATE TABLE workspace_members (
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT workspace_members_pkey PRIMARY KEY (workspace_id, user_id),
  CONSTRAINT workspace_members_role_check CHECK (role = ANY (ARRAY['published'::text, 'viewer'::text, 'editor'::text, 'admin'::text, 'owner'::text])),
  CONSTRAINT workspace_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT workspace_members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX workspace_members_user ON workspace_members USING btree (user_id);

CREATE TABLE workspaces (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  check_levels jsonb NOT NULL DEFAULT '{}'::jsonb,
  errors_block_publishing boolean NOT NULL DEFAULT false,
  CONSTRAINT workspaces_pkey PRIMARY KEY (id)
);
CREATE TRIGGER release_webhook_endpoints AFTER DELETE ON workspaces FOR EACH ROW EXECUTE FUNCTION release_webhook_endpoints();
