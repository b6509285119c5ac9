import { withEvents, type Transaction } from '#database';
import type { Precondition } from '#errors';
import { activeTraceparent } from '#tracing';
import type { Actor } from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import {
  documentEvent,
  documentTypes,
  eventDataExpression,
  type DocumentType,
} from '../document/document-type.js';
import { countUsages, rejectUsed } from '../references/module-users.js';
import { lockWorkspaceOf, moveToTrash } from '../trash/move-to-trash.sql.js';
import { lockDocument, vanished } from './update-document.js';

/**
 * Moves a document to the trash.
 * @param force whether to delete a module even if documents use it.
 */
export const deleteDocument = (
  { unitOfWork, trashDays }: DocumentStore,
  type: DocumentType,
  actor: Actor,
  id: string,
  precondition?: Precondition,
  force = false,
): Promise<void> =>
  unitOfWork.write(async (transaction) => {
    const [, document, users] = await Promise.all([
      transaction.query(lockWorkspaceOf('documents'), [id]),
      lockDocument(transaction, type, actor, id, precondition, 'UPDATE'),
      type.kind === 'module' && !force && countUsages(transaction, [id]),
    ]);
    if (users) rejectUsed(users);
    const [deleted] = await transaction.query<{ sequence: number }>(moveToTrash(type), [
      [id],
      actor.userId,
      trashDays,
    ]);
    if (deleted === undefined) throw vanished(type);
    return withEvents(undefined, documentEvent(type, 'deleted', document, deleted.sequence));
  });

/**
 * Permanently deletes all documents of a workspace, and stores their events. The transaction then deletes the
 * workspace.
 */
export async function deleteAllDocuments(
  { query }: Transaction,
  workspaceId: string,
): Promise<void> {
  for (const type of documentTypes) {
    await query(
      `WITH deleted AS (
         DELETE FROM documents WHERE workspace_id = $1 AND kind = '${type.kind}' RETURNING *
       )
       INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, traceparent)
       SELECT uuidv7_at(clock_timestamp()), '${type.kind}.deleted', workspace_id, id, events + 1,
         ${eventDataExpression(type)}, $2::text
       FROM deleted`,
      [workspaceId, activeTraceparent()],
    );
  }
}
