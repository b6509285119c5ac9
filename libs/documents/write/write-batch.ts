import { RestoredMeanwhile } from '#database';
import { requireMatchingTargets } from '#errors';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  LOCK_WORKSPACE_FOR_KEY_SHARE,
  rightIn,
  type Actor,
  type CallerRow,
} from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import {
  changedColumns,
  documentEvent,
  FIRST_SEQUENCE,
  forEachType,
  hasSameTags,
  hasSameVersionedFields,
  JOIN_CURRENT_VERSION,
  nextRow,
  type ChangedRow,
  type DocumentType,
  type NewDocument,
  type SummaryOf,
} from '../document/document-type.js';
import { isOfKind, type DocumentKind } from '../document/fields.js';
import { countUsages, rejectUsed } from '../references/module-users.js';
import {
  keepReferences,
  lockReferences,
  readNewReferences,
  rejectProblems,
  storeReferences,
} from '../references/store-references.js';
import { changeTags } from '../tags/change-tags.js';
import { moveToTrash } from '../trash/move-to-trash.sql.js';
import {
  findChanges,
  groupByAction,
  inChunks,
  isOneChunk,
  batchResult,
  selectComparableContent,
  type Batch,
  type OperationResult,
} from './batch-operations.js';
import { toInsert } from './create-documents.js';
import { insertDocuments, type InsertedRow } from './insert-documents.sql.js';
import { updateDocuments } from './update-documents.sql.js';
import { parametersOf, type Write } from './written-rows.js';

export type DocumentBatch = Batch<NewDocument, Partial<NewDocument>>;

/**
 * Carries out all operations or none. Each operation has the same result as a separate request. The number of
 * statements does not depend on the number of operations, with two exceptions: comparing contents takes further
 * statements, and contents of more than 2 MiB are written in several statements. The caller has checked that no two
 * operations target the same document.
 */
export async function writeBatch<Kind extends DocumentKind>(
  { unitOfWork, maxExpandedBytes, trashDays }: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  batch: DocumentBatch,
): Promise<{ data: OperationResult<Record<Kind, SummaryOf<Kind>>>[] }> {
  const { kind } = type;
  const { inserts, updates, deletions, operations } = groupByAction(batch, (creation) =>
    toInsert(type, batch.workspaceId, creation),
  );
  const targetIds = idsOf([...updates, ...deletions]);

  const references = await Promise.all(
    [...inserts, ...updates].flatMap(({ id, content }) =>
      content === undefined ? [] : [readNewReferences(id, content)],
    ),
  );
  const deletedIds = idsOf(deletions);

  return unitOfWork.write(async (transaction) => {
    const { query, requireForReplay } = transaction;
    const [, , locked, rows] = await Promise.all([
      lockReferences(transaction, type, references),
      query(LOCK_WORKSPACE_FOR_KEY_SHARE, [batch.workspaceId]),
      query(lockStatement(type, deletions.length > 0), [targetIds, batch.workspaceId]),
      query<CallerRow & ChangedRow>(loadStatement(type), [
        actor.userId,
        batch.workspaceId,
        targetIds,
      ]),
    ]);
    const existing = authoriseList(rows, 'editor', 'workspace');
    if (existing.length > locked.length) throw new RestoredMeanwhile();
    requireForReplay(rightIn(batch.workspaceId, 'editor'));
    const getCurrent = requireMatchingTargets(batch.operations, existing, kind);
    const writes = updates.map((update) => ({
      id: update.id,
      content: update.content,
      row: nextRow(type, update, getCurrent(update.id)),
    }));
    const changes = await findChanges<Write>(
      writes,
      ({ id, row }) => hasSameVersionedFields(type, row, getCurrent(id)),
      query,
      selectComparableContent(
        `SELECT content FROM (SELECT * FROM documents WHERE id = wanted.id LIMIT 1) document
         ${JOIN_CURRENT_VERSION}`,
      ),
    );
    const changedIds = new Set(idsOf(changes));
    const tagChanges = writes
      .filter(({ id, row }) => !changedIds.has(id) && !hasSameTags(row, getCurrent(id)))
      .map(({ id, row }) => ({ id, tags: row['tags'] }));
    const isWritten = new Set(idsOf([...inserts, ...changes]));
    const rowWrites = Promise.all([
      inChunks(inserts, async (chunk) => {
        const { workspaceId } = batch;
        const insert = { workspaceId, documents: chunk, events: FIRST_SEQUENCE };
        const { statement, values } = insertDocuments(type, actor, insert);
        const rows = await query<InsertedRow>(statement.text, values);
        return authoriseList(rows, 'editor', 'workspace');
      }),
      inChunks(changes, (chunk) =>
        query<ChangedRow>(updateDocuments(type, chunk.length), parametersOf(type, actor, chunk)),
      ),
      changeTags(transaction, type, actor, tagChanges),
    ]);
    // `storeReferences` reads the versions that `rowWrites` writes. If there are several chunks, `rowWrites` has sent
    // only its first statements so far, so it must finish first.
    if (!isOneChunk(inserts) || !isOneChunk(changes)) await rowWrites;
    const [[created, updated, tagged], , , problems, users] = await Promise.all([
      rowWrites,
      query(moveToTrash(type), [deletedIds, actor.userId, trashDays]),
      // Must precede `storeReferences`, which reads the references that `keepReferences` copies.
      keepReferences(
        transaction,
        type,
        changes.filter(({ content }) => content === undefined),
      ),
      storeReferences(
        transaction,
        type,
        actor,
        references.filter(({ documentId }) => isWritten.has(documentId)),
        { isNew: updates.length === 0, maxExpandedBytes },
      ),
      // The count must follow the writes, because an operation may remove a reference to a module that another
      // operation deletes.
      kind === 'module' &&
        !batch.force &&
        deletedIds.length > 0 &&
        countUsages(transaction, deletedIds),
    ]);
    rejectProblems(problems, maxExpandedBytes);
    if (users) rejectUsed(users);
    const writtenById = new Map([...created, ...updated, ...tagged].map((row) => [row.id, row]));
    return batchResult(
      {
        data: operations.map(({ action, id }) => {
          if (action === 'delete') return { action, id };
          const { eventCount, ...summary } = writtenById.get(id) ?? getCurrent(id);
          const resource = { [kind]: summary } as Record<Kind, SummaryOf<Kind>>;
          return { action, ...resource };
        }),
      },
      operations.map(({ action, id }) => {
        if (action === 'delete') {
          return documentEvent(type, 'deleted', getCurrent(id), getCurrent(id).eventCount + 1);
        }
        const written = writtenById.get(id);
        return written && documentEvent(type, `${action}d`, written, written.eventCount);
      }),
    );
  }, actor.idempotencyKey);
}

/**
 * All batches lock rows in the same order, so that no two batches deadlock. Only rows of the workspace $2 are locked.
 * IS TRUE keeps PostgreSQL from reading the whole workspace through an index that begins with `workspace_id`.
 */
const lockStatement = ({ kind }: DocumentType, isDeletion: boolean) =>
  `SELECT FROM documents WHERE id = ANY ($1) AND (workspace_id = $2 AND kind = '${kind}') IS TRUE
   ORDER BY id
   FOR ${isDeletion ? 'UPDATE' : 'NO KEY UPDATE'}`;

const loadStatement = forEachType(
  (type) =>
    `SELECT ${callerColumns('workspace.id')}, document.* ${fromCallerInWorkspace('$2')}
   LEFT JOIN (unnest($3::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
     SELECT ${changedColumns(type)} FROM documents document
     WHERE document.id = wanted.id AND ${isOfKind('document', type.kind)} LIMIT 1
   ) document) ON document."workspaceId" = member.workspace_id
   WHERE caller.id = $1`,
);

const idsOf = (resources: readonly { id: string }[]) => resources.map(({ id }) => id);
