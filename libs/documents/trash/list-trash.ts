import type { Page, PageRequest } from '#database';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import type { DocumentKind } from '../document/fields.js';

/** A deleted template or module that can be restored. */
export interface TrashedDocument {
  id: string;
  kind: DocumentKind;
  name: string;
  workspaceId: string;
  /** The number of the latest version. */
  version: number;
  deletedAt: Date;
  deletedBy: string;
  /** The document can be restored until this time and is purged afterwards. */
  expiresAt: Date;
}

/**
 * Lists the trash of a workspace, latest `expiresAt` first. The latest deletions therefore come first, unless the
 * operator has changed `TRASH_DAYS`. Expired documents are at the end of the index, so a page does not read
 * them, even if no worker has purged them yet.
 */
export async function listTrash(
  { database, keysets }: DocumentStore,
  actor: Actor,
  { workspaceId, limit, cursor }: PageRequest & { workspaceId: string },
): Promise<Page<TrashedDocument>> {
  const keyset = keysets.forList(['trash', workspaceId]);
  const rows = await database.query<CallerRow & TrashedDocument>(
    `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
     LEFT JOIN LATERAL (
       SELECT id, kind, fields->>'name' AS name, workspace_id AS "workspaceId",
         (fields->>'version')::integer AS version, deleted_at AS "deletedAt",
         deleted_by AS "deletedBy", expires_at AS "expiresAt"
       FROM trashed_documents
       WHERE workspace_id = member.workspace_id AND (expires_at, id) < ($3, $4) AND expires_at > now()
       ORDER BY expires_at DESC, id DESC LIMIT $5
     ) page ON true
     WHERE caller.id = $1 ORDER BY page."expiresAt" DESC, page.id DESC`,
    [actor.userId, workspaceId, ...keyset.after(cursor), limit + 1],
  );
  const documents = authoriseList(rows, 'viewer', 'workspace');
  return keyset.page(documents, limit, ({ expiresAt, id }) => [expiresAt, id]);
}
