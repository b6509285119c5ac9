import type { Query } from '#database';
import { isOfKind } from '../document/fields.js';

/** The module version that a reference resolves to. */
export interface WantedModule {
  moduleId: string;
  /** Null for the latest version or, if `frozenAt` is set, the latest version at that time. */
  version: number | null;
  frozenAt: Date | null;
}

export interface LoadedModule {
  id: string;
  version: number;
  name: string;
  createdAt: Date;
  /** The `type` member of the content. */
  type: string | null;
  /** Null if the content no longer fits into `maxBytes`. */
  content: string | null;
}

/**
 * Loads modules. The result has one element for each wanted module, in the same order. The element is undefined if the
 * module does not exist or the user cannot read it.
 * @param maxBytes the maximum total size of the contents that are loaded.
 */
export async function loadModules(
  query: Query,
  userId: string,
  wanted: readonly WantedModule[],
  maxBytes: number,
): Promise<(LoadedModule | undefined)[]> {
  const rows = await query<LoadedModule & { number: number }>(
    `SELECT number::integer, id, version, name, created_at AS "createdAt", content->>'type' AS type,
       CASE WHEN sum(bytes) OVER (ORDER BY number) <= $5 THEN content::text END AS content
     FROM (
       SELECT wanted.number, module.id, version.version, version.name, version.created_at,
         version.content, version.content_bytes AS bytes
       FROM unnest($2::uuid[], $3::integer[], $4::timestamptz[])
         WITH ORDINALITY AS wanted (module_id, version, frozen_at, number)
       CROSS JOIN LATERAL (
         SELECT * FROM documents WHERE id = wanted.module_id AND ${isOfKind('documents', 'module')} LIMIT 1
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
     ) found`,
    [
      userId,
      wanted.map(({ moduleId }) => moduleId),
      wanted.map(({ version }) => version),
      wanted.map(({ frozenAt }) => frozenAt),
      maxBytes,
    ],
  );
  const loaded = new Map(rows.map(({ number, ...module }) => [number, module]));
  return wanted.map((_, index) => loaded.get(index + 1));
}
