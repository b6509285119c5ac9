import {
  nextUpdatedAtInOrder,
  noEvent,
  RestoredMeanwhile,
  withEvents,
  type Transaction,
} from '#database';
import {
  audit,
  authorise,
  callerColumns,
  joinMember,
  rightIn,
  type Actor,
  type CallerRow,
  type Role,
} from '#workspaces';
import { DomainError } from '#errors';
import type { DocumentStore } from '../document/document-store.js';
import {
  documentEvent,
  summaryColumns,
  documentTypeFor,
  type DocumentType,
  type DocumentSummary,
} from '../document/document-type.js';
import { isTakenExternalId } from '../document/external-ids.js';
import type { DocumentKind } from '../document/fields.js';
import { queueDocuments } from '../search/queue-documents.sql.js';
import { lockWorkspaceOf, storedColumns } from './move-to-trash.sql.js';

/** A restored document, without its content. */
export interface RestoredDocument extends Pick<
  DocumentSummary,
  'id' | 'name' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'
> {
  kind: DocumentKind;
}

/**
 * Restores a document with all its versions and module usages. `updatedAt` becomes the time of the restore, so that
 * clients that poll the list see the document again.
 *
 * A restore fails if another document has taken the external id meanwhile, and only then. It does not check references.
 * The references may dangle, because a module that the document uses may have been deleted meanwhile. They cannot close
 * a cycle: the check of new references also follows the references of modules in the trash, whose versions still exist
 * (`check-references.sql.ts`).
 */
export const restoreFromTrash = (
  { unitOfWork }: DocumentStore,
  actor: Actor,
  id: string,
): Promise<RestoredDocument> =>
  unitOfWork.write(async (transaction) => {
    const trashed = await lockTrashed(transaction, actor, id, 'editor');
    const { kind, workspaceId } = trashed;
    transaction.requireForReplay(rightIn(workspaceId, 'editor'));
    const type = documentTypeFor(kind);
    const [, [restored]] = await Promise.all([
      transaction.query(LOCK_USED_MODULES, [id]),
      transaction
        .query<DocumentSummary & { sequence: number }>(restoreStatement(type), [
          id,
          JSON.stringify(defaultsOf(type)),
          actor.userId,
        ])
        .catch((error: unknown) => {
          throw isTakenExternalId(error) ? takenMeanwhile(trashed) : error;
        }),
    ]);
    if (restored === undefined) throw new Error(`A ${kind} vanished while it was locked.`);
    const { name, version, createdAt, updatedAt, sequence } = restored;
    return withEvents(
      { id, kind, name, workspaceId, version, createdAt, updatedAt },
      documentEvent(type, 'restored', restored, sequence),
    );
  }, actor.idempotencyKey);

const takenMeanwhile = ({ kind, externalId }: TrashedDocument) =>
  new DomainError(
    'already_exists',
    `The externalId "${externalId}" now belongs to another ${kind} in the workspace. Change or remove the externalId of that ${kind}, then restore this one.`,
  );

/** Permanently deletes a document that is in the trash. A worker deletes its versions within seconds. */
export const purgeFromTrash = (
  { unitOfWork }: DocumentStore,
  actor: Actor,
  id: string,
): Promise<void> =>
  unitOfWork.write(async (transaction) => {
    const { kind, workspaceId } = await lockTrashed(transaction, actor, id, 'admin');
    await transaction.query('DELETE FROM trashed_documents WHERE id = $1', [id]);
    // The audit entry does not contain the name, which may be personal data.
    const entry = { action: 'document.purged', targetId: id, details: { kind } } as const;
    audit(transaction, { actor, workspaceId, ...entry });
    return noEvent(undefined, 'the deletion had its event');
  });

interface TrashedDocument {
  kind: DocumentKind;
  workspaceId: string;
  externalId: string | null;
}

/** Locks and loads a document in the trash, like `lockDocument`. An expired document counts as not found. */
async function lockTrashed(
  { query }: Transaction,
  actor: Actor,
  id: string,
  requiredRole: Role,
): Promise<TrashedDocument> {
  const [, locked, [row]] = await Promise.all([
    query(lockWorkspaceOf('trashed_documents'), [id]),
    query('SELECT FROM trashed_documents WHERE id = $1 FOR UPDATE', [id]),
    query<CallerRow & TrashedDocument>(
      `SELECT ${callerColumns('document.id')}, document.kind, document.workspace_id AS "workspaceId",
         document.fields->>'external_id' AS "externalId"
       FROM users caller
       LEFT JOIN trashed_documents document ON document.id = $2 AND document.expires_at > now()
       ${joinMember('document.workspace_id')}
       WHERE caller.id = $1`,
      [actor.userId, id],
    ),
  ]);
  const document = authorise(row, requiredRole, 'document');
  // While this transaction waited for the lock, the document was restored and deleted again.
  if (locked.length === 0) throw new RestoredMeanwhile();
  return document;
}

/**
 * Locks the modules that the document uses. Deleting a module counts the documents that use it, and must see a document
 * that is being restored at the same time. All statements that lock modules lock them in order of id.
 */
const LOCK_USED_MODULES = `SELECT FROM documents WHERE id = ANY (ARRAY(
    SELECT (usage->>'module_id')::uuid FROM trashed_documents, jsonb_array_elements(usages) usage
    WHERE id = $1
  )) ORDER BY id FOR KEY SHARE`;

/** Defaults for columns that a later release of Galley may have added after the document was deleted. */
const defaultsOf = ({ defaults }: DocumentType): Record<string, unknown> => ({
  tags: [],
  ...defaults,
});

/**
 * Moves the document $1 out of the trash, on behalf of the user $3. $2 contains defaults for columns that the document
 * lacks.
 *
 * Writes: `trashed_documents`, `documents`, `module_usages`.
 * Returns: the row, with the sequence number of the event.
 *
 * - restored: the row as it was, except for the time and user of the latest change and the number of events. The
 *   deletion and the restore are two more events.
 */
function restoreStatement(type: DocumentType): string {
  const { kind } = type;
  const stored = storedColumns(type);
  const expressions = stored.map((column) => {
    if (column === 'updated_at') return nextUpdatedAtInOrder;
    if (column === 'updated_by') return '$3::uuid';
    return column === 'events' ? 'document.events + 2' : `document.${column}`;
  });
  return `WITH trashed AS (
      DELETE FROM trashed_documents WHERE id = $1 RETURNING id, workspace_id, fields, usages
    ), restored AS (
      INSERT INTO documents AS document (id, kind, workspace_id, ${stored.join(', ')})
      SELECT trashed.id, '${kind}', trashed.workspace_id, ${expressions.join(', ')}
      FROM trashed
      CROSS JOIN LATERAL jsonb_populate_record(NULL::documents, $2::jsonb || fields) document
      RETURNING ${summaryColumns(type)}, document.events AS sequence
    ), usage AS (
      INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
      SELECT trashed.id, '${kind}', usage.module_id, usage.pinned_version, usage.occurrences
      FROM trashed CROSS JOIN LATERAL jsonb_to_recordset(usages)
        AS usage (module_id uuid, pinned_version integer, occurrences integer)
    ), queued AS (${queueDocuments('SELECT id, "workspaceId" AS workspace_id, version FROM restored')})
    SELECT * FROM restored`;
}
