-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- changeUnversioned (libs/documents/document/change-unversioned.ts)
-- Parameters: $1 uuid[], $2 uuid, $3 text[], $4 text[]
-- Writes: Update documents
UPDATE documents document
     SET tags = string_to_array(input.tags, ','), external_id = nullif(input.external_id, ''), events = events + 1, updated_at = greatest(time_of_change(), updated_at + interval '1 millisecond'), updated_by = $2
     FROM unnest($1::uuid[], $3::text[], $4::text[]) AS input (id, tags, external_id)
     CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
     WHERE document.ctid = located.place
     RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount";

-- changeUnversioned, shape 2 (libs/documents/document/change-unversioned.ts)
-- Parameters: $1 uuid[], $2 uuid, $3 text[], $4 text[]
-- Writes: Update documents
UPDATE documents document
     SET tags = string_to_array(input.tags, ','), external_id = nullif(input.external_id, ''), events = events + 1, updated_at = greatest(time_of_change(), updated_at + interval '1 millisecond'), updated_by = $2
     FROM unnest($1::uuid[], $3::text[], $4::text[]) AS input (id, tags, external_id)
     CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
     WHERE document.ctid = located.place
     RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount";

-- SELECT_BY_EXTERNAL_ID (libs/documents/document/read-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", document.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
   LEFT JOIN LATERAL (
     SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", content::text AS content
     FROM (
       SELECT * FROM documents document WHERE uuid_send(document.workspace_id) = uuid_send($2)
     AND document.external_id = $3 AND document.kind = 'module' LIMIT 1
     ) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
   ) document ON true
   WHERE caller.id = $1;

-- SELECT_BY_EXTERNAL_ID, shape 2 (libs/documents/document/read-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", document.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
   LEFT JOIN LATERAL (
     SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", content::text AS content
     FROM (
       SELECT * FROM documents document WHERE uuid_send(document.workspace_id) = uuid_send($2)
     AND document.external_id = $3 AND document.kind = 'template' LIMIT 1
     ) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
   ) document ON true
   WHERE caller.id = $1;

-- SELECT_DOCUMENT (libs/documents/document/read-documents.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", content::text AS content
   FROM users caller
   LEFT JOIN (documents document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest)
     ON document.id = $2 AND (document.kind = 'module') IS TRUE
   LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
   WHERE caller.id = $1;

-- SELECT_DOCUMENT, shape 2 (libs/documents/document/read-documents.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", content::text AS content
   FROM users caller
   LEFT JOIN (documents document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest)
     ON document.id = $2 AND (document.kind = 'template') IS TRUE
   LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
   WHERE caller.id = $1;

-- listDocuments (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text, $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" 
       FROM (
         SELECT * FROM ((
      SELECT * FROM (
        SELECT *, (document.category = $6) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity')
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document 
       ) document 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 2 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text, $7 text, $8 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" 
       FROM (
         SELECT * FROM ((
      SELECT * FROM (
        SELECT *, (strpos(lower(document.name), lower($6)) > 0) AND (document.category = $7) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity')
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $8
    )) document 
       ) document 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 3 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" 
       FROM (
         SELECT * FROM (SELECT *, true AS matches, false AS "isScanEnd" FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.created_at, document.id) > ($3, $4) AND document.created_at < current_setting('galley.low_watermark')::timestamptz
     ORDER BY document.created_at ASC, document.id ASC LIMIT $5) document 
       ) document 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" ASC, page.id ASC;

-- listDocuments, shape 4 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" 
       FROM (
         SELECT * FROM (SELECT *, true AS matches, false AS "isScanEnd" FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity')
     ORDER BY document.updated_at DESC, document.id DESC LIMIT $6) document 
       ) document 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 5 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (SELECT *, true AS matches, false AS "isScanEnd" FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity')
     ORDER BY document.updated_at DESC, document.id DESC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 6 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 text[], $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT DISTINCT document_id
        FROM unnest($5::text[]) wanted CROSS JOIN LATERAL (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
        LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.created_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.created_at, document.id) < ($3, $4) AND (document.tags && $5::text[])
      ORDER BY document.created_at DESC, document.id DESC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags && $5::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.created_at AS sort_key, row_number() OVER (ORDER BY document.created_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.created_at, document.id) < ($3, $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.created_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $6
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.created_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC;

-- listDocuments, shape 7 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 text[], $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT DISTINCT document_id
        FROM unnest($5::text[]) wanted CROSS JOIN LATERAL (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
        LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, lower(document.name) COLLATE "C" AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (document.tags && $5::text[])
      ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags && $5::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, lower(document.name) COLLATE "C" AS sort_key, row_number() OVER (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key ASC, document.id ASC LIMIT $6
    )) document
    ORDER BY sort_key ASC, document.id ASC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY lower(page."name") COLLATE "C" ASC, page.id ASC;

-- listDocuments, shape 8 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text[], $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT DISTINCT document_id
        FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
        LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.tags && $6::text[])
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags && $6::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 9 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 text[], $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($5::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'module'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.created_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.created_at, document.id) < ($3, $4) AND (document.tags @> $5::text[])
      ORDER BY document.created_at DESC, document.id DESC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags @> $5::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.created_at AS sort_key, row_number() OVER (ORDER BY document.created_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.created_at, document.id) < ($3, $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.created_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $6
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.created_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC;

-- listDocuments, shape 10 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 text[], $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($5::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'module'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, lower(document.name) COLLATE "C" AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (document.tags @> $5::text[])
      ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags @> $5::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, lower(document.name) COLLATE "C" AS sort_key, row_number() OVER (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key ASC, document.id ASC LIMIT $6
    )) document
    ORDER BY sort_key ASC, document.id ASC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY lower(page."name") COLLATE "C" ASC, page.id ASC;

-- listDocuments, shape 11 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 text, $6 text[], $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'module'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.created_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.created_at, document.id) < ($3, $4) AND (strpos(lower(document.name), lower($5)) > 0) AND (document.tags @> $6::text[])
      ORDER BY document.created_at DESC, document.id DESC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (strpos(lower(document.name), lower($5)) > 0) AND (document.tags @> $6::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.created_at AS sort_key, row_number() OVER (ORDER BY document.created_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.created_at, document.id) < ($3, $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.created_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.created_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC;

-- listDocuments, shape 12 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text[], $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'module'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.tags @> $6::text[])
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags @> $6::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 13 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 text, $6 text[], $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'module'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, lower(document.name) COLLATE "C" AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (strpos(lower(document.name), lower($5)) > 0) AND (document.tags @> $6::text[])
      ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (strpos(lower(document.name), lower($5)) > 0) AND (document.tags @> $6::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, lower(document.name) COLLATE "C" AS sort_key, row_number() OVER (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key ASC, document.id ASC LIMIT $7
    )) document
    ORDER BY sort_key ASC, document.id ASC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY lower(page."name") COLLATE "C" ASC, page.id ASC;

-- listDocuments, shape 14 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text[], $7 text, $8 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'module'
     LIMIT 1001), candidates_1 AS MATERIALIZED (SELECT id AS document_id FROM documents document
    WHERE uuid_send(document.workspace_id) = uuid_send(member.workspace_id)
     AND document.external_id = $7 AND document.kind = 'module' LIMIT 1)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.tags @> $6::text[]) AND (document.external_id = $7)
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $8
    ) UNION ALL (
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_1) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE (SELECT count(*) FROM candidates_0) > 1000 AND NOT (SELECT count(*) FROM candidates_1) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.tags @> $6::text[]) AND (document.external_id = $7)
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $8
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags @> $6::text[]) AND (document.external_id = $7) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000 AND (SELECT count(*) FROM candidates_1) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $8
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $8) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 15 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text, $7 text[], $8 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($7::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'module'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'module'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (strpos(lower(document.name), lower($6)) > 0) AND (document.tags @> $7::text[])
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $8
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (strpos(lower(document.name), lower($6)) > 0) AND (document.tags @> $7::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $8
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $8) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 16 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 text, $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT id AS document_id FROM documents document
    WHERE uuid_send(document.workspace_id) = uuid_send(member.workspace_id)
     AND document.external_id = $5 AND document.kind = 'module' LIMIT 1)
    SELECT * FROM ((
      SELECT document.*, lower(document.name) COLLATE "C" AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (document.external_id = $5)
      ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.external_id = $5) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, lower(document.name) COLLATE "C" AS sort_key, row_number() OVER (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key ASC, document.id ASC LIMIT $6
    )) document
    ORDER BY sort_key ASC, document.id ASC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY lower(page."name") COLLATE "C" ASC, page.id ASC;

-- listDocuments, shape 17 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text, $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT id AS document_id FROM documents document
    WHERE uuid_send(document.workspace_id) = uuid_send(member.workspace_id)
     AND document.external_id = $6 AND document.kind = 'module' LIMIT 1)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.external_id = $6)
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.external_id = $6) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'module' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 18 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" 
       FROM (
         SELECT * FROM (SELECT *, true AS matches, false AS "isScanEnd" FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.created_at, document.id) < ($3, $4)
     ORDER BY document.created_at DESC, document.id DESC LIMIT $5) document 
       ) document 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC;

-- listDocuments, shape 19 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" 
       FROM (
         SELECT * FROM (SELECT *, true AS matches, false AS "isScanEnd" FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.created_at, document.id) > ($3, $4) AND document.created_at < current_setting('galley.low_watermark')::timestamptz
     ORDER BY document.created_at ASC, document.id ASC LIMIT $5) document 
       ) document 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" ASC, page.id ASC;

-- listDocuments, shape 20 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" 
       FROM (
         SELECT * FROM (SELECT *, true AS matches, false AS "isScanEnd" FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity')
     ORDER BY document.updated_at DESC, document.id DESC LIMIT $6) document 
       ) document 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 21 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text, $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM ((
      SELECT * FROM (
        SELECT *, (strpos(lower(document.name), lower($6)) > 0) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity')
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 22 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (SELECT *, true AS matches, false AS "isScanEnd" FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity')
     ORDER BY document.updated_at DESC, document.id DESC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 23 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (SELECT *, true AS matches, false AS "isScanEnd" FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) > (greatest($3, $5::timestamptz),
  CASE WHEN $5::timestamptz > $3 THEN '00000000-0000-0000-0000-000000000000'::uuid ELSE $4 END) AND document.updated_at < current_setting('galley.low_watermark')::timestamptz
     ORDER BY document.updated_at ASC, document.id ASC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" ASC, page.id ASC;

-- listDocuments, shape 24 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 text[], $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT DISTINCT document_id
        FROM unnest($5::text[]) wanted CROSS JOIN LATERAL (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
        LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.created_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.created_at, document.id) < ($3, $4) AND (document.tags && $5::text[])
      ORDER BY document.created_at DESC, document.id DESC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags && $5::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.created_at AS sort_key, row_number() OVER (ORDER BY document.created_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.created_at, document.id) < ($3, $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.created_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $6
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.created_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC;

-- listDocuments, shape 25 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 text[], $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT DISTINCT document_id
        FROM unnest($5::text[]) wanted CROSS JOIN LATERAL (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
        LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, lower(document.name) COLLATE "C" AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (document.tags && $5::text[])
      ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags && $5::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, lower(document.name) COLLATE "C" AS sort_key, row_number() OVER (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key ASC, document.id ASC LIMIT $6
    )) document
    ORDER BY sort_key ASC, document.id ASC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY lower(page."name") COLLATE "C" ASC, page.id ASC;

-- listDocuments, shape 26 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text[], $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT DISTINCT document_id
        FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
        LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.tags && $6::text[])
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags && $6::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 27 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 text[], $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($5::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'template'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.created_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.created_at, document.id) < ($3, $4) AND (document.tags @> $5::text[])
      ORDER BY document.created_at DESC, document.id DESC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags @> $5::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.created_at AS sort_key, row_number() OVER (ORDER BY document.created_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.created_at, document.id) < ($3, $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.created_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $6
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.created_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC;

-- listDocuments, shape 28 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 text[], $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($5::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'template'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, lower(document.name) COLLATE "C" AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (document.tags @> $5::text[])
      ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags @> $5::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, lower(document.name) COLLATE "C" AS sort_key, row_number() OVER (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key ASC, document.id ASC LIMIT $6
    )) document
    ORDER BY sort_key ASC, document.id ASC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY lower(page."name") COLLATE "C" ASC, page.id ASC;

-- listDocuments, shape 29 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 text, $6 text[], $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'template'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.created_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.created_at, document.id) < ($3, $4) AND (strpos(lower(document.name), lower($5)) > 0) AND (document.tags @> $6::text[])
      ORDER BY document.created_at DESC, document.id DESC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (strpos(lower(document.name), lower($5)) > 0) AND (document.tags @> $6::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.created_at AS sort_key, row_number() OVER (ORDER BY document.created_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.created_at, document.id) < ($3, $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.created_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.created_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC;

-- listDocuments, shape 30 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text[], $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'template'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.tags @> $6::text[])
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags @> $6::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 31 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 text, $6 text[], $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'template'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, lower(document.name) COLLATE "C" AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (strpos(lower(document.name), lower($5)) > 0) AND (document.tags @> $6::text[])
      ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (strpos(lower(document.name), lower($5)) > 0) AND (document.tags @> $6::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, lower(document.name) COLLATE "C" AS sort_key, row_number() OVER (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key ASC, document.id ASC LIMIT $7
    )) document
    ORDER BY sort_key ASC, document.id ASC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY lower(page."name") COLLATE "C" ASC, page.id ASC;

-- listDocuments, shape 32 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text[], $7 text, $8 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($6::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'template'
     LIMIT 1001), candidates_1 AS MATERIALIZED (SELECT id AS document_id FROM documents document
    WHERE uuid_send(document.workspace_id) = uuid_send(member.workspace_id)
     AND document.external_id = $7 AND document.kind = 'template' LIMIT 1)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.tags @> $6::text[]) AND (document.external_id = $7)
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $8
    ) UNION ALL (
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_1) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE (SELECT count(*) FROM candidates_0) > 1000 AND NOT (SELECT count(*) FROM candidates_1) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.tags @> $6::text[]) AND (document.external_id = $7)
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $8
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.tags @> $6::text[]) AND (document.external_id = $7) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000 AND (SELECT count(*) FROM candidates_1) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $8
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $8) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 33 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text, $7 text[], $8 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = (SELECT wanted FROM unnest($7::text[]) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = wanted AND kind = 'template'
     LIMIT 1001) found
    ) counted ORDER BY documents LIMIT 1) AND kind = 'template'
     LIMIT 1001)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (strpos(lower(document.name), lower($6)) > 0) AND (document.tags @> $7::text[])
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $8
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (strpos(lower(document.name), lower($6)) > 0) AND (document.tags @> $7::text[]) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $8
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $8) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- listDocuments, shape 34 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 text, $6 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT id AS document_id FROM documents document
    WHERE uuid_send(document.workspace_id) = uuid_send(member.workspace_id)
     AND document.external_id = $5 AND document.kind = 'template' LIMIT 1)
    SELECT * FROM ((
      SELECT document.*, lower(document.name) COLLATE "C" AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (document.external_id = $5)
      ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT $6
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.external_id = $5) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, lower(document.name) COLLATE "C" AS sort_key, row_number() OVER (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (lower(document.name) COLLATE "C", document.id) > (lower($3) COLLATE "C", $4) AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key ASC, document.id ASC LIMIT $6
    )) document
    ORDER BY sort_key ASC, document.id ASC LIMIT $6) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY lower(document.name) COLLATE "C" ASC, document.id ASC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY lower(page."name") COLLATE "C" ASC, page.id ASC;

-- listDocuments, shape 35 (libs/documents/lists/list-documents.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 timestamp with time zone, $6 text, $7 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", matches, "isScanEnd" , CASE
    WHEN sum(document.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN document.content::text
  END AS content
       FROM (
         SELECT * FROM (WITH candidates_0 AS MATERIALIZED (SELECT id AS document_id FROM documents document
    WHERE uuid_send(document.workspace_id) = uuid_send(member.workspace_id)
     AND document.external_id = $6 AND document.kind = 'template' LIMIT 1)
    SELECT * FROM ((
      SELECT document.*, document.updated_at AS sort_key, NULL::bigint AS rank, true AS matches, false AS "isScanEnd"
      FROM (SELECT DISTINCT document_id FROM candidates_0) candidate CROSS JOIN LATERAL (
        SELECT * FROM documents WHERE id = candidate.document_id LIMIT 1
      ) document
      WHERE NOT (SELECT count(*) FROM candidates_0) > 1000
        AND document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (document.external_id = $6)
      ORDER BY document.updated_at DESC, document.id DESC LIMIT $7
    ) UNION ALL (
      SELECT * FROM (
        SELECT *, (document.external_id = $6) AS matches, rank = 5000 AS "isScanEnd"
        FROM (SELECT *, document.updated_at AS sort_key, row_number() OVER (ORDER BY document.updated_at DESC, document.id DESC) AS rank FROM documents document
     WHERE document.workspace_id = member.workspace_id AND document.kind = 'template' AND (document.updated_at, document.id) < ($3, $4) AND document.updated_at >= coalesce($5::timestamptz, '-infinity') AND (SELECT count(*) FROM candidates_0) > 1000
     ORDER BY document.updated_at DESC, document.id DESC LIMIT 5000) document
      ) document
      WHERE matches OR "isScanEnd" ORDER BY sort_key DESC, document.id DESC LIMIT $7
    )) document
    ORDER BY sort_key DESC, document.id DESC LIMIT $7) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
       ) document WINDOW page_so_far AS (ORDER BY document.updated_at DESC, document.id DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- TAKE_LOW_WATERMARK (libs/documents/lists/low-watermark.ts)
SELECT set_config('galley.low_watermark', least(date_trunc('milliseconds', now()), (
     SELECT to_timestamp(min(key & ((1::bigint << 42) - 1)) / 1000.0)
     FROM (
       SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks
       WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ShareLock'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ) lock
     WHERE key >> 42 = 1763683
   ))::text, true);

-- LOCK_REFERENCES (libs/documents/references/check-references.sql.ts)
-- Parameters: $1 jsonb
-- Locks: pg_advisory_xact_lock
WITH RECURSIVE reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  ), closure AS (
    SELECT "documentId" AS document_id, version.document_id AS id, version.version, 1 AS depth,
      CASE WHEN reference.version IS NOT NULL THEN coalesce("asOf", version.created_at) END AS frozen_at
    FROM reference CROSS JOIN LATERAL (
      SELECT document_id, version, created_at FROM document_versions
      WHERE kind = 'module' AND document_id = "moduleId" AND version <= coalesce(reference.version, 2147483647) AND CASE
        WHEN reference.version IS NOT NULL THEN version = reference.version
        ELSE NULL::timestamptz IS NULL OR created_at <= NULL::timestamptz END
      ORDER BY version DESC LIMIT 1
    ) version
    UNION
    SELECT closure.document_id, version.document_id, version.version, depth + 1,
      CASE WHEN used.version IS NULL THEN frozen_at ELSE coalesce("asOf", version.created_at) END
    FROM closure
    CROSS JOIN LATERAL (
      SELECT uses FROM module_version_references
      WHERE module_id = closure.id AND version = closure.version LIMIT 1
    ) nested
    CROSS JOIN LATERAL jsonb_to_recordset(uses)
      AS used ("moduleId" uuid, version integer, "asOf" timestamptz)
    CROSS JOIN LATERAL (
      SELECT document_id, version, created_at FROM document_versions
      WHERE kind = 'module' AND document_id = used."moduleId" AND version <= coalesce(used.version, 2147483647) AND CASE
        WHEN used.version IS NOT NULL THEN version = used.version
        ELSE frozen_at IS NULL OR created_at <= frozen_at END
      ORDER BY version DESC LIMIT 1
    ) version
    WHERE depth <= 5
  )
  SELECT id, pg_advisory_xact_lock(hashtextextended('module references ' || id, 0))
  FROM (SELECT DISTINCT found.workspace_id AS id
  FROM (SELECT id FROM closure UNION SELECT "documentId" FROM reference) document
  CROSS JOIN LATERAL (
    SELECT workspace_id FROM documents WHERE id = document.id
    UNION ALL
    SELECT workspace_id FROM trashed_documents WHERE id = document.id
    LIMIT 1
  ) found
  ORDER BY id) workspace;

-- referenceCte (libs/documents/references/check-references.sql.ts)
-- Parameters: $1 jsonb
-- Writes: Insert module_usages
WITH reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  ) INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
   SELECT "documentId", 'module', "moduleId", coalesce(reference.version, 0), sum(occurrences)
   FROM reference GROUP BY 1, 2, 3, 4;

-- referenceCte, shape 2 (libs/documents/references/check-references.sql.ts)
-- Parameters: $1 jsonb
-- Writes: Insert module_usages
WITH reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  ) INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
   SELECT "documentId", 'template', "moduleId", coalesce(reference.version, 0), sum(occurrences)
   FROM reference GROUP BY 1, 2, 3, 4;

-- listUsages (libs/documents/references/list-usages.ts)
-- Parameters: $1 uuid, $2 uuid, $3 uuid, $4 uuid, $5 integer, $6 bigint
WITH RECURSIVE used AS (
       SELECT $2::uuid AS id, 0 AS distance
       UNION
       SELECT document_id, distance + 1 FROM used JOIN module_usages ON module_id = used.id
       WHERE document_kind = 'module' AND distance < 5
     )
     SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", module.id AS "foundId", page.* FROM users caller
     LEFT JOIN documents module ON module.id = $2 AND (module.kind = 'module') IS TRUE
     LEFT JOIN workspace_members member
     ON member.workspace_id = module.workspace_id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT usage.document_kind AS kind, usage.document_id AS id, document.name,
         document.workspace_id AS "workspaceId", document.version, usage.module_id AS "moduleId",
         nullif(usage.pinned_version, 0) AS "pinnedVersion", usage.occurrences,
         own.user_id IS NOT NULL AS "isReadable", rank = 1000 AS "isScanEnd"
       FROM (
         SELECT usage.*,
           row_number() OVER (ORDER BY document_id, module_id, pinned_version) AS rank
         FROM (SELECT DISTINCT id FROM used) used
         CROSS JOIN LATERAL (
           SELECT * FROM module_usages
           WHERE module_id = used.id AND (document_id, module_id, pinned_version) > ($3, $4, $5::integer)
           ORDER BY document_id, pinned_version LIMIT 1000
         ) usage
         WHERE module.id IS NOT NULL
         ORDER BY document_id, module_id, pinned_version LIMIT 1000
       ) usage
       LEFT JOIN LATERAL (
         SELECT name, workspace_id, version FROM documents WHERE id = usage.document_id LIMIT 1
       ) document ON true
       LEFT JOIN LATERAL (
         SELECT user_id FROM workspace_members
         WHERE workspace_id = document.workspace_id AND user_id = caller.id LIMIT 1
       ) own ON true
       WHERE own.user_id IS NOT NULL OR rank = 1000
       ORDER BY rank LIMIT $6
     ) page ON true
     WHERE caller.id = $1
     ORDER BY page.id, page."moduleId", page."pinnedVersion" NULLS FIRST;

-- loadModules (libs/documents/references/load-modules.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 integer[], $4 timestamp with time zone[], $5 bigint
SELECT number::integer, id, version, name, created_at AS "createdAt", content->>'type' AS type,
       CASE WHEN sum(bytes) OVER (ORDER BY number) <= $5 THEN content::text END AS content
     FROM (
       SELECT wanted.number, module.id, version.version, version.name, version.created_at,
         version.content, version.content_bytes AS bytes
       FROM unnest($2::uuid[], $3::integer[], $4::timestamptz[])
         WITH ORDINALITY AS wanted (module_id, version, frozen_at, number)
       CROSS JOIN LATERAL (
         SELECT * FROM documents WHERE id = wanted.module_id AND (documents.kind = 'module') IS TRUE LIMIT 1
       ) module
       CROSS JOIN LATERAL (
         SELECT FROM workspace_members
         WHERE workspace_id = module.workspace_id AND user_id = $1 LIMIT 1
       ) member
       CROSS JOIN LATERAL (
         (SELECT * FROM document_versions
          WHERE document_id = module.id AND version = wanted.version LIMIT 1)
         UNION ALL
         -- The time of a version is always later than the times of the versions before.
         (SELECT * FROM document_versions
          WHERE wanted.version IS NULL AND document_id = module.id AND kind = 'module'
            AND created_at <= coalesce(wanted.frozen_at, 'infinity')
          ORDER BY created_at DESC, version DESC LIMIT 1)
       ) version
     ) found;

-- countUsages (libs/documents/references/module-users.ts)
-- Parameters: $1 uuid[]
SELECT count(DISTINCT document_id) FILTER (WHERE document_kind = 'template')::integer AS templates,
       count(DISTINCT document_id) FILTER (WHERE document_kind = 'module')::integer AS modules,
       count(*) > 1000 AS "isMore"
     FROM (
       SELECT document_id, document_kind FROM module_usages
       WHERE module_id = ANY ($1) LIMIT 1001
     ) usage;

-- DELETE_USAGES (libs/documents/references/store-references.ts)
-- Parameters: $1 uuid[]
-- Writes: Delete module_usages
DELETE FROM module_usages WHERE document_id = ANY ($1);

-- INSERT_NESTED_REFERENCES (libs/documents/references/store-references.ts)
-- Parameters: $1 jsonb
-- Writes: Insert module_version_references
WITH reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  )
  INSERT INTO module_version_references (module_id, version, modules, uses, expanded_bytes)
  SELECT document.id, document.version, sum(1 + coalesce(nested.modules, 0)),
    jsonb_agg(DISTINCT jsonb_build_object(
      'moduleId', "moduleId", 'version', reference.version, 'asOf', "asOf"
    )),
    least(
      max("documentBytes") + sum(occurrences::bigint * coalesce(nested.expanded_bytes, used.content_bytes, 0)),
      2147483647
    )
  FROM reference
  CROSS JOIN LATERAL (SELECT id, version FROM documents WHERE id = "documentId" LIMIT 1) document
  LEFT JOIN LATERAL (
    SELECT version, content_bytes FROM document_versions
    WHERE kind = 'module' AND document_id = "moduleId" AND version <= coalesce(reference.version, 2147483647) AND CASE
        WHEN reference.version IS NOT NULL THEN version = reference.version
        ELSE NULL::timestamptz IS NULL OR created_at <= NULL::timestamptz END
    ORDER BY version DESC LIMIT 1
  ) used ON true
  LEFT JOIN LATERAL (
    SELECT modules, expanded_bytes FROM module_version_references
    WHERE module_id = "moduleId" AND version = used.version LIMIT 1
  ) nested ON true
  GROUP BY document.id, document.version;

-- checkStatement (libs/documents/references/store-references.ts)
-- Parameters: $1 jsonb
WITH RECURSIVE reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  ), closure AS (
    SELECT "documentId" AS document_id, version.document_id AS id, version.version, 1 AS depth,
      CASE WHEN reference.version IS NOT NULL THEN coalesce("asOf", version.created_at) END AS frozen_at
    FROM reference CROSS JOIN LATERAL (
      SELECT document_id, version, created_at FROM document_versions
      WHERE kind = 'module' AND document_id = "moduleId" AND version <= coalesce(reference.version, 2147483647) AND CASE
        WHEN reference.version IS NOT NULL THEN version = reference.version
        ELSE NULL::timestamptz IS NULL OR created_at <= NULL::timestamptz END
      ORDER BY version DESC LIMIT 1
    ) version
    UNION
    SELECT closure.document_id, version.document_id, version.version, depth + 1,
      CASE WHEN used.version IS NULL THEN frozen_at ELSE coalesce("asOf", version.created_at) END
    FROM closure
    CROSS JOIN LATERAL (
      SELECT uses FROM module_version_references
      WHERE module_id = closure.id AND version = closure.version LIMIT 1
    ) nested
    CROSS JOIN LATERAL jsonb_to_recordset(uses)
      AS used ("moduleId" uuid, version integer, "asOf" timestamptz)
    CROSS JOIN LATERAL (
      SELECT document_id, version, created_at FROM document_versions
      WHERE kind = 'module' AND document_id = used."moduleId" AND version <= coalesce(used.version, 2147483647) AND CASE
        WHEN used.version IS NOT NULL THEN version = used.version
        ELSE frozen_at IS NULL OR created_at <= frozen_at END
      ORDER BY version DESC LIMIT 1
    ) version
    WHERE depth <= 5
  )
  SELECT DISTINCT found.workspace_id AS id
  FROM (SELECT id FROM closure UNION SELECT "documentId" FROM reference) document
  CROSS JOIN LATERAL (
    SELECT workspace_id FROM documents WHERE id = document.id
    UNION ALL
    SELECT workspace_id FROM trashed_documents WHERE id = document.id
    LIMIT 1
  ) found
  ORDER BY id;

-- checkStatement, shape 2 (libs/documents/references/store-references.ts)
-- Parameters: $1 jsonb, $2 uuid, $3 numeric
-- Locks: documents FOR KEY SHARE
WITH RECURSIVE reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  ), resolved AS MATERIALIZED (
    SELECT "documentId", "documentBytes", "mayDangle", place, occurrences, path, module.id AS module_id,
      reference.version IS NOT NULL AND used.version IS NULL AS lacks_version,
      max(used.type) OVER same_version AS type,
      1 + coalesce(nested.modules, 0) AS modules,
      coalesce(nested.expanded_bytes, used.bytes) AS bytes
    FROM (
      SELECT *, 1 = row_number() OVER (PARTITION BY "moduleId", version) AS is_first FROM reference
      ORDER BY "moduleId", version
    ) reference
    LEFT JOIN LATERAL (
      SELECT found.* FROM (
        SELECT id, workspace_id, version FROM documents
        WHERE id = "moduleId" AND (documents.kind = 'module') IS TRUE LIMIT 1 FOR KEY SHARE
      ) found
      CROSS JOIN LATERAL (
        SELECT FROM workspace_members
        WHERE workspace_id = found.workspace_id AND user_id = $2 LIMIT 1
      ) member
    ) module ON true
    LEFT JOIN LATERAL (
      SELECT version, CASE WHEN is_first THEN content->>'type' END AS type, content_bytes AS bytes
      FROM document_versions
      WHERE document_id = module.id AND version = coalesce(reference.version, module.version) LIMIT 1
    ) used ON true
    LEFT JOIN LATERAL (
      SELECT modules, expanded_bytes FROM module_version_references
      WHERE module_id = module.id AND version = coalesce(reference.version, module.version) LIMIT 1
    ) nested ON true
    WINDOW same_version AS (PARTITION BY "moduleId", reference.version)
  ),  problem AS (
    SELECT 1 AS rank, CASE
      WHEN module_id IS NULL THEN 'missing' WHEN lacks_version THEN 'version' ELSE 'place'
      END AS kind, path, place
    FROM resolved
    WHERE "mayDangle" IS NOT TRUE AND (
      module_id IS NULL OR lacks_version
        OR place <> CASE WHEN type IN ('stripe', 'container') THEN type ELSE 'block' END
    )
    
    UNION ALL
    SELECT 4, CASE WHEN modules > 1000 THEN 'count' ELSE 'size' END, NULL, NULL
    FROM (
      SELECT sum(modules) AS modules,
        max("documentBytes") + sum(bytes::bigint * occurrences) AS bytes
      FROM resolved GROUP BY "documentId"
    ) document
    WHERE modules > 1000 OR bytes > $3
  ) SELECT (
    SELECT json_agg(first_problem)
    FROM (SELECT * FROM problem ORDER BY rank, path LIMIT 20) first_problem
  ) AS problems;

-- checkStatement, shape 3 (libs/documents/references/store-references.ts)
-- Parameters: $1 jsonb, $2 uuid, $3 numeric
-- Locks: documents FOR KEY SHARE
WITH RECURSIVE reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  ), resolved AS MATERIALIZED (
    SELECT "documentId", "documentBytes", "mayDangle", place, occurrences, path, module.id AS module_id,
      reference.version IS NOT NULL AND used.version IS NULL AS lacks_version,
      max(used.type) OVER same_version AS type,
      1 + coalesce(nested.modules, 0) AS modules,
      coalesce(nested.expanded_bytes, used.bytes) AS bytes
    FROM (
      SELECT *, 1 = row_number() OVER (PARTITION BY "moduleId", version) AS is_first FROM reference
      ORDER BY "moduleId", version
    ) reference
    LEFT JOIN LATERAL (
      SELECT found.* FROM (
        SELECT id, workspace_id, version FROM documents
        WHERE id = "moduleId" AND (documents.kind = 'module') IS TRUE LIMIT 1 FOR KEY SHARE
      ) found
      CROSS JOIN LATERAL (
        SELECT FROM workspace_members
        WHERE workspace_id = found.workspace_id AND user_id = $2 LIMIT 1
      ) member
    ) module ON true
    LEFT JOIN LATERAL (
      SELECT version, CASE WHEN is_first THEN content->>'type' END AS type, content_bytes AS bytes
      FROM document_versions
      WHERE document_id = module.id AND version = coalesce(reference.version, module.version) LIMIT 1
    ) used ON true
    LEFT JOIN LATERAL (
      SELECT modules, expanded_bytes FROM module_version_references
      WHERE module_id = module.id AND version = coalesce(reference.version, module.version) LIMIT 1
    ) nested ON true
    WINDOW same_version AS (PARTITION BY "moduleId", reference.version)
  ), closure AS (
    SELECT "documentId" AS document_id, version.document_id AS id, version.version, 1 AS depth,
      CASE WHEN reference.version IS NOT NULL THEN coalesce("asOf", version.created_at) END AS frozen_at
    FROM reference CROSS JOIN LATERAL (
      SELECT document_id, version, created_at FROM document_versions
      WHERE kind = 'module' AND document_id = "moduleId" AND version <= coalesce(reference.version, 2147483647) AND CASE
        WHEN reference.version IS NOT NULL THEN version = reference.version
        ELSE NULL::timestamptz IS NULL OR created_at <= NULL::timestamptz END
      ORDER BY version DESC LIMIT 1
    ) version
    UNION
    SELECT closure.document_id, version.document_id, version.version, depth + 1,
      CASE WHEN used.version IS NULL THEN frozen_at ELSE coalesce("asOf", version.created_at) END
    FROM closure
    CROSS JOIN LATERAL (
      SELECT uses FROM module_version_references
      WHERE module_id = closure.id AND version = closure.version LIMIT 1
    ) nested
    CROSS JOIN LATERAL jsonb_to_recordset(uses)
      AS used ("moduleId" uuid, version integer, "asOf" timestamptz)
    CROSS JOIN LATERAL (
      SELECT document_id, version, created_at FROM document_versions
      WHERE kind = 'module' AND document_id = used."moduleId" AND version <= coalesce(used.version, 2147483647) AND CASE
        WHEN used.version IS NOT NULL THEN version = used.version
        ELSE frozen_at IS NULL OR created_at <= frozen_at END
      ORDER BY version DESC LIMIT 1
    ) version
    WHERE depth <= 5
  ), ancestor AS (
    SELECT DISTINCT "documentId" AS document_id, "documentId" AS id, 0 AS distance FROM reference
    UNION
    SELECT ancestor.document_id, usage.document_id, distance + 1
    FROM ancestor CROSS JOIN LATERAL (SELECT document_id FROM module_usages
      WHERE module_id = ancestor.id AND document_kind = 'module' AND pinned_version = 0
      ORDER BY document_id) usage
    WHERE distance <= 5
  ), problem AS (
    SELECT 1 AS rank, CASE
      WHEN module_id IS NULL THEN 'missing' WHEN lacks_version THEN 'version' ELSE 'place'
      END AS kind, path, place
    FROM resolved
    WHERE "mayDangle" IS NOT TRUE AND (
      module_id IS NULL OR lacks_version
        OR place <> CASE WHEN type IN ('stripe', 'container') THEN type ELSE 'block' END
    )
    UNION ALL SELECT 2, 'cycle', NULL, NULL FROM (
      SELECT document_id, id FROM closure INTERSECT SELECT document_id, id FROM ancestor
    ) cycle
    UNION ALL
    SELECT 3, 'depth', NULL, NULL FROM closure
    GROUP BY document_id HAVING 1 + max(depth) + (
      SELECT max(distance) FROM ancestor WHERE ancestor.document_id = closure.document_id
    ) > 5
    UNION ALL
    SELECT 4, CASE WHEN modules > 1000 THEN 'count' ELSE 'size' END, NULL, NULL
    FROM (
      SELECT sum(modules) AS modules,
        max("documentBytes") + sum(bytes::bigint * occurrences) AS bytes
      FROM resolved GROUP BY "documentId"
    ) document
    WHERE modules > 1000 OR bytes > $3
  ) SELECT (
    SELECT json_agg(first_problem)
    FROM (SELECT * FROM problem ORDER BY rank, path LIMIT 20) first_problem
  ) AS problems;

-- keepReferences (libs/documents/references/store-references.ts)
-- Parameters: $1 uuid[]
-- Writes: Insert module_version_references
INSERT INTO module_version_references (module_id, version, modules, uses, expanded_bytes)
     SELECT module.id, module.version, modules, uses, expanded_bytes
     FROM unnest($1::uuid[]) AS kept (id)
     CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = kept.id LIMIT 1) module
     CROSS JOIN LATERAL (
       SELECT * FROM module_version_references
       WHERE module_id = module.id AND version = module.version - 1 LIMIT 1
     ) earlier;

-- FILL_SLICE (libs/documents/search/search-indexer.ts)
-- Parameters: $1 uuid
-- Writes: Update document_words
-- Locks: unsliced FOR UPDATE SKIP LOCKED
WITH unsliced AS (
    SELECT count(*) AS count FROM (
      SELECT FROM document_words WHERE workspace_id = $1 AND slice IS NULL LIMIT 1000
    ) few
  ), last AS (
    SELECT coalesce(max(slice), 0) AS slice FROM document_words WHERE workspace_id = $1
  ), target AS (
    SELECT number FROM last CROSS JOIN LATERAL (
      VALUES (1, floor(random() * (last.slice + 1))::integer), (2, last.slice)
    ) candidate (preference, number)
    WHERE (
      SELECT count(*) FROM (
        SELECT FROM document_words WHERE workspace_id = $1 AND slice = candidate.number LIMIT 4000
      ) filled
    ) <= 3500
    ORDER BY preference LIMIT 1
  ), chosen AS MATERIALIZED (
    SELECT document_id FROM document_words
    WHERE workspace_id = $1 AND slice IS NULL AND (SELECT count FROM unsliced) = 1000
    ORDER BY document_id LIMIT 500 FOR UPDATE SKIP LOCKED
  )
  UPDATE document_words
  SET slice = coalesce((SELECT number FROM target), (SELECT least(slice + 1, 4095) FROM last))
  WHERE document_id = ANY (ARRAY(SELECT document_id FROM chosen)) RETURNING 1;

-- NEXT_WORKSPACES (libs/documents/search/search-indexer.ts)
-- Parameters: $1 uuid
WITH RECURSIVE workspace AS (
    (SELECT workspace_id AS id FROM documents_to_index WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT next.id FROM workspace CROSS JOIN LATERAL (
      SELECT workspace_id AS id FROM documents_to_index
      WHERE workspace_id > workspace.id ORDER BY workspace_id LIMIT 1
    ) next
  )
  SELECT id FROM workspace LIMIT 100;

-- SELECT_QUEUED (libs/documents/search/search-indexer.ts)
-- Parameters: $1 uuid[], $2 bigint
SELECT id, version, "workspaceId", name, content::text AS content FROM (
    SELECT due.document_id AS id, due.version, turn.id AS "workspaceId", document.name,
      document.content, place, due.due_at, sum(document.bytes) OVER (
        ORDER BY place, due.due_at, due.document_id
      ) - document.bytes AS bytes_before
    FROM unnest($1::uuid[]) AS turn (id)
    CROSS JOIN LATERAL (
      SELECT document_id, version, due_at, row_number() OVER (ORDER BY due_at) AS place FROM (
        SELECT * FROM documents_to_index WHERE workspace_id = turn.id AND due_at <= clock_timestamp()
        ORDER BY due_at LIMIT $2
      ) first
    ) due
    CROSS JOIN LATERAL (
      SELECT name, content, content_bytes AS bytes
      FROM (SELECT * FROM documents WHERE id = due.document_id LIMIT 1) document CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest
    ) document
  ) queued
  WHERE bytes_before < 2097152 ORDER BY place, due_at, id;

-- STORE_WORDS (libs/documents/search/search-indexer.ts)
-- Parameters: $1 uuid[], $2 integer[], $3 text[], $4 text[]
-- Writes: Delete documents_to_index, Insert document_words
-- Locks: documents_to_index FOR UPDATE OF queued SKIP LOCKED, taken FOR KEY SHARE SKIP LOCKED
WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::text[]) AS input (id, version, name_words, words)
  ), taken AS MATERIALIZED (
    SELECT input.* FROM input JOIN documents_to_index queued
      ON queued.document_id = input.id AND queued.version = input.version
    FOR UPDATE OF queued SKIP LOCKED
  ), document AS MATERIALIZED (
    SELECT id, workspace_id, kind FROM documents WHERE id = ANY (ARRAY(SELECT id FROM taken))
    FOR KEY SHARE SKIP LOCKED
  ), done AS (
    DELETE FROM documents_to_index WHERE document_id = ANY (ARRAY(SELECT id FROM document))
    RETURNING 1
  ), stored AS (
    INSERT INTO document_words AS stored (document_id, workspace_id, kind, name_words, words)
    SELECT id, workspace_id, kind, name_words, words FROM document JOIN taken USING (id)
    ON CONFLICT (document_id) DO UPDATE
      SET name_words = excluded.name_words, words = excluded.words, slice = NULL
      WHERE (stored.name_words, stored.words) IS DISTINCT FROM (excluded.name_words, excluded.words)
  )
  SELECT count(*)::integer AS count FROM done;

-- fillSlice (libs/documents/search/search-indexer.ts)
SELECT gin_clean_pending_list('document_words_lexemes');

-- hasQueued (libs/documents/search/search-indexer.ts)
SELECT FROM documents_to_index LIMIT 1;

-- listTags (libs/documents/tags/list-tags.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       WITH RECURSIVE next AS (
         (SELECT tag FROM document_tags
   WHERE workspace_id = member.workspace_id AND tag > $3 ORDER BY tag LIMIT 1)
         UNION ALL
         SELECT after.tag FROM next CROSS JOIN LATERAL (SELECT tag FROM document_tags
   WHERE workspace_id = member.workspace_id AND tag > next.tag ORDER BY tag LIMIT 1) after
       )
       SELECT tag AS id, tag AS name, (SELECT count(*)::integer FROM (
     SELECT FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = tag.tag AND kind = 'template' LIMIT 1000
   ) counted) AS templates, (SELECT count(*)::integer FROM (
     SELECT FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = tag.tag AND kind = 'module' LIMIT 1000
   ) counted) AS modules
       FROM (SELECT tag FROM next LIMIT $4) tag
     ) page ON true
     WHERE caller.id = $1 ORDER BY page.name;

-- lockDocumentsWith (libs/documents/tags/replace-tag.ts)
-- Parameters: $1 uuid, $2 text
-- Locks: document_tags FOR NO KEY UPDATE
SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy" FROM documents document
     WHERE id = ANY (ARRAY(
       SELECT document_id FROM document_tags
       WHERE workspace_id = $1 AND tag = $2 AND kind = 'module' ORDER BY document_id LIMIT 1000
     )) AND tags @> ARRAY[$2]
     ORDER BY id FOR NO KEY UPDATE;

-- lockDocumentsWith, shape 2 (libs/documents/tags/replace-tag.ts)
-- Parameters: $1 uuid, $2 text
-- Locks: document_tags FOR NO KEY UPDATE
SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy" FROM documents document
     WHERE id = ANY (ARRAY(
       SELECT document_id FROM document_tags
       WHERE workspace_id = $1 AND tag = $2 AND kind = 'template' ORDER BY document_id LIMIT 1000
     )) AND tags @> ARRAY[$2]
     ORDER BY id FOR NO KEY UPDATE;

-- listTrash (libs/documents/trash/list-trash.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT id, kind, fields->>'name' AS name, workspace_id AS "workspaceId",
         (fields->>'version')::integer AS version, deleted_at AS "deletedAt",
         deleted_by AS "deletedBy", expires_at AS "expiresAt"
       FROM trashed_documents
       WHERE workspace_id = member.workspace_id AND (expires_at, id) < ($3, $4) AND expires_at > now()
       ORDER BY expires_at DESC, id DESC LIMIT $5
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."expiresAt" DESC, page.id DESC;

-- lockWorkspaceOf (libs/documents/trash/move-to-trash.sql.ts)
-- Parameters: $1 uuid
-- Locks: documents FOR KEY SHARE
SELECT FROM workspaces WHERE id = (SELECT workspace_id FROM documents WHERE id = $1) FOR KEY SHARE;

-- lockWorkspaceOf, shape 2 (libs/documents/trash/move-to-trash.sql.ts)
-- Parameters: $1 uuid
-- Locks: trashed_documents FOR KEY SHARE
SELECT FROM workspaces WHERE id = (SELECT workspace_id FROM trashed_documents WHERE id = $1) FOR KEY SHARE;

-- moveToTrash (libs/documents/trash/move-to-trash.sql.ts)
-- Parameters: $1 uuid[], $2 uuid, $3 integer
-- Writes: Delete documents, Insert trashed_documents
WITH deleted AS (
      DELETE FROM documents document WHERE id = ANY ($1)
      RETURNING id, workspace_id, events + 1 AS sequence,
        jsonb_build_object('name', document.name, 'external_id', document.external_id, 'category', document.category, 'description', document.description, 'tags', document.tags, 'version', document.version, 'created_at', document.created_at, 'created_by', document.created_by, 'updated_at', document.updated_at, 'updated_by', document.updated_by, 'events', document.events) AS fields
    ), trashed AS (
      INSERT INTO trashed_documents
        (id, kind, workspace_id, fields, usages, deleted_by, deleted_at, expires_at)
      SELECT id, 'module', workspace_id, fields, (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'module_id', module_id, 'pinned_version', pinned_version, 'occurrences', occurrences
        )), '[]') FROM module_usages WHERE document_id = deleted.id
      ), $2, now(), now() + $3::integer * interval '1 day'
      FROM deleted WHERE $3::integer > 0
    )
    SELECT id, sequence FROM deleted;

-- moveToTrash, shape 2 (libs/documents/trash/move-to-trash.sql.ts)
-- Parameters: $1 uuid[], $2 uuid, $3 integer
-- Writes: Delete documents, Insert trashed_documents
WITH deleted AS (
      DELETE FROM documents document WHERE id = ANY ($1)
      RETURNING id, workspace_id, events + 1 AS sequence,
        jsonb_build_object('name', document.name, 'external_id', document.external_id, 'tags', document.tags, 'version', document.version, 'created_at', document.created_at, 'created_by', document.created_by, 'updated_at', document.updated_at, 'updated_by', document.updated_by, 'events', document.events) AS fields
    ), trashed AS (
      INSERT INTO trashed_documents
        (id, kind, workspace_id, fields, usages, deleted_by, deleted_at, expires_at)
      SELECT id, 'template', workspace_id, fields, (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'module_id', module_id, 'pinned_version', pinned_version, 'occurrences', occurrences
        )), '[]') FROM module_usages WHERE document_id = deleted.id
      ), $2, now(), now() + $3::integer * interval '1 day'
      FROM deleted WHERE $3::integer > 0
    )
    SELECT id, sequence FROM deleted;

-- LOCK_USED_MODULES (libs/documents/trash/restore-from-trash.ts)
-- Parameters: $1 uuid
-- Locks: trashed_documents FOR KEY SHARE
SELECT FROM documents WHERE id = ANY (ARRAY(
    SELECT (usage->>'module_id')::uuid FROM trashed_documents, jsonb_array_elements(usages) usage
    WHERE id = $1
  )) ORDER BY id FOR KEY SHARE;

-- lockTrashed (libs/documents/trash/restore-from-trash.ts)
-- Parameters: $1 uuid
-- Locks: trashed_documents FOR UPDATE
SELECT FROM trashed_documents WHERE id = $1 FOR UPDATE;

-- lockTrashed, shape 2 (libs/documents/trash/restore-from-trash.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", document.kind, document.workspace_id AS "workspaceId",
         document.fields->>'external_id' AS "externalId"
       FROM users caller
       LEFT JOIN trashed_documents document ON document.id = $2 AND document.expires_at > now()
       LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
       WHERE caller.id = $1;

-- purgeFromTrash (libs/documents/trash/restore-from-trash.ts)
-- Parameters: $1 uuid
-- Writes: Delete trashed_documents
DELETE FROM trashed_documents WHERE id = $1;

-- restoreStatement (libs/documents/trash/restore-from-trash.ts)
-- Parameters: $1 uuid, $2 jsonb, $3 uuid
-- Writes: Delete trashed_documents, Insert documents, Insert documents_to_index, Insert module_usages
WITH trashed AS (
      DELETE FROM trashed_documents WHERE id = $1 RETURNING id, workspace_id, fields, usages
    ), restored AS (
      INSERT INTO documents AS document (id, kind, workspace_id, name, external_id, category, description, tags, version, created_at, created_by, updated_at, updated_by, events)
      SELECT trashed.id, 'module', trashed.workspace_id, document.name, document.external_id, document.category, document.description, document.tags, document.version, document.created_at, document.created_by, greatest(time_of_change(), updated_at + interval '1 millisecond'), $3::uuid, document.events + 2
      FROM trashed
      CROSS JOIN LATERAL jsonb_populate_record(NULL::documents, $2::jsonb || fields) document
      RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS sequence
    ), usage AS (
      INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
      SELECT trashed.id, 'module', usage.module_id, usage.pinned_version, usage.occurrences
      FROM trashed CROSS JOIN LATERAL jsonb_to_recordset(usages)
        AS usage (module_id uuid, pinned_version integer, occurrences integer)
    ), queued AS (INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, "workspaceId" AS workspace_id, version FROM restored) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s'))
    SELECT * FROM restored;

-- restoreStatement, shape 2 (libs/documents/trash/restore-from-trash.ts)
-- Parameters: $1 uuid, $2 jsonb, $3 uuid
-- Writes: Delete trashed_documents, Insert documents, Insert documents_to_index, Insert module_usages
WITH trashed AS (
      DELETE FROM trashed_documents WHERE id = $1 RETURNING id, workspace_id, fields, usages
    ), restored AS (
      INSERT INTO documents AS document (id, kind, workspace_id, name, external_id, tags, version, created_at, created_by, updated_at, updated_by, events)
      SELECT trashed.id, 'template', trashed.workspace_id, document.name, document.external_id, document.tags, document.version, document.created_at, document.created_by, greatest(time_of_change(), updated_at + interval '1 millisecond'), $3::uuid, document.events + 2
      FROM trashed
      CROSS JOIN LATERAL jsonb_populate_record(NULL::documents, $2::jsonb || fields) document
      RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS sequence
    ), usage AS (
      INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
      SELECT trashed.id, 'template', usage.module_id, usage.pinned_version, usage.occurrences
      FROM trashed CROSS JOIN LATERAL jsonb_to_recordset(usages)
        AS usage (module_id uuid, pinned_version integer, occurrences integer)
    ), queued AS (INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, "workspaceId" AS workspace_id, version FROM restored) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s'))
    SELECT * FROM restored;

-- DELETE_VERSIONS (libs/documents/trash/version-purge.ts)
-- Parameters: $1 uuid
-- Writes: Delete document_versions, Delete template_publications
-- Locks: documents_to_purge FOR UPDATE SKIP LOCKED
WITH document AS MATERIALIZED (SELECT id FROM documents_to_purge WHERE workspace_id = $1
    ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED),
    version AS (
      DELETE FROM document_versions WHERE ctid = ANY (ARRAY(
        SELECT place FROM (
    SELECT place, coalesce(sum(bytes) OVER (
      ORDER BY id, version ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS bytes_before
    FROM (
      SELECT document.id, version.* FROM document
      CROSS JOIN LATERAL (
        SELECT ctid AS place, version, content_bytes AS bytes
        FROM document_versions WHERE document_id = document.id ORDER BY version LIMIT 200
      ) version
      LIMIT 200
    ) version
  ) version WHERE bytes_before < 16777216
      )) RETURNING 1
    ),
    publication AS (
      DELETE FROM template_publications WHERE ctid = ANY (ARRAY(
        SELECT publication.place FROM document CROSS JOIN LATERAL (
          SELECT ctid AS place FROM template_publications
          WHERE template_id = document.id LIMIT 200
        ) publication LIMIT 200
      )) RETURNING 1
    )
  SELECT (SELECT count(*) FROM version)::integer + (SELECT count(*) FROM publication)::integer AS count;

-- FINISH_DOCUMENTS (libs/documents/trash/version-purge.ts)
-- Parameters: $1 uuid
-- Writes: Delete documents_to_purge
WITH finished AS (
    DELETE FROM documents_to_purge WHERE workspace_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM (SELECT id FROM documents_to_purge WHERE workspace_id = $1
    ORDER BY id LIMIT 100) document
      WHERE 0 = (SELECT count(*) FROM (SELECT FROM document_versions WHERE document_id = document.id LIMIT 1) rest)
        AND 0 = (
          SELECT count(*) FROM (SELECT FROM template_publications WHERE template_id = document.id LIMIT 1) rest
        )
    )) RETURNING id
  )
  SELECT count(*)::integer FROM finished;

-- NEXT_WORKSPACE (libs/documents/trash/version-purge.ts)
-- Parameters: $1 uuid
SELECT workspace_id AS "workspaceId" FROM documents_to_purge
  WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1;

-- TAKE_OUT_EXPIRED (libs/documents/trash/version-purge.ts)
-- Writes: Delete trashed_documents
-- Locks: trashed_documents FOR UPDATE SKIP LOCKED
WITH expired AS (
    DELETE FROM trashed_documents WHERE id = ANY (ARRAY(
      SELECT id FROM trashed_documents WHERE (expires_at AT TIME ZONE 'UTC') <= now() AT TIME ZONE 'UTC'
      ORDER BY expires_at AT TIME ZONE 'UTC' LIMIT 500 FOR UPDATE SKIP LOCKED
    )) RETURNING id
  )
  SELECT count(*)::integer FROM expired;

-- selectVersions (libs/documents/versions/compare-versions.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 integer[], $4 text[], $5 integer[]
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", document.id, version.version, version.name,
      version.content::text AS content
    FROM users caller
    CROSS JOIN unnest($2::uuid[], $3::integer[], $4::text[], $5::integer[]) WITH ORDINALITY
      AS wanted (id, version, environment, steps_back, side)
    LEFT JOIN LATERAL (
      SELECT id, workspace_id, version FROM documents
      WHERE id = wanted.id AND (documents.kind = 'template') IS TRUE LIMIT 1
    ) document ON true
    LEFT JOIN LATERAL (
      SELECT version FROM template_pointers
      WHERE template_id = document.id AND environment = wanted.environment LIMIT 1
    ) pointer ON true
    CROSS JOIN LATERAL (
      SELECT CASE WHEN environment IS NULL THEN coalesce(wanted.version, document.version)
        ELSE pointer.version END AS number
    ) chosen
    LEFT JOIN LATERAL (
      SELECT * FROM document_versions
      WHERE document_id = document.id
        AND version = number - CASE WHEN number > 1 THEN steps_back ELSE 0 END LIMIT 1
    ) version ON true
    LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
    WHERE caller.id = $1 ORDER BY side;

-- selectVersions, shape 2 (libs/documents/versions/compare-versions.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 integer[], $4 text[], $5 integer[]
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", document.id, version.version, version.name, version.category, version.description,
      version.content::text AS content
    FROM users caller
    CROSS JOIN unnest($2::uuid[], $3::integer[], $4::text[], $5::integer[]) WITH ORDINALITY
      AS wanted (id, version, environment, steps_back, side)
    LEFT JOIN LATERAL (
      SELECT id, workspace_id, version FROM documents
      WHERE id = wanted.id AND (documents.kind = 'module') IS TRUE LIMIT 1
    ) document ON true
    LEFT JOIN LATERAL (
      SELECT version FROM template_pointers
      WHERE template_id = document.id AND environment = wanted.environment LIMIT 1
    ) pointer ON true
    CROSS JOIN LATERAL (
      SELECT CASE WHEN environment IS NULL THEN coalesce(wanted.version, document.version)
        ELSE pointer.version END AS number
    ) chosen
    LEFT JOIN LATERAL (
      SELECT * FROM document_versions
      WHERE document_id = document.id
        AND version = number - CASE WHEN number > 1 THEN steps_back ELSE 0 END LIMIT 1
    ) version ON true
    LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
    WHERE caller.id = $1 ORDER BY side;

-- getVersion (libs/documents/versions/document-versions.ts)
-- Parameters: $1 uuid, $2 uuid, $3 integer
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", version.version, version.name, version.category, version.description, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy", version.content::text AS content
     FROM users caller
     LEFT JOIN documents document ON document.id = $2 AND (document.kind = 'module') IS TRUE
     LEFT JOIN document_versions version
       ON version.document_id = document.id AND version.version = $3
     LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
     WHERE caller.id = $1;

-- getVersion, shape 2 (libs/documents/versions/document-versions.ts)
-- Parameters: $1 uuid, $2 uuid, $3 integer
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", version.version, version.name, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy", version.content::text AS content
     FROM users caller
     LEFT JOIN documents document ON document.id = $2 AND (document.kind = 'template') IS TRUE
     LEFT JOIN document_versions version
       ON version.document_id = document.id AND version.version = $3
     LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
     WHERE caller.id = $1;

-- listVersions (libs/documents/versions/document-versions.ts)
-- Parameters: $1 uuid, $2 uuid, $3 integer, $4 bigint, $5 text, $6 uuid, $7 timestamp with time zone, $8 timestamp with time zone
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", page.* FROM users caller
     LEFT JOIN documents document ON document.id = $2 AND (document.kind = 'module') IS TRUE
     LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT version.document_id AS id, version.version, version.name, version.category, version.description, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy", matches, "isScanEnd"
         
       FROM (
         SELECT *, rank = 5000 AS "isScanEnd" FROM (
           SELECT *, row_number() OVER (ORDER BY version DESC) AS rank,
             ($5::text IS NULL OR label = $5) AND ($6::uuid IS NULL OR created_by = $6)
               AND ($7::timestamptz IS NULL OR created_at >= $7)
               AND ($8::timestamptz IS NULL OR created_at < $8) AS matches
           FROM document_versions
           WHERE document_id = document.id AND version < $3
           ORDER BY version DESC LIMIT 5000
         ) version
         WHERE matches OR rank = 5000
         ORDER BY version.version DESC LIMIT $4
       ) version 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page.version DESC;

-- listVersions, shape 2 (libs/documents/versions/document-versions.ts)
-- Parameters: $1 uuid, $2 uuid, $3 integer, $4 bigint, $5 text, $6 uuid, $7 timestamp with time zone, $8 timestamp with time zone
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", page.* FROM users caller
     LEFT JOIN documents document ON document.id = $2 AND (document.kind = 'module') IS TRUE
     LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT version.document_id AS id, version.version, version.name, version.category, version.description, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy", matches, "isScanEnd"
         , CASE
    WHEN sum(version.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN version.content::text
  END AS content
       FROM (
         SELECT *, rank = 5000 AS "isScanEnd" FROM (
           SELECT *, row_number() OVER (ORDER BY version DESC) AS rank,
             ($5::text IS NULL OR label = $5) AND ($6::uuid IS NULL OR created_by = $6)
               AND ($7::timestamptz IS NULL OR created_at >= $7)
               AND ($8::timestamptz IS NULL OR created_at < $8) AS matches
           FROM document_versions
           WHERE document_id = document.id AND version < $3
           ORDER BY version DESC LIMIT 5000
         ) version
         WHERE matches OR rank = 5000
         ORDER BY version.version DESC LIMIT $4
       ) version WINDOW page_so_far AS (ORDER BY version.version DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page.version DESC;

-- listVersions, shape 3 (libs/documents/versions/document-versions.ts)
-- Parameters: $1 uuid, $2 uuid, $3 integer, $4 bigint, $5 text, $6 uuid, $7 timestamp with time zone, $8 timestamp with time zone
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", page.* FROM users caller
     LEFT JOIN documents document ON document.id = $2 AND (document.kind = 'template') IS TRUE
     LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT version.document_id AS id, version.version, version.name, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy", matches, "isScanEnd"
         
       FROM (
         SELECT *, rank = 5000 AS "isScanEnd" FROM (
           SELECT *, row_number() OVER (ORDER BY version DESC) AS rank,
             ($5::text IS NULL OR label = $5) AND ($6::uuid IS NULL OR created_by = $6)
               AND ($7::timestamptz IS NULL OR created_at >= $7)
               AND ($8::timestamptz IS NULL OR created_at < $8) AS matches
           FROM document_versions
           WHERE document_id = document.id AND version < $3
           ORDER BY version DESC LIMIT 5000
         ) version
         WHERE matches OR rank = 5000
         ORDER BY version.version DESC LIMIT $4
       ) version 
     ) page ON true
     WHERE caller.id = $1 ORDER BY page.version DESC;

-- listVersions, shape 4 (libs/documents/versions/document-versions.ts)
-- Parameters: $1 uuid, $2 uuid, $3 integer, $4 bigint, $5 text, $6 uuid, $7 timestamp with time zone, $8 timestamp with time zone
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", page.* FROM users caller
     LEFT JOIN documents document ON document.id = $2 AND (document.kind = 'template') IS TRUE
     LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id
     LEFT JOIN LATERAL (
       SELECT version.document_id AS id, version.version, version.name, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy", matches, "isScanEnd"
         , CASE
    WHEN sum(version.content_bytes) OVER page_so_far <= 4194304 OR row_number() OVER page_so_far = 1
    THEN version.content::text
  END AS content
       FROM (
         SELECT *, rank = 5000 AS "isScanEnd" FROM (
           SELECT *, row_number() OVER (ORDER BY version DESC) AS rank,
             ($5::text IS NULL OR label = $5) AND ($6::uuid IS NULL OR created_by = $6)
               AND ($7::timestamptz IS NULL OR created_at >= $7)
               AND ($8::timestamptz IS NULL OR created_at < $8) AS matches
           FROM document_versions
           WHERE document_id = document.id AND version < $3
           ORDER BY version DESC LIMIT 5000
         ) version
         WHERE matches OR rank = 5000
         ORDER BY version.version DESC LIMIT $4
       ) version WINDOW page_so_far AS (ORDER BY version.version DESC ROWS UNBOUNDED PRECEDING)
     ) page ON true
     WHERE caller.id = $1 ORDER BY page.version DESC;

-- restoreVersion (libs/documents/versions/document-versions.ts)
-- Parameters: $1 uuid, $2 integer
SELECT version.version, version.name, version.category, version.description, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy", content::text AS content FROM document_versions version
       WHERE document_id = $1 AND version = $2 AND kind = 'module';

-- restoreVersion, shape 2 (libs/documents/versions/document-versions.ts)
-- Parameters: $1 uuid, $2 integer
SELECT version.version, version.name, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy", content::text AS content FROM document_versions version
       WHERE document_id = $1 AND version = $2 AND kind = 'template';

-- labelVersion (libs/documents/versions/label-version.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", document.workspace_id AS "workspaceId"
       FROM users caller LEFT JOIN documents document ON document.id = $2 AND (document.kind = 'module') IS TRUE
       LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id WHERE caller.id = $1;

-- labelVersion, shape 2 (libs/documents/versions/label-version.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", document.id AS "foundId", document.workspace_id AS "workspaceId"
       FROM users caller LEFT JOIN documents document ON document.id = $2 AND (document.kind = 'template') IS TRUE
       LEFT JOIN workspace_members member
     ON member.workspace_id = document.workspace_id AND member.user_id = caller.id WHERE caller.id = $1;

-- labelVersion, shape 3 (libs/documents/versions/label-version.ts)
-- Parameters: $1 uuid, $2 integer, $3 text, $4 text
-- Writes: Update document_versions
UPDATE document_versions version SET label = coalesce($3, label), note = coalesce($4, note)
       WHERE document_id = $1 AND version = $2 RETURNING version.version, version.name, version.category, version.description, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy";

-- labelVersion, shape 4 (libs/documents/versions/label-version.ts)
-- Parameters: $1 uuid, $2 integer, $3 text, $4 text
-- Writes: Update document_versions
UPDATE document_versions version SET label = coalesce($3, label), note = coalesce($4, note)
       WHERE document_id = $1 AND version = $2 RETURNING version.version, version.name, version.label, version.note, version.created_at AS "createdAt", version.created_by AS "createdBy";

-- RELEASE_EXTERNAL_IDS (libs/documents/write/batch-external-ids.ts)
-- Parameters: $1 uuid[]
-- Writes: Update documents
UPDATE documents SET external_id = NULL WHERE id = ANY ($1::uuid[]);

-- SELECT_HOLDERS (libs/documents/write/batch-external-ids.ts)
-- Parameters: $1 uuid, $2 text[]
SELECT holder.* FROM unnest($2::text[]) AS wanted (external_id)
   CROSS JOIN LATERAL (
     SELECT id, external_id AS "externalId" FROM documents document
     WHERE uuid_send(document.workspace_id) = uuid_send($1)
     AND document.external_id = wanted.external_id AND document.kind = 'module' LIMIT 1
   ) holder;

-- SELECT_HOLDERS, shape 2 (libs/documents/write/batch-external-ids.ts)
-- Parameters: $1 uuid, $2 text[]
SELECT holder.* FROM unnest($2::text[]) AS wanted (external_id)
   CROSS JOIN LATERAL (
     SELECT id, external_id AS "externalId" FROM documents document
     WHERE uuid_send(document.workspace_id) = uuid_send($1)
     AND document.external_id = wanted.external_id AND document.kind = 'template' LIMIT 1
   ) holder;

-- selectComparableContent (libs/documents/write/batch-operations.ts)
-- Parameters: $1 uuid[], $2 integer[]
SELECT wanted.id, CASE
    WHEN pg_column_size(content) - 4 <= max_bytes AND octet_length(content::text) <= max_bytes
    THEN content::text END AS content
  FROM unnest($1::uuid[], $2::integer[]) AS wanted (id, max_bytes)
  CROSS JOIN LATERAL (SELECT content FROM (SELECT * FROM documents WHERE id = wanted.id LIMIT 1) document
         CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest) document;

-- makeStatement (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 uuid, $8 integer, $9 text
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index
WITH  caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $7
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, coalesce(input.name, (
  SELECT candidate.name
  FROM (SELECT generate_series(1, 1000000) AS number) numbers,
    LATERAL (SELECT CASE number WHEN 1 THEN ' (copy)' ELSE ' (copy ' || number || ')' END AS text) suffix,
    LATERAL (SELECT left($9, 255 - length(suffix.text)) || suffix.text AS name) candidate
  WHERE NOT EXISTS (
    SELECT FROM documents taken
    WHERE taken.workspace_id = "foundId" AND taken.kind = 'template'
      AND lower(taken.name) COLLATE "C" = lower(candidate.name) COLLATE "C"
  )
  LIMIT 1
)) AS name, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'template', id, workspace_id, name, tags, external_id, 1, $8::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, content, content_bytes, created_by, created_at)
    SELECT written.id, 'template', 1, written.name,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
     SELECT "isCallerActive", "callerRole", "foundId", document.* 
      FROM caller LEFT JOIN document ON true;

-- makeStatement, shape 2 (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 uuid, $8 integer
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index
WITH  caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $7
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, input.name AS name, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[]), json_array_elements($3::json))
    AS input (id, name, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'template', id, workspace_id, name, tags, external_id, 1, $8::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, content, content_bytes, created_by, created_at)
    SELECT written.id, 'template', 1, written.name,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
     SELECT "isCallerActive", "callerRole", "foundId", document.* 
      FROM caller LEFT JOIN document ON true;

-- makeStatement, shape 3 (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 uuid, $8 integer
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index
WITH  caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $7
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, input.name AS name, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'template', id, workspace_id, name, tags, external_id, 1, $8::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, content, content_bytes, created_by, created_at)
    SELECT written.id, 'template', 1, written.name,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
     SELECT "isCallerActive", "callerRole", "foundId", document.* 
      FROM caller LEFT JOIN document ON true;

-- makeStatement, shape 4 (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 uuid, $8 integer, $9 uuid, $10 text, $11 uuid, $12 uuid, $13 integer, $14 json, $15 uuid, $16 text
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index, Insert outbox
WITH  caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $7
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, input.name AS name, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'template', id, workspace_id, name, tags, external_id, 1, $8::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, content, content_bytes, created_by, created_at)
    SELECT written.id, 'template', 1, written.name,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
    , event AS (INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, endpoint_id,
      traceparent)
    SELECT $9::uuid, $10::text, $11::uuid, $12::uuid, $13::integer, $14::json, $15::uuid, $16::text FROM document) SELECT "isCallerActive", "callerRole", "foundId", document.* 
      FROM caller LEFT JOIN document ON true;

-- makeStatement, shape 5 (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 text[], $8 text[], $9 uuid, $10 integer, $11 text
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index
WITH  caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $9
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, coalesce(input.name, (
  SELECT candidate.name
  FROM (SELECT generate_series(1, 1000000) AS number) numbers,
    LATERAL (SELECT CASE number WHEN 1 THEN ' (copy)' ELSE ' (copy ' || number || ')' END AS text) suffix,
    LATERAL (SELECT left($11, 255 - length(suffix.text)) || suffix.text AS name) candidate
  WHERE NOT EXISTS (
    SELECT FROM documents taken
    WHERE taken.workspace_id = "foundId" AND taken.kind = 'module'
      AND lower(taken.name) COLLATE "C" = lower(candidate.name) COLLATE "C"
  )
  LIMIT 1
)) AS name, input.category AS category, input.description AS description, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, category, description, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, category, description, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'module', id, workspace_id, name, category, description, tags, external_id, 1, $10::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, category, description, content, content_bytes, created_by, created_at)
    SELECT written.id, 'module', 1, written.name, written.category, written.description,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
     SELECT "isCallerActive", "callerRole", "foundId", document.* 
      FROM caller LEFT JOIN document ON true;

-- makeStatement, shape 6 (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 text[], $8 text[], $9 uuid, $10 integer
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index
WITH  caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $9
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, input.name AS name, input.category AS category, input.description AS description, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]), json_array_elements($3::json))
    AS input (id, name, category, description, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, category, description, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'module', id, workspace_id, name, category, description, tags, external_id, 1, $10::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, category, description, content, content_bytes, created_by, created_at)
    SELECT written.id, 'module', 1, written.name, written.category, written.description,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
     SELECT "isCallerActive", "callerRole", "foundId", document.* 
      FROM caller LEFT JOIN document ON true;

-- makeStatement, shape 7 (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 text[], $8 text[], $9 uuid, $10 integer
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index
WITH  caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $9
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, input.name AS name, input.category AS category, input.description AS description, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, category, description, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, category, description, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'module', id, workspace_id, name, category, description, tags, external_id, 1, $10::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, category, description, content, content_bytes, created_by, created_at)
    SELECT written.id, 'module', 1, written.name, written.category, written.description,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
     SELECT "isCallerActive", "callerRole", "foundId", document.* 
      FROM caller LEFT JOIN document ON true;

-- makeStatement, shape 8 (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 text[], $8 text[], $9 uuid, $10 integer, $11 uuid, $12 text, $13 uuid, $14 uuid, $15 integer, $16 json, $17 uuid, $18 text
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index, Insert outbox
WITH  caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $9
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, input.name AS name, input.category AS category, input.description AS description, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, category, description, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, category, description, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'module', id, workspace_id, name, category, description, tags, external_id, 1, $10::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, category, description, content, content_bytes, created_by, created_at)
    SELECT written.id, 'module', 1, written.name, written.category, written.description,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
    , event AS (INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, endpoint_id,
      traceparent)
    SELECT $11::uuid, $12::text, $13::uuid, $14::uuid, $15::integer, $16::json, $17::uuid, $18::text FROM document) SELECT "isCallerActive", "callerRole", "foundId", document.* 
      FROM caller LEFT JOIN document ON true;

-- makeStatement, shape 9 (libs/documents/write/insert-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 uuid, $8 integer, $9 jsonb, $10 numeric, $11 uuid, $12 text, $13 uuid, $14 uuid, $15 integer, $16 json, $17 uuid, $18 text
-- Writes: Insert document_versions, Insert documents, Insert documents_to_index, Insert module_usages, Insert outbox
-- Locks: documents FOR KEY SHARE
WITH RECURSIVE reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($9::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  ), resolved AS MATERIALIZED (
    SELECT "documentId", "documentBytes", "mayDangle", place, occurrences, path, module.id AS module_id,
      reference.version IS NOT NULL AND used.version IS NULL AS lacks_version,
      max(used.type) OVER same_version AS type,
      1 + coalesce(nested.modules, 0) AS modules,
      coalesce(nested.expanded_bytes, used.bytes) AS bytes
    FROM (
      SELECT *, 1 = row_number() OVER (PARTITION BY "moduleId", version) AS is_first FROM reference
      ORDER BY "moduleId", version
    ) reference
    LEFT JOIN LATERAL (
      SELECT found.* FROM (
        SELECT id, workspace_id, version FROM documents
        WHERE id = "moduleId" AND (documents.kind = 'module') IS TRUE LIMIT 1 FOR KEY SHARE
      ) found
      CROSS JOIN LATERAL (
        SELECT FROM workspace_members
        WHERE workspace_id = found.workspace_id AND user_id = $1 LIMIT 1
      ) member
    ) module ON true
    LEFT JOIN LATERAL (
      SELECT version, CASE WHEN is_first THEN content->>'type' END AS type, content_bytes AS bytes
      FROM document_versions
      WHERE document_id = module.id AND version = coalesce(reference.version, module.version) LIMIT 1
    ) used ON true
    LEFT JOIN LATERAL (
      SELECT modules, expanded_bytes FROM module_version_references
      WHERE module_id = module.id AND version = coalesce(reference.version, module.version) LIMIT 1
    ) nested ON true
    WINDOW same_version AS (PARTITION BY "moduleId", reference.version)
  ),  problem AS (
    SELECT 1 AS rank, CASE
      WHEN module_id IS NULL THEN 'missing' WHEN lacks_version THEN 'version' ELSE 'place'
      END AS kind, path, place
    FROM resolved
    WHERE "mayDangle" IS NOT TRUE AND (
      module_id IS NULL OR lacks_version
        OR place <> CASE WHEN type IN ('stripe', 'container') THEN type ELSE 'block' END
    )
    
    UNION ALL
    SELECT 4, CASE WHEN modules > 1000 THEN 'count' ELSE 'size' END, NULL, NULL
    FROM (
      SELECT sum(modules) AS modules,
        max("documentBytes") + sum(bytes::bigint * occurrences) AS bytes
      FROM resolved GROUP BY "documentId"
    ) document
    WHERE modules > 1000 OR bytes > $10
  ), caller AS (
      SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $7
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, input.name AS name, string_to_array(input.tags, ',') AS tags, nullif(input.external_id, '') AS external_id, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, tags, external_id, content)
      WHERE "isCallerActive" AND "callerRole" IN ('editor', 'admin', 'owner')
        AND NOT EXISTS (SELECT FROM problem)
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, name, tags, external_id, version, events, created_at, created_by, updated_at, updated_by)
      SELECT 'template', id, workspace_id, name, tags, external_id, 1, $8::integer, at, $1, at, $1
      FROM input RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount"
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, content, content_bytes, created_by, created_at)
    SELECT written.id, 'template', 1, written.name,
      written.content, octet_length(written.content::text), $1, written.at
    FROM input written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, workspace_id, 1 AS version FROM input) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
    , usage AS (INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
   SELECT "documentId", 'template', "moduleId", coalesce(reference.version, 0), sum(occurrences)
   FROM input CROSS JOIN reference GROUP BY 1, 2, 3, 4), event AS (INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, endpoint_id,
      traceparent)
    SELECT $11::uuid, $12::text, $13::uuid, $14::uuid, $15::integer, $16::json, $17::uuid, $18::text FROM document) SELECT "isCallerActive", "callerRole", "foundId", document.* , (
    SELECT json_agg(first_problem)
    FROM (SELECT * FROM problem ORDER BY rank, path LIMIT 20) first_problem
  ) AS problems
      FROM caller LEFT JOIN document ON true;

-- lockDocument (libs/documents/write/update-document.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone[]
-- Locks: documents FOR NO KEY UPDATE
SELECT FROM documents
       WHERE id = $1 AND (documents.kind = 'module') IS TRUE AND ($2::timestamptz[] IS NULL OR updated_at = ANY ($2)) FOR NO KEY UPDATE;

-- lockDocument, shape 2 (libs/documents/write/update-document.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone[]
-- Locks: documents FOR UPDATE
SELECT FROM documents
       WHERE id = $1 AND (documents.kind = 'module') IS TRUE AND ($2::timestamptz[] IS NULL OR updated_at = ANY ($2)) FOR UPDATE;

-- lockDocument, shape 3 (libs/documents/write/update-document.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone[]
-- Locks: documents FOR NO KEY UPDATE
SELECT FROM documents
       WHERE id = $1 AND (documents.kind = 'template') IS TRUE AND ($2::timestamptz[] IS NULL OR updated_at = ANY ($2)) FOR NO KEY UPDATE;

-- lockDocument, shape 4 (libs/documents/write/update-document.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone[]
-- Locks: documents FOR UPDATE
SELECT FROM documents
       WHERE id = $1 AND (documents.kind = 'template') IS TRUE AND ($2::timestamptz[] IS NULL OR updated_at = ANY ($2)) FOR UPDATE;

-- makeStatement (libs/documents/write/update-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 text[], $8 text[]
-- Writes: Insert document_versions, Insert documents_to_index, Update documents
WITH document AS (
      UPDATE documents document
      SET name = input.name, category = input.category, description = input.description, tags = string_to_array(input.tags, ','), external_id = nullif(input.external_id, ''), version = version + 1, events = events + 1, updated_at = greatest(time_of_change(), updated_at + interval '1 millisecond'), updated_by = $1
      FROM ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]), json_array_elements($3::json))
    AS input (id, name, category, description, tags, external_id, content)
      CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
      WHERE document.ctid = located.place
      RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount", input.content
    ), written AS (
      SELECT document.id, document.version, document.name, document.category, document.description, "updatedAt" AS at, CASE json_typeof(document.content)
        WHEN 'null' THEN (
          SELECT content FROM document_versions
          WHERE document_id = document.id AND version = document.version - 1
        ) ELSE document.content END AS content
      FROM document
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, category, description, content, content_bytes, created_by, created_at)
    SELECT written.id, 'module', written.version, written.name, written.category, written.description,
      written.content, octet_length(written.content::text), $1, written.at
    FROM written written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, "workspaceId" AS workspace_id, version FROM document) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
    SELECT "id", "name", "workspaceId", "externalId", "category", "description", "tags", "version", "createdAt", "createdBy", "updatedAt", "updatedBy", "eventCount" FROM document;

-- makeStatement, shape 2 (libs/documents/write/update-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[], $7 text[], $8 text[]
-- Writes: Insert document_versions, Insert documents_to_index, Update documents
WITH document AS (
      UPDATE documents document
      SET name = input.name, category = input.category, description = input.description, tags = string_to_array(input.tags, ','), external_id = nullif(input.external_id, ''), version = version + 1, events = events + 1, updated_at = greatest(time_of_change(), updated_at + interval '1 millisecond'), updated_by = $1
      FROM ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, category, description, tags, external_id, content)
      CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
      WHERE document.ctid = located.place
      RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount", input.content
    ), written AS (
      SELECT document.id, document.version, document.name, document.category, document.description, "updatedAt" AS at, CASE json_typeof(document.content)
        WHEN 'null' THEN (
          SELECT content FROM document_versions
          WHERE document_id = document.id AND version = document.version - 1
        ) ELSE document.content END AS content
      FROM document
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, category, description, content, content_bytes, created_by, created_at)
    SELECT written.id, 'module', written.version, written.name, written.category, written.description,
      written.content, octet_length(written.content::text), $1, written.at
    FROM written written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, "workspaceId" AS workspace_id, version FROM document) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
    SELECT "id", "name", "workspaceId", "externalId", "category", "description", "tags", "version", "createdAt", "createdBy", "updatedAt", "updatedBy", "eventCount" FROM document;

-- makeStatement, shape 3 (libs/documents/write/update-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[]
-- Writes: Insert document_versions, Insert documents_to_index, Update documents
WITH document AS (
      UPDATE documents document
      SET name = input.name, tags = string_to_array(input.tags, ','), external_id = nullif(input.external_id, ''), version = version + 1, events = events + 1, updated_at = greatest(time_of_change(), updated_at + interval '1 millisecond'), updated_by = $1
      FROM ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[]), json_array_elements($3::json))
    AS input (id, name, tags, external_id, content)
      CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
      WHERE document.ctid = located.place
      RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount", input.content
    ), written AS (
      SELECT document.id, document.version, document.name, "updatedAt" AS at, CASE json_typeof(document.content)
        WHEN 'null' THEN (
          SELECT content FROM document_versions
          WHERE document_id = document.id AND version = document.version - 1
        ) ELSE document.content END AS content
      FROM document
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, content, content_bytes, created_by, created_at)
    SELECT written.id, 'template', written.version, written.name,
      written.content, octet_length(written.content::text), $1, written.at
    FROM written written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, "workspaceId" AS workspace_id, version FROM document) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
    SELECT "id", "name", "workspaceId", "externalId", "tags", "version", "createdAt", "createdBy", "updatedAt", "updatedBy", "eventCount" FROM document;

-- makeStatement, shape 4 (libs/documents/write/update-documents.sql.ts)
-- Parameters: $1 uuid, $2 uuid[], $3 json, $4 text[], $5 text[], $6 text[]
-- Writes: Insert document_versions, Insert documents_to_index, Update documents
WITH document AS (
      UPDATE documents document
      SET name = input.name, tags = string_to_array(input.tags, ','), external_id = nullif(input.external_id, ''), version = version + 1, events = events + 1, updated_at = greatest(time_of_change(), updated_at + interval '1 millisecond'), updated_by = $1
      FROM ROWS FROM (unnest($2::uuid[], $4::text[], $5::text[], $6::text[]), unnest(ARRAY[$3::json]))
    AS input (id, name, tags, external_id, content)
      CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
      WHERE document.ctid = located.place
      RETURNING document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount", input.content
    ), written AS (
      SELECT document.id, document.version, document.name, "updatedAt" AS at, CASE json_typeof(document.content)
        WHEN 'null' THEN (
          SELECT content FROM document_versions
          WHERE document_id = document.id AND version = document.version - 1
        ) ELSE document.content END AS content
      FROM document
    ), version AS (
      INSERT INTO document_versions
      (document_id, kind, version, name, content, content_bytes, created_by, created_at)
    SELECT written.id, 'template', written.version, written.name,
      written.content, octet_length(written.content::text), $1, written.at
    FROM written written
    ), queued AS (
      INSERT INTO documents_to_index AS queued (document_id, workspace_id, version, due_at)
   SELECT id, workspace_id, version, clock_timestamp() + interval '650 ms' FROM (SELECT id, "workspaceId" AS workspace_id, version FROM document) source ORDER BY id
   ON CONFLICT (document_id) DO UPDATE SET version = excluded.version,
     due_at = least(excluded.due_at, queued.queued_at + interval '10 s')
    )
    SELECT "id", "name", "workspaceId", "externalId", "tags", "version", "createdAt", "createdBy", "updatedAt", "updatedBy", "eventCount" FROM document;

-- LOCK (libs/documents/write/upsert-document.ts)
-- Parameters: $1 uuid, $2 text, $3 timestamp with time zone[]
-- Locks: documents FOR NO KEY UPDATE
SELECT id FROM documents document
   WHERE uuid_send(document.workspace_id) = uuid_send($1)
     AND document.external_id = $2 AND document.kind = 'module' AND ($3::timestamptz[] IS NULL OR updated_at = ANY ($3)) FOR NO KEY UPDATE;

-- LOCK, shape 2 (libs/documents/write/upsert-document.ts)
-- Parameters: $1 uuid, $2 text, $3 timestamp with time zone[]
-- Locks: documents FOR NO KEY UPDATE
SELECT id FROM documents document
   WHERE uuid_send(document.workspace_id) = uuid_send($1)
     AND document.external_id = $2 AND document.kind = 'template' AND ($3::timestamptz[] IS NULL OR updated_at = ANY ($3)) FOR NO KEY UPDATE;

-- SELECT_ID (libs/documents/write/upsert-document.ts)
-- Parameters: $1 uuid, $2 text
SELECT id FROM documents document WHERE uuid_send(document.workspace_id) = uuid_send($1)
     AND document.external_id = $2 AND document.kind = 'module';

-- loadStatement (libs/documents/write/write-batch.ts)
-- Parameters: $1 uuid, $2 uuid, $3 uuid[]
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", document.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
   LEFT JOIN (unnest($3::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
     SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.category AS "category", document.description AS "description", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount" FROM documents document
     WHERE document.id = wanted.id AND (document.kind = 'module') IS TRUE LIMIT 1
   ) document) ON document."workspaceId" = member.workspace_id
   WHERE caller.id = $1;

-- loadStatement, shape 2 (libs/documents/write/write-batch.ts)
-- Parameters: $1 uuid, $2 uuid, $3 uuid[]
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", document.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
   LEFT JOIN (unnest($3::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
     SELECT document.id AS "id", document.name AS "name", document.workspace_id AS "workspaceId", document.external_id AS "externalId", document.tags AS "tags", document.version AS "version", document.created_at AS "createdAt", document.created_by AS "createdBy", document.updated_at AS "updatedAt", document.updated_by AS "updatedBy", document.events AS "eventCount" FROM documents document
     WHERE document.id = wanted.id AND (document.kind = 'template') IS TRUE LIMIT 1
   ) document) ON document."workspaceId" = member.workspace_id
   WHERE caller.id = $1;

-- lockStatement (libs/documents/write/write-batch.ts)
-- Parameters: $1 uuid[], $2 uuid
-- Locks: documents FOR NO KEY UPDATE
SELECT FROM documents WHERE id = ANY ($1) AND (workspace_id = $2 AND kind = 'module') IS TRUE
   ORDER BY id
   FOR NO KEY UPDATE;

-- lockStatement, shape 2 (libs/documents/write/write-batch.ts)
-- Parameters: $1 uuid[], $2 uuid
-- Locks: documents FOR UPDATE
SELECT FROM documents WHERE id = ANY ($1) AND (workspace_id = $2 AND kind = 'module') IS TRUE
   ORDER BY id
   FOR UPDATE;

-- lockStatement, shape 3 (libs/documents/write/write-batch.ts)
-- Parameters: $1 uuid[], $2 uuid
-- Locks: documents FOR NO KEY UPDATE
SELECT FROM documents WHERE id = ANY ($1) AND (workspace_id = $2 AND kind = 'template') IS TRUE
   ORDER BY id
   FOR NO KEY UPDATE;

-- lockStatement, shape 4 (libs/documents/write/write-batch.ts)
-- Parameters: $1 uuid[], $2 uuid
-- Locks: documents FOR UPDATE
SELECT FROM documents WHERE id = ANY ($1) AND (workspace_id = $2 AND kind = 'template') IS TRUE
   ORDER BY id
   FOR UPDATE;
