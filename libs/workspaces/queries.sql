-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- authenticate (libs/workspaces/api-keys.ts)
-- Parameters: $1 bytea
-- Writes: Update api_keys
WITH key AS (
         SELECT id, user_id, expires_at, coalesce(expires_at > now(), true) AS is_valid
         FROM api_keys WHERE hash = $1
       ), used AS (
         UPDATE api_keys SET last_used_at = now()
         WHERE id = (SELECT id FROM key WHERE is_valid)
       )
       SELECT user_id AS "userId", expires_at AS "expiresAt", is_valid AS "isValid" FROM key;

-- create (libs/workspaces/api-keys.ts)
-- Parameters: $1 uuid, $2 uuid, $3 uuid, $4 text, $5 text, $6 bytea, $7 text, $8 timestamp with time zone, $9 uuid, $10 text
-- Writes: Insert api_keys, Insert users, Insert workspace_members
WITH service AS (
           INSERT INTO users (id, issuer, subject, first_name, kind)
           VALUES ($3, 'urn:galley:key', $2::uuid::text, $4, 'key') RETURNING id
         ), membership AS (
           INSERT INTO workspace_members (workspace_id, user_id, role)
           SELECT $1, id, $5 FROM service RETURNING role
         ), key AS (
           INSERT INTO api_keys (id, workspace_id, user_id, name, hash, prefix, expires_at, created_by, environment)
           SELECT $2, $1, id, $4, $6, $7, $8, $9, $10 FROM service RETURNING *
         )
         SELECT key.id, key.user_id AS "userId", key.name,
  CASE membership.role WHEN 'published' THEN 'viewer' ELSE membership.role END AS role, key.environment,
  key.prefix, key.expires_at AS "expiresAt", key.last_used_at AS "lastUsedAt", key.created_by AS "createdBy", key.created_at AS "createdAt" FROM key, membership;

-- list (libs/workspaces/api-keys.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
       LEFT JOIN LATERAL (
         SELECT key.id, key.user_id AS "userId", key.name,
  CASE membership.role WHEN 'published' THEN 'viewer' ELSE membership.role END AS role, key.environment,
  key.prefix, key.expires_at AS "expiresAt", key.last_used_at AS "lastUsedAt", key.created_by AS "createdBy", key.created_at AS "createdAt" FROM api_keys key
         JOIN workspace_members membership
           ON membership.workspace_id = key.workspace_id AND membership.user_id = key.user_id
         WHERE key.workspace_id = member.workspace_id AND (key.created_at, key.id) < ($3, $4)
         ORDER BY key.created_at DESC, key.id DESC LIMIT $5
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."createdAt" DESC, page.id DESC;

-- requireEnvironment (libs/workspaces/api-keys.ts)
-- Parameters: $1 uuid, $2 text
-- Locks: environments FOR KEY SHARE
SELECT 1 FROM environments WHERE workspace_id = $1 AND name = $2 FOR KEY SHARE;

-- revoke (libs/workspaces/api-keys.ts)
-- Parameters: $1 uuid, $2 uuid
-- Writes: Delete api_keys, Delete workspace_members, Update users
WITH key AS (
           DELETE FROM api_keys WHERE id = $2 AND workspace_id = $1 RETURNING user_id, name
         ), membership AS (
           DELETE FROM workspace_members
           WHERE workspace_id = $1 AND user_id = (SELECT user_id FROM key)
         )
         UPDATE users SET status = 'deleted', updated_at = now()
         WHERE id = (SELECT user_id FROM key) RETURNING id AS "userId", (SELECT name FROM key);

-- audit (libs/workspaces/audit-log.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 uuid, $5 inet, $6 uuid, $7 json
-- Writes: Insert audit_entries
INSERT INTO audit_entries (id, workspace_id, action, actor_id, address, target_id, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7);

-- list (libs/workspaces/audit-log.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 bigint, $6 text, $7 uuid, $8 uuid, $9 timestamp with time zone
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
       LEFT JOIN LATERAL (
         SELECT entry.id, occurred_at AS "occurredAt", action, host(address) AS address,
           target_id AS "targetId", details, matches, "isScanEnd",
           CASE WHEN actor_id IS NOT NULL THEN json_build_object(
             'userId', actor.id, 'kind', actor.kind, 'email', actor.email,
             'name', trim(actor.first_name || ' ' || actor.last_name)
           ) END AS actor
         FROM (
           SELECT *, rank = 5000 AS "isScanEnd" FROM (
             SELECT *, row_number() OVER (ORDER BY occurred_at DESC, id DESC) AS rank,
               ($6::text IS NULL OR action = $6) AND ($7::uuid IS NULL OR actor_id = $7)
                 AND ($8::uuid IS NULL OR target_id = $8) AS matches
             FROM audit_entries
             WHERE workspace_id = member.workspace_id AND (occurred_at, id) < ($3, $4)
               AND occurred_at >= coalesce($9, '-infinity'::timestamptz)
               AND member.role IN ('admin', 'owner')
             ORDER BY occurred_at DESC, id DESC LIMIT 5000
           ) scanned
           WHERE matches OR rank = 5000
           ORDER BY occurred_at DESC, id DESC LIMIT $5
         ) entry
         LEFT JOIN users actor ON actor.id = entry.actor_id
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."occurredAt" DESC, page.id DESC;

-- change (libs/workspaces/check-settings.ts)
-- Parameters: $1 uuid
SELECT workspace.check_levels AS levels,
  workspace.errors_block_publishing AS "errorsBlockPublishing" FROM workspaces workspace WHERE id = $1;

-- change, shape 2 (libs/workspaces/check-settings.ts)
-- Parameters: $1 uuid, $2 jsonb, $3 boolean
-- Writes: Update workspaces
UPDATE workspaces AS workspace SET check_levels = coalesce($2::jsonb, check_levels),
           errors_block_publishing = coalesce($3::boolean, errors_block_publishing)
         WHERE id = $1 RETURNING workspace.check_levels AS levels,
  workspace.errors_block_publishing AS "errorsBlockPublishing";

-- get (libs/workspaces/check-settings.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", workspace.check_levels AS levels,
  workspace.errors_block_publishing AS "errorsBlockPublishing" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
       WHERE caller.id = $1;

-- getForTemplate (libs/workspaces/check-settings.ts)
-- Parameters: $1 uuid
SELECT workspace.check_levels AS levels,
  workspace.errors_block_publishing AS "errorsBlockPublishing" FROM documents template
       JOIN workspaces workspace ON workspace.id = template.workspace_id WHERE template.id = $1;

-- create (libs/workspaces/environments.ts)
-- Parameters: $1 uuid, $2 text, $3 uuid
-- Writes: Insert environments
WITH other AS (
           SELECT name FROM environments WHERE workspace_id = $1 AND name <> 'production'
         ), created AS (
           INSERT INTO environments (workspace_id, name, created_by)
           SELECT $1, $2, $3
           WHERE $2 <> 'production' AND $2 NOT IN (SELECT name FROM other)
             AND (SELECT count(*) FROM other) < 19
           RETURNING *
         )
         SELECT created.name, created.created_by AS "createdBy", created.created_at AS "createdAt",
           (SELECT count(*)::integer FROM other WHERE name <> $2) AS others
         FROM (SELECT) always LEFT JOIN created ON true;

-- delete (libs/workspaces/environments.ts)
-- Parameters: $1 uuid, $2 text
-- Writes: Delete environments
DELETE FROM environments WHERE workspace_id = $1 AND name = $2;

-- delete, shape 2 (libs/workspaces/environments.ts)
-- Parameters: $1 uuid, $2 text
-- Locks: environments FOR UPDATE
SELECT 1 FROM environments WHERE workspace_id = $1 AND name = $2 FOR UPDATE;

-- list (libs/workspaces/environments.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", environment.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
       LEFT JOIN LATERAL (
         SELECT 'production' AS name, NULL::uuid AS "createdBy", workspace.created_at AS "createdAt"
         UNION ALL
         SELECT name, created_by, created_at FROM environments
         WHERE workspace_id = member.workspace_id AND name <> 'production'
       ) environment ON true
       WHERE caller.id = $1
       ORDER BY environment.name <> 'production', environment.name COLLATE "C";

-- lockEmail (libs/workspaces/invitations.ts)
-- Parameters: $1 text
-- Locks: pg_advisory_xact_lock
SELECT pg_advisory_xact_lock(hashtextextended($1, 0));

-- add (libs/workspaces/members.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text, $4 text
-- Writes: Insert workspace_members
-- Locks: users FOR SHARE
WITH subject AS (
           SELECT * FROM users
           WHERE id = $2 AND kind = 'person' AND status IN ('active', $4)
           -- If a concurrent transaction deletes this user, that transaction waits for this lock. If that
           -- transaction was first, the user is not found here.
           FOR SHARE
         ), membership AS (
           INSERT INTO workspace_members (workspace_id, user_id, role) SELECT $1, id, $3 FROM subject
           ON CONFLICT DO NOTHING RETURNING *
         )
         SELECT membership.user_id IS NOT NULL AS "isNew", subject.id AS "userId", subject.email, subject.first_name AS "firstName",
  subject.last_name AS "lastName", membership.role, subject.status,
  membership.created_at AS "createdAt", membership.updated_at AS "updatedAt"
         FROM subject LEFT JOIN membership ON true;

-- assertOwnerChangeAllowed (libs/workspaces/members.ts)
-- Parameters: $1 uuid
SELECT user_id AS "userId", users.status = 'active' AS "isActive"
       FROM workspace_members JOIN users ON users.id = user_id
       WHERE workspace_id = $1 AND role = 'owner';

-- changeRole (libs/workspaces/members.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text
-- Writes: Update workspace_members
WITH before AS (
           SELECT role FROM workspace_members WHERE workspace_id = $1 AND user_id = $2
         )
         UPDATE workspace_members SET role = $3, updated_at = clock_timestamp()
         WHERE workspace_id = $1 AND user_id = $2 AND role <> $3 AND EXISTS (SELECT FROM users WHERE id = user_id AND kind = 'person')
         RETURNING (SELECT role FROM before) AS "from";

-- list (libs/workspaces/members.ts)
-- Parameters: $1 uuid, $2 uuid, $3 timestamp with time zone, $4 uuid, $5 bigint
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", page.* FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
       LEFT JOIN LATERAL (
         SELECT subject.id AS "userId", subject.email, subject.first_name AS "firstName",
  subject.last_name AS "lastName", membership.role, subject.status,
  membership.created_at AS "createdAt", membership.updated_at AS "updatedAt", subject.id FROM workspace_members membership
         JOIN users subject ON subject.id = membership.user_id AND subject.kind = 'person'
         WHERE membership.workspace_id = workspace.id
           AND (membership.updated_at, subject.id) < ($3, $4)
         ORDER BY membership.updated_at DESC, subject.id DESC LIMIT $5
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- loadMember (libs/workspaces/members.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT subject.id AS "userId", subject.email, subject.first_name AS "firstName",
  subject.last_name AS "lastName", membership.role, subject.status,
  membership.created_at AS "createdAt", membership.updated_at AS "updatedAt" FROM workspace_members membership
     JOIN users subject ON subject.id = membership.user_id AND subject.kind = 'person'
     WHERE membership.workspace_id = $1 AND membership.user_id = $2;

-- remove (libs/workspaces/members.ts)
-- Parameters: $1 uuid, $2 uuid
-- Writes: Delete workspace_members
DELETE FROM workspace_members WHERE workspace_id = $1 AND user_id = $2 AND EXISTS (SELECT FROM users WHERE id = user_id AND kind = 'person')
         RETURNING role;

-- deleteExpiredEntries (libs/workspaces/workspace-housekeeping.ts)
-- Parameters: $1 double precision
-- Writes: Delete audit_entries
-- Locks: audit_entries FOR UPDATE SKIP LOCKED
DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM audit_entries WHERE occurred_at < now() - $1 * interval '1 day'
           LIMIT 1000 FOR UPDATE SKIP LOCKED
         ))
         RETURNING 1;

-- softDeleteUninvitedUsers (libs/workspaces/workspace-housekeeping.ts)
-- Locks: workspace_members FOR UPDATE SKIP LOCKED
SELECT id FROM users WHERE status = 'invited'
           AND NOT EXISTS (SELECT FROM workspace_members WHERE user_id = users.id)
         FOR UPDATE SKIP LOCKED;

-- softDeleteUninvitedUsers, shape 2 (libs/workspaces/workspace-housekeeping.ts)
-- Parameters: $1 uuid[]
-- Writes: Update users
UPDATE users SET subject = id::text, email = '', status = 'deleted' WHERE id = ANY ($1)
           AND NOT EXISTS (SELECT FROM workspace_members WHERE user_id = users.id);

-- LOAD_WORKSPACE (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 uuid, $3 uuid, $4 uuid, $5 text[], $6 uuid, $7 text[]
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", endpoint.id AS "foundId", (
      SELECT count(*)::integer FROM webhook_delivery_log log,
        (VALUES ($5::text[], $6::uuid, $7::text[])) filter (events, resource_id, statuses)
      WHERE log.endpoint_id = endpoint.id AND log.id > $3 AND log.id < $4
        AND (filter.events IS NULL
    OR filter.events && ARRAY[log.kind, split_part(log.kind, '.', 1) || '.*', '*'])
  AND (filter.resource_id IS NULL OR log.resource_id = filter.resource_id)
  AND (filter.statuses IS NULL OR log.status = ANY (filter.statuses))
  AND log.replay_id IS NULL
    ) AS count FROM users caller
  LEFT JOIN webhook_endpoints endpoint
    ON endpoint.id = $2 AND endpoint.workspace_deleted_at IS NULL
  LEFT JOIN workspace_members member
     ON member.workspace_id = endpoint.workspace_id AND member.user_id = caller.id WHERE caller.id = $1;

-- LOAD_WORKSPACE, shape 2 (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", endpoint.id AS "foundId", endpoint.id, endpoint.workspace_id AS "workspaceId", endpoint.url,
  endpoint.events, endpoint.resource_ids AS "resourceIds", endpoint.description,
  endpoint.encrypted_headers AS "encryptedHeaders", endpoint.rate_limit AS "rateLimit", endpoint.ordered,
  endpoint.status, endpoint.status_reason AS "statusReason", endpoint.status_since AS "statusSince",
  endpoint.created_at AS "createdAt", endpoint.updated_at AS "updatedAt" FROM users caller
  LEFT JOIN webhook_endpoints endpoint
    ON endpoint.id = $2 AND endpoint.workspace_deleted_at IS NULL
  LEFT JOIN workspace_members member
     ON member.workspace_id = endpoint.workspace_id AND member.user_id = caller.id WHERE caller.id = $1;

-- LOAD_WORKSPACE, shape 3 (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId" FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1;

-- LOAD_WORKSPACE, shape 4 (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", workspace.id, workspace.name, member.role AS role,
  workspace.created_at AS "createdAt", workspace.updated_at AS "updatedAt"
  FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id WHERE caller.id = $1;

-- LOCK_WORKSPACE_FOR_KEY_SHARE (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid
-- Locks: workspaces FOR KEY SHARE
SELECT FROM workspaces WHERE id = $1 FOR KEY SHARE;

-- create (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 uuid, $3 text
-- Writes: Insert workspace_feeds, Insert workspace_members, Insert workspaces
WITH workspace AS (
           INSERT INTO workspaces (id, name)
           SELECT $2, $3 FROM users WHERE id = $1 AND status = 'active' AND kind = 'person'
           RETURNING *
         ), owner AS (
           INSERT INTO workspace_members (workspace_id, user_id, role)
           SELECT id, $1, 'owner' FROM workspace RETURNING role
         ), feed AS (
           INSERT INTO workspace_feeds (workspace_id) SELECT id FROM workspace
         )
         SELECT caller.kind, caller.status, workspace.id, workspace.name, owner.role AS role,
  workspace.created_at AS "createdAt", workspace.updated_at AS "updatedAt"
         FROM users caller LEFT JOIN workspace ON true LEFT JOIN owner ON true WHERE caller.id = $1;

-- delete (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid
-- Writes: Delete workspaces
DELETE FROM workspaces WHERE id = $1;

-- list (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone, $3 uuid, $4 bigint
SELECT caller.status = 'active' AS "isCallerActive", page.* FROM users caller
       LEFT JOIN LATERAL (
         SELECT workspace.id, workspace.name, member.role AS role,
  workspace.created_at AS "createdAt", workspace.updated_at AS "updatedAt" FROM workspace_members member
         JOIN workspaces workspace ON workspace.id = member.workspace_id
         WHERE member.user_id = caller.id AND member.role IN ('viewer', 'editor', 'admin', 'owner')
           AND (workspace.updated_at, workspace.id) < ($2, $3)
         ORDER BY workspace.updated_at DESC, workspace.id DESC LIMIT $4
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC;

-- lockWorkspace (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone[]
-- Locks: workspaces FOR NO KEY UPDATE
SELECT FROM workspaces WHERE id = $1 AND ($2::timestamptz[] IS NULL OR updated_at = ANY ($2)) FOR NO KEY UPDATE;

-- lockWorkspace, shape 2 (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 timestamp with time zone[]
-- Locks: workspaces FOR UPDATE
SELECT FROM workspaces WHERE id = $1 AND ($2::timestamptz[] IS NULL OR updated_at = ANY ($2)) FOR UPDATE;

-- rename (libs/workspaces/workspaces.ts)
-- Parameters: $1 uuid, $2 text, $3 text
-- Writes: Update workspaces
UPDATE workspaces AS workspace SET name = $2, updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
         WHERE id = $1 RETURNING workspace.id, workspace.name, $3::text AS role,
  workspace.created_at AS "createdAt", workspace.updated_at AS "updatedAt";
