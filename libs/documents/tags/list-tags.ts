import type { Page, PageRequest } from '#database';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';

export interface TagUsage {
  name: string;
  /** Both counts stop at `MAX_COUNTED`. */
  templates: number;
  modules: number;
}

// A million documents may have the same tag, and counting them all would take too long. Counters in a table would
// serialise all writes with the same tag.
export const MAX_COUNTED = 1_000;

const countOf = (kind: string): string =>
  `(SELECT count(*)::integer FROM (
     SELECT FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = tag.tag AND kind = '${kind}' LIMIT ${MAX_COUNTED}
   ) counted)`;

const tagAfter = (position: string): string =>
  `SELECT tag FROM document_tags
   WHERE workspace_id = member.workspace_id AND tag > ${position} ORDER BY tag LIMIT 1`;

/**
 * Lists the tags of a workspace in order of code points. The statement jumps from tag to tag in the index (a loose
 * index scan), so that a tag of many documents costs no more than any other tag.
 */
export async function listTags(
  { database, keysets }: DocumentStore,
  actor: Actor,
  { workspaceId, limit, cursor }: PageRequest & { workspaceId: string },
): Promise<Page<TagUsage>> {
  const keyset = keysets.forList(['tags', workspaceId], ['']);
  const rows = await database.query<CallerRow & TagUsage & { id: string }>(
    `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
     LEFT JOIN LATERAL (
       WITH RECURSIVE next AS (
         (${tagAfter('$3')})
         UNION ALL
         SELECT after.tag FROM next CROSS JOIN LATERAL (${tagAfter('next.tag')}) after
       )
       SELECT tag AS id, tag AS name, ${countOf('template')} AS templates, ${countOf('module')} AS modules
       FROM (SELECT tag FROM next LIMIT $4) tag
     ) page ON true
     WHERE caller.id = $1 ORDER BY page.name`,
    [actor.userId, workspaceId, ...keyset.after(cursor), limit + 1],
  );
  const tags = authoriseList(rows, 'viewer', 'workspace');
  return keyset.page(
    tags.map(({ id, ...tag }) => tag),
    limit,
    ({ name }) => [name],
  );
}
