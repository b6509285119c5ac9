-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- selectHistory (libs/publishing/list-publications.ts)
-- Parameters: $1 uuid, $2 uuid, $3 integer, $4 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", template.id AS "foundId", page.* FROM users caller
   LEFT JOIN documents template ON template.id = $2 AND (template.kind = 'template') IS TRUE
   LEFT JOIN workspace_members member
     ON member.workspace_id = template.workspace_id AND member.user_id = caller.id
   LEFT JOIN LATERAL (
     SELECT publication.id, publication.template_id AS "templateId", publication.environment, CASE WHEN publication.version IS NULL THEN 'unpublished' ELSE 'published' END AS status,
  publication.version, publication.note, publication.at, publication.created_by AS "createdBy", publication.created_at AS "createdAt", number FROM template_publications publication
     WHERE template_id = template.id AND number < $3
     ORDER BY number DESC LIMIT $4
   ) page ON true
   WHERE caller.id = $1 ORDER BY page.number DESC;

-- LOCK_PUBLISHED_TEMPLATES (libs/publishing/move-pointer.sql.ts)
-- Parameters: $1 uuid, $2 text
-- Locks: template_pointers FOR NO KEY UPDATE
SELECT FROM documents WHERE id = ANY (ARRAY(
    SELECT template_id FROM template_pointers WHERE workspace_id = $1 AND environment = $2
  )) ORDER BY id FOR NO KEY UPDATE;

-- LOCK_TEMPLATE (libs/publishing/move-pointer.sql.ts)
-- Parameters: $1 uuid
-- Locks: documents FOR NO KEY UPDATE
SELECT FROM documents WHERE id = $1 AND (documents.kind = 'template') IS TRUE
  FOR NO KEY UPDATE;

-- MOVE_POINTER (libs/publishing/move-pointer.sql.ts)
-- Parameters: $1 uuid, $2 text, $3 integer, $4 text, $5 uuid, $6 uuid, $7 timestamp with time zone
-- Writes: Delete template_pointers, Insert template_pointers, Insert template_publications, Update documents
WITH pointer AS (
    SELECT version FROM template_pointers WHERE template_id = $1 AND environment = $2
  ), template AS (
    UPDATE documents SET events = events + 1
    WHERE id = $1 AND (SELECT version FROM pointer) IS DISTINCT FROM $3::integer
    RETURNING id, workspace_id, external_id, events AS sequence
  ), publication AS (
    INSERT INTO template_publications (template_id, number, id, environment, version, note, created_by, at,
      created_at)
    SELECT template.id, sequence, $6, $2, $3, $4, $5, moment.at, coalesce($7, moment.at)
    FROM template CROSS JOIN LATERAL (
      SELECT greatest(date_trunc('milliseconds', clock_timestamp()), (
        SELECT at + interval '1 millisecond' FROM template_publications
        WHERE template_id = template.id ORDER BY number DESC LIMIT 1
      )) AS at
    ) moment
    RETURNING *
  ), moved AS (
    INSERT INTO template_pointers (template_id, environment, workspace_id, version, number, published_at)
    SELECT id, $2, workspace_id, $3, sequence, (SELECT at FROM publication) FROM template
    WHERE $3 IS NOT NULL
    ON CONFLICT (template_id, environment) DO UPDATE SET version = EXCLUDED.version,
      number = EXCLUDED.number, published_at = EXCLUDED.published_at
  ), removed AS (
    DELETE FROM template_pointers
    WHERE template_id = (SELECT id FROM template) AND environment = $2 AND $3 IS NULL
  )
  SELECT publication.id, publication.template_id AS "templateId", publication.environment, CASE WHEN publication.version IS NULL THEN 'unpublished' ELSE 'published' END AS status,
  publication.version, publication.note, publication.at, publication.created_by AS "createdBy", publication.created_at AS "createdAt", sequence, workspace_id AS "workspaceId",
    external_id AS "externalId", named.name, named.version AS "eventVersion"
  FROM template CROSS JOIN publication
  CROSS JOIN LATERAL (
    SELECT name, version FROM document_versions
    WHERE document_id = template.id AND version = coalesce($3, (SELECT version FROM pointer)) LIMIT 1
  ) named;

-- UNPUBLISH_ALL (libs/publishing/move-pointer.sql.ts)
-- Parameters: $1 uuid, $2 text, $3 uuid, $4 text, $5 text
-- Writes: Delete scheduled_publications, Delete template_pointers, Insert outbox, Insert template_publications, Update documents
WITH pointer AS (
    DELETE FROM template_pointers WHERE workspace_id = $1 AND environment = $2
    RETURNING template_id, version
  ), scheduled AS (
    DELETE FROM scheduled_publications WHERE workspace_id = $1 AND environment = $2
  ), template AS (
    UPDATE documents document SET events = events + 1
    FROM pointer CROSS JOIN LATERAL (
      SELECT ctid AS place FROM documents WHERE id = pointer.template_id LIMIT 1
    ) located
    WHERE document.ctid = located.place
    RETURNING document.id, workspace_id, external_id, events AS sequence, pointer.version
  ), publication AS (
    INSERT INTO template_publications (template_id, number, id, environment, version, note, created_by, at,
      created_at)
    SELECT template.id, sequence, (left(uuidv7_at(clock_timestamp())::text, -length($5)) || $5)::uuid, $2, NULL, '', $3, moment.at, moment.at
    FROM template CROSS JOIN LATERAL (
      SELECT greatest(date_trunc('milliseconds', clock_timestamp()), (
        SELECT at + interval '1 millisecond' FROM template_publications
        WHERE template_id = template.id ORDER BY number DESC LIMIT 1
      )) AS at
    ) moment
  )
  INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, traceparent)
  SELECT uuidv7_at(clock_timestamp()), 'template.unpublished', workspace_id, template.id, sequence,
    json_build_object('id', template.id, 'name', named.name, 'workspaceId', workspace_id,
      'externalId', external_id, 'version', template.version, 'environment', $2::text), $4::text
  FROM template CROSS JOIN LATERAL (
    SELECT name FROM document_versions
    WHERE document_id = template.id AND version = template.version LIMIT 1
  ) named;

-- step (libs/publishing/publishing-job.ts)
SELECT extract(epoch FROM min(next_at) - now())::float8 * 1000 AS "dueInMs" FROM publication_turns;

-- CREATE_PRODUCTION (libs/publishing/lock-pointer.sql.ts)
-- Parameters: $1 uuid
-- Writes: Insert environments
INSERT INTO environments (workspace_id, name)
  SELECT workspace_id, 'production' FROM documents WHERE id = $1 AND (documents.kind = 'template') IS TRUE
  ON CONFLICT DO NOTHING;

-- LOAD_POINTER (libs/publishing/lock-pointer.sql.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 integer
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", template.id AS "foundId", template.workspace_id AS "workspaceId",
    environment.name AS "environmentName", version.version AS "foundVersion",
    workspace.errors_block_publishing AS "errorsBlockPublishing", publication.*
  FROM users caller
  LEFT JOIN documents template ON template.id = $2 AND (template.kind = 'template') IS TRUE
  LEFT JOIN workspaces workspace ON workspace.id = template.workspace_id
  LEFT JOIN environments environment
    ON environment.workspace_id = template.workspace_id AND environment.name = $3
  LEFT JOIN document_versions version ON version.document_id = template.id AND version.version = $4
  LEFT JOIN template_pointers pointer
    ON pointer.template_id = template.id AND pointer.environment = $3
  LEFT JOIN LATERAL (
    SELECT publication.id, publication.template_id AS "templateId", publication.environment, CASE WHEN publication.version IS NULL THEN 'unpublished' ELSE 'published' END AS status,
  publication.version, publication.note, publication.at, publication.created_by AS "createdBy", publication.created_at AS "createdAt" FROM template_publications publication
    WHERE template_id = pointer.template_id AND number = pointer.number LIMIT 1
  ) publication ON true
  LEFT JOIN workspace_members member
     ON member.workspace_id = template.workspace_id AND member.user_id = caller.id
  WHERE caller.id = $1;

-- LOCK_ENVIRONMENT (libs/publishing/lock-pointer.sql.ts)
-- Parameters: $1 uuid, $2 text
-- Locks: documents FOR KEY SHARE
SELECT FROM environments
  WHERE workspace_id = (SELECT workspace_id FROM documents WHERE id = $1) AND name = $2 FOR KEY SHARE;

-- LOCK_WORKSPACE_OF_TEMPLATE (libs/publishing/lock-pointer.sql.ts)
-- Parameters: $1 uuid
-- Locks: documents FOR KEY SHARE
SELECT FROM workspaces
  WHERE id = (SELECT workspace_id FROM documents WHERE id = $1) FOR KEY SHARE;

-- SELECT_PUBLISHED (libs/publishing/read-published.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text
SELECT caller.status = 'active' AS "isCallerActive", CASE WHEN member.role = 'published' AND $3 = (
    SELECT environment FROM api_keys WHERE user_id = caller.id
  ) THEN 'viewer' ELSE member.role END AS "callerRole", template.id AS "foundId", template.id, version.name,
    template.workspace_id AS "workspaceId", pointer.environment, pointer.version,
    pointer.published_at AS "publishedAt", version.created_at AS "madeAt", version.content::text AS content
  FROM users caller
  LEFT JOIN documents template ON template.id = $2 AND (template.kind = 'template') IS TRUE
  LEFT JOIN template_pointers pointer
    ON pointer.template_id = template.id AND pointer.environment = $3
  LEFT JOIN document_versions version
    ON version.document_id = pointer.template_id AND version.version = pointer.version
  LEFT JOIN workspace_members member
     ON member.workspace_id = template.workspace_id AND member.user_id = caller.id
  WHERE caller.id = $1;

-- INSERT_SCHEDULED (libs/publishing/schedule.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 integer, $6 text, $7 timestamp with time zone, $8 uuid
-- Writes: Insert scheduled_publications
INSERT INTO scheduled_publications AS scheduled (id, template_id, environment,
    workspace_id, version, note, at, created_by, created_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, now()
  WHERE (SELECT count(*) FROM scheduled_publications WHERE template_id = $2) < 100
  RETURNING scheduled.id, scheduled.template_id AS "templateId", scheduled.environment, 'scheduled' AS status,
  scheduled.version, scheduled.note, scheduled.at, scheduled.created_by AS "createdBy", scheduled.created_at AS "createdAt";

-- SET_TURN (libs/publishing/schedule.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone
-- Writes: Insert publication_turns
INSERT INTO publication_turns AS turn (workspace_id, next_at) VALUES ($1, $2)
  ON CONFLICT (workspace_id) DO UPDATE SET next_at = least(turn.next_at, EXCLUDED.next_at);
