import { isOfKind } from '#documents';
import type { Database } from '#database';
import type { Actor } from '#workspaces';

// The `$module` member of a pinned module in an expanded document, as `libs/documents` writes it.
const PINNED =
  /"\$module":\{"id":"([\da-f-]{36})","name":"(?:[^"\\]|\\.)*","version":\d+,"pinned":true\}/g;
// The maximum number of modules that a document may use.
const MAX_MODULES = 1_000;

/**
 * Returns the latest version of each module that an expanded document pins, by module id. Leaves out modules that the
 * caller may not read.
 */
export async function latestVersions(
  database: Database,
  { userId }: Actor,
  content: string,
): Promise<Record<string, number>> {
  const ids = new Set(Array.from(content.matchAll(PINNED), ([, id]) => id));
  if (ids.size === 0) return {};
  const rows = await database.query<{ id: string; version: number }>(
    `SELECT module.id, module.version FROM unnest($2::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (
       SELECT * FROM documents WHERE id = wanted.id AND ${isOfKind('documents', 'module')} LIMIT 1
     ) module
     CROSS JOIN LATERAL (
       SELECT FROM workspace_members
       WHERE workspace_id = module.workspace_id AND user_id = $1 LIMIT 1
     ) member`,
    [userId, Array.from(ids).slice(0, MAX_MODULES)],
  );
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]));
}
