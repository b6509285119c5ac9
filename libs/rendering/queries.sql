-- The statements of this lib as PostgreSQL gets them, for people to read. The tests of the API have run them.
-- Writes lock the rows that they change; "Locks" names all other locks. `npm run generate:queries` writes this file.

-- latestVersions (libs/rendering/pinned-modules.ts)
-- Parameters: $1 uuid, $2 uuid[]
SELECT module.id, module.version FROM unnest($2::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (
       SELECT * FROM documents WHERE id = wanted.id AND (documents.kind = 'module') IS TRUE LIMIT 1
     ) module
     CROSS JOIN LATERAL (
       SELECT FROM workspace_members
       WHERE workspace_id = module.workspace_id AND user_id = $1 LIMIT 1
     ) member;

-- tenantOf (libs/rendering/rendering.ts)
-- Parameters: $1 uuid, $2 uuid
SELECT caller.status = 'active' AS "isCallerActive", member.role AS "callerRole", workspace.id AS "foundId", api_key.environment IS NOT NULL AS "isLimited",
         api_key.workspace_id AS "workspaceOfKey"
       FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = $2
   LEFT JOIN workspace_members member
     ON member.workspace_id = workspace.id AND member.user_id = caller.id
       LEFT JOIN api_keys api_key ON api_key.user_id = caller.id WHERE caller.id = $1;

-- workspaceOf (libs/rendering/rendering.ts)
-- Parameters: $1 uuid
SELECT workspace_id AS "workspaceId" FROM documents WHERE id = $1 AND (documents.kind = 'template') IS TRUE;
