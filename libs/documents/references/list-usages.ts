import { MAX_UUID, NIL_UUID, type Page, type PageRequest } from '#database';
import { authoriseList, callerColumns, joinMember, type Actor, type CallerRow } from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import { MAX_MODULE_DEPTH } from './check-references.sql.js';
import { isOfKind } from '../document/fields.js';

/** A template or module whose latest version uses a module. */
export interface ModuleUsage {
  kind: 'template' | 'module';
  id: string;
  name: string;
  workspaceId: string;
  /** The number of the latest version. */
  version: number;
  /** The module that the document refers to: the requested module, or another module that uses the requested module. */
  moduleId: string;
  /** The version to which the references are pinned; null if they follow the latest version. */
  pinnedVersion: number | null;
  /** The number of references to `moduleId` in the document. */
  occurrences: number;
}

type ScannedUsage = ModuleUsage & { isReadable: boolean; isScanEnd: boolean };

// No index covers the caller's access rights. A page therefore scans at most this many usages, and then ends with a
// cursor.
const MAX_SCANNED = 1_000;

/**
 * Lists the documents that use a module, directly or through other modules, in order of id. Skips documents in
 * workspaces that the caller cannot read, so a page may contain fewer usages than `limit`, or none at all, and still
 * have a next cursor.
 */
export async function listUsages(
  { database, keysets }: DocumentStore,
  actor: Actor,
  moduleId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<ModuleUsage>> {
  const keyset = keysets.forList(['usages', moduleId], [NIL_UUID, MAX_UUID, 0]);
  const rows = await database.query<CallerRow & ScannedUsage>(
    `WITH RECURSIVE used AS (
       SELECT $2::uuid AS id, 0 AS distance
       UNION
       SELECT document_id, distance + 1 FROM used JOIN module_usages ON module_id = used.id
       WHERE document_kind = 'module' AND distance < ${MAX_MODULE_DEPTH}
     )
     SELECT ${callerColumns('module.id')}, page.* FROM users caller
     LEFT JOIN documents module ON module.id = $2 AND ${isOfKind('module', 'module')}
     ${joinMember('module.workspace_id')}
     LEFT JOIN LATERAL (
       SELECT usage.document_kind AS kind, usage.document_id AS id, document.name,
         document.workspace_id AS "workspaceId", document.version, usage.module_id AS "moduleId",
         nullif(usage.pinned_version, 0) AS "pinnedVersion", usage.occurrences,
         own.user_id IS NOT NULL AS "isReadable", rank = ${MAX_SCANNED} AS "isScanEnd"
       FROM (
         SELECT usage.*,
           row_number() OVER (ORDER BY document_id, module_id, pinned_version) AS rank
         FROM (SELECT DISTINCT id FROM used) used
         CROSS JOIN LATERAL (
           SELECT * FROM module_usages
           WHERE module_id = used.id AND (document_id, module_id, pinned_version) > ($3, $4, $5::integer)
           ORDER BY document_id, pinned_version LIMIT ${MAX_SCANNED}
         ) usage
         WHERE module.id IS NOT NULL
         ORDER BY document_id, module_id, pinned_version LIMIT ${MAX_SCANNED}
       ) usage
       LEFT JOIN LATERAL (
         SELECT name, workspace_id, version FROM documents WHERE id = usage.document_id LIMIT 1
       ) document ON true
       LEFT JOIN LATERAL (
         SELECT user_id FROM workspace_members
         WHERE workspace_id = document.workspace_id AND user_id = caller.id LIMIT 1
       ) own ON true
       WHERE own.user_id IS NOT NULL OR rank = ${MAX_SCANNED}
       ORDER BY rank LIMIT $6
     ) page ON true
     WHERE caller.id = $1
     ORDER BY page.id, page."moduleId", page."pinnedVersion" NULLS FIRST`,
    [actor.userId, moduleId, ...keyset.after(cursor), limit + 1],
  );
  const scanned = authoriseList(rows, 'viewer', 'module');
  const usages = scanned
    .filter(({ isReadable }) => isReadable)
    .map(({ isReadable, isScanEnd, ...usage }) => usage);
  const page = keyset.page(usages, limit, positionOf);
  const last = scanned.at(-1);
  const nextCursor =
    page.nextCursor ?? (last?.isScanEnd ? keyset.cursorAt(positionOf(last)) : null);
  return { ...page, nextCursor };
}

const positionOf = ({ id, moduleId, pinnedVersion }: ModuleUsage) => [
  id,
  moduleId,
  pinnedVersion ?? 0,
];
