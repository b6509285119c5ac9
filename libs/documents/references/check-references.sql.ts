import { isOfKind } from '../document/fields.js';

/** Maximum nesting depth of modules. A module that a document uses directly has depth 1. */
export const MAX_MODULE_DEPTH = 5;
/** The maximum number of modules that a document may use, directly or through other modules. */
export const MAX_USED_MODULES = 1_000;
const MAX_INTEGER = 2_147_483_647;

/**
 * An SQL condition on a row of `document_versions`. If `version` is not null, the row must be that version of the
 * module. If `version` is null, the row must be a version that existed at `time`, or any version if `time` is null too.
 * The first comparison of the version lets PostgreSQL start the index scan at the pinned version.
 */
export const matchesVersion = (
  moduleId: string,
  version: string,
  time = 'NULL::timestamptz',
): string =>
  `kind = 'module' AND document_id = ${moduleId} AND version <= coalesce(${version}, ${MAX_INTEGER}) AND CASE
        WHEN ${version} IS NOT NULL THEN version = ${version}
        ELSE ${time} IS NULL OR created_at <= ${time} END`;

/**
 * A CTE that reads references from JSON. `parameter` is the placeholder of the JSON, which contains the references of
 * documents that are about to be stored. `documentBytes` is the size of a document without its modules.
 */
export const referenceCte = (parameter: string): string => `reference AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${parameter}::jsonb) AS reference (
      "documentId" uuid, "documentBytes" integer, "moduleId" uuid, version integer, "asOf" timestamptz,
      place text, occurrences integer, path text, "mayDangle" boolean
    )
  )`;

/**
 * All modules that the documents use, directly or through other modules, with their nesting depth. `frozen_at` is the
 * time as of which a module uses other modules, if the module is pinned or is inside a pinned module. If `frozen_at` is
 * null, the module uses the latest versions of the other modules.
 *
 * The CTE does not join `documents`, so it includes modules in the trash. If the CTE left them out, restoring a module
 * could close a cycle or nest modules too deeply.
 */
const CLOSURE_CTE = `closure AS (
    SELECT "documentId" AS document_id, version.document_id AS id, version.version, 1 AS depth,
      CASE WHEN reference.version IS NOT NULL THEN coalesce("asOf", version.created_at) END AS frozen_at
    FROM reference CROSS JOIN LATERAL (
      SELECT document_id, version, created_at FROM document_versions
      WHERE ${matchesVersion('"moduleId"', 'reference.version')}
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
      WHERE ${matchesVersion('used."moduleId"', 'used.version', 'frozen_at')}
      ORDER BY version DESC LIMIT 1
    ) version
    WHERE depth <= ${MAX_MODULE_DEPTH}
  )`;

/**
 * The workspaces of the documents and of all modules they use, including trashed ones. A concurrent change in any of
 * these workspaces could close a cycle with the references in $1.
 */
const SELECT_WORKSPACES = `SELECT DISTINCT found.workspace_id AS id
  FROM (SELECT id FROM closure UNION SELECT "documentId" FROM reference) document
  CROSS JOIN LATERAL (
    SELECT workspace_id FROM documents WHERE id = document.id
    UNION ALL
    SELECT workspace_id FROM trashed_documents WHERE id = document.id
    LIMIT 1
  ) found
  ORDER BY id`;

/**
 * Locks the workspaces of `SELECT_WORKSPACES`, so that no two transactions store references of modules in the same
 * workspace at the same time. All transactions take the locks in the same order.
 */
export const LOCK_REFERENCES = `WITH RECURSIVE ${referenceCte('$1')}, ${CLOSURE_CTE}
  SELECT id, pg_advisory_xact_lock(hashtextextended('module references ' || id, 0))
  FROM (${SELECT_WORKSPACES}) workspace`;

/**
 * Selects the workspaces again after `LOCK_REFERENCES`. While that statement waited, another transaction may have
 * changed which modules the documents use, and the locks may no longer cover all workspaces.
 */
export const SELECT_WORKSPACES_TO_LOCK = `WITH RECURSIVE ${referenceCte('$1')}, ${CLOSURE_CTE}
  ${SELECT_WORKSPACES}`;

/**
 * Common table expressions that check references. The statement must begin with WITH RECURSIVE.
 *
 * Locks: the referenced modules, FOR KEY SHARE, so that none is deleted before the documents are stored. All
 * transactions lock modules in order of id.
 * Reads: the referenced modules. If the documents are modules, the statement also reads all modules that the referenced
 * modules use, and the modules that use the documents through references without a pin.
 * Returns: `problem`, with a row for each problem.
 *
 * - resolved: each reference with the type and the size of the module. `modules` and `bytes` include the modules that
 *   the module used when its version was created. The type is read once for each version of a module, because reading
 *   it from 1 MiB of content takes PostgreSQL 40 ms.
 *
 * @param references the placeholder of the references.
 * @param userId the placeholder of the caller's id.
 * @param maxBytes the placeholder of the maximum size of a document including the contents of its modules.
 * @param areModules whether the documents are modules. Templates need no check for depth and cycles: stored modules are
 * never nested too deeply, and nothing can refer to a template.
 */
export const checkReferencesCtes = (
  references: string,
  userId: string,
  maxBytes: string,
  areModules: boolean,
): string => `${referenceCte(references)}, resolved AS MATERIALIZED (
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
        WHERE id = "moduleId" AND ${isOfKind('documents', 'module')} LIMIT 1 FOR KEY SHARE
      ) found
      CROSS JOIN LATERAL (
        SELECT FROM workspace_members
        WHERE workspace_id = found.workspace_id AND user_id = ${userId} LIMIT 1
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
  ), ${areModules ? `${CLOSURE_CTE}, ${ANCESTOR_CTE},` : ''} problem AS (
    SELECT 1 AS rank, CASE
      WHEN module_id IS NULL THEN 'missing' WHEN lacks_version THEN 'version' ELSE 'place'
      END AS kind, path, place
    FROM resolved
    WHERE "mayDangle" IS NOT TRUE AND (
      module_id IS NULL OR lacks_version
        OR place <> CASE WHEN type IN ('stripe', 'container') THEN type ELSE 'block' END
    )
    ${areModules ? `UNION ALL ${SELECT_NESTING_PROBLEMS}` : ''}
    UNION ALL
    SELECT 4, CASE WHEN modules > ${MAX_USED_MODULES} THEN 'count' ELSE 'size' END, NULL, NULL
    FROM (
      SELECT sum(modules) AS modules,
        max("documentBytes") + sum(bytes::bigint * occurrences) AS bytes
      FROM resolved GROUP BY "documentId"
    ) document
    WHERE modules > ${MAX_USED_MODULES} OR bytes > ${maxBytes}
  )`;

/**
 * The documents themselves, at distance 0, and the modules that use their latest versions, directly or through other
 * modules. Pinned references are ignored, because a pin always shows the same version.
 */
const ANCESTOR_CTE = `ancestor AS (
    SELECT DISTINCT "documentId" AS document_id, "documentId" AS id, 0 AS distance FROM reference
    UNION
    SELECT ancestor.document_id, usage.document_id, distance + 1
    FROM ancestor CROSS JOIN LATERAL (${selectFollowers('ancestor.id')}) usage
    WHERE distance <= ${MAX_MODULE_DEPTH}
  )`;

// ORDER BY keeps PostgreSQL from starting the join with this table.
function selectFollowers(moduleId: string): string {
  return `SELECT document_id FROM module_usages
      WHERE module_id = ${moduleId} AND document_kind = 'module' AND pinned_version = 0
      ORDER BY document_id`;
}

// Every ancestor of a document would contain all modules in the closure. If the closure contains an ancestor, even in
// an older version, that ancestor would contain itself.
const SELECT_NESTING_PROBLEMS = `SELECT 2, 'cycle', NULL, NULL FROM (
      SELECT document_id, id FROM closure INTERSECT SELECT document_id, id FROM ancestor
    ) cycle
    UNION ALL
    SELECT 3, 'depth', NULL, NULL FROM closure
    GROUP BY document_id HAVING 1 + max(depth) + (
      SELECT max(distance) FROM ancestor WHERE ancestor.document_id = closure.document_id
    ) > ${MAX_MODULE_DEPTH}`;
