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
import { changeUnversioned } from '../document/change-unversioned.js';
import type { DocumentStore } from '../document/document-store.js';
import {
  changedColumns,
  documentEvent,
  FIRST_SEQUENCE,
  forEachType,
  hasSameUnversionedFields,
  hasSameVersionedFields,
  JOIN_CURRENT_VERSION,
  nextRow,
  type ChangedRow,
  type DocumentType,
  type NewDocument,
  type SummaryOf,
} from '../document/document-type.js';
import { retryTakenExternalId } from '../document/external-ids.js';
import { isOfKind, type DocumentKind } from '../document/fields.js';
import { countUsages, rejectUsed } from '../references/module-users.js';
import {
  keepReferences,
  lockReferences,
  readNewReferences,
  rejectProblems,
  storeReferences,
  type DocumentReferences,
} from '../references/store-references.js';
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
import {
  checkExternalIds,
  findExternalIds,
  RELEASE_EXTERNAL_IDS,
  resolveUpserts,
} from './batch-external-ids.js';
import { toInsert } from './create-documents.js';
import { insertDocuments, type InsertedRow } from './insert-documents.sql.js';
import { updateDocuments } from './update-documents.sql.js';
import { parametersOf, type Write } from './written-rows.js';

export type DocumentBatch = Batch<NewDocument, Partial<NewDocument>>;

interface BatchResult<Kind extends DocumentKind> {
  data: OperationResult<Record<Kind, SummaryOf<Kind>>>[];
}

/**
 * Carries out all operations or none. Each operation has the same result as a separate request. The number of
 * statements does not depend on the number of operations, with two exceptions: comparing contents takes further
 * statements, and contents of more than 2 MiB are written in several statements. External ids take one more statement.
 * The caller has checked that no two operations have the same id or the same external id.
 */
export async function writeBatch<Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  batch: DocumentBatch,
): Promise<BatchResult<Kind>> {
  const references = await Promise.all(
    batch.operations.map(async (operation) =>
      'content' in operation && operation.content !== undefined
        ? await readNewReferences('', operation.content)
        : undefined,
    ),
  );
  return retryTakenExternalId(() => writeOperations(store, type, actor, batch, references));
}

/** @param contentReferences the references in the content of each operation, still without the id of the document. */
function writeOperations<Kind extends DocumentKind>(
  { unitOfWork, maxExpandedBytes, trashDays }: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  batch: DocumentBatch,
  contentReferences: readonly (DocumentReferences | undefined)[],
): Promise<BatchResult<Kind>> {
  const { kind } = type;
  return unitOfWork.write(async (transaction) => {
    const { query, requireForReplay } = transaction;
    const holders = await findExternalIds(transaction, type, batch.workspaceId, batch.operations);
    const resolved = resolveUpserts(batch.operations, holders);
    const { inserts, updates, deletions, operations } = groupByAction(resolved, (creation) =>
      toInsert(type, batch.workspaceId, creation),
    );
    // An upsert may name the document of another operation, which `checkExternalIds` refuses.
    const targetIds = [...new Set(idsOf([...updates, ...deletions]))];
    const deletedIds = idsOf(deletions);
    const references = operations.flatMap(({ id }, index) => {
      const found = contentReferences[index];
      return found === undefined ? [] : [{ ...found, documentId: id }];
    });
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
    const releasedIds = checkExternalIds(type, batch.operations, resolved, holders, existing);
    const getCurrent = requireMatchingTargets(resolved, existing, kind);
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
    const unversionedChanges = writes.filter(
      ({ id, row }) => !changedIds.has(id) && !hasSameUnversionedFields(row, getCurrent(id)),
    );
    const isWritten = new Set(idsOf([...inserts, ...changes]));
    const rowWrites = Promise.all([
      // Before the other writes, which may take the external ids of these documents.
      query(moveToTrash(type), [deletedIds, actor.userId, trashDays]),
      releasedIds.length > 0 && query(RELEASE_EXTERNAL_IDS, [releasedIds]),
      inChunks(inOrderOfExternalIds(inserts), async (chunk) => {
        const { workspaceId } = batch;
        const insert = { workspaceId, documents: chunk, events: FIRST_SEQUENCE };
        const { statement, values } = insertDocuments(type, actor, insert);
        const rows = await query<InsertedRow>(statement.text, values);
        return authoriseList(rows, 'editor', 'workspace');
      }),
      inChunks(changes, (chunk) =>
        query<ChangedRow>(updateDocuments(type, chunk.length), parametersOf(type, actor, chunk)),
      ),
      changeUnversioned(transaction, type, actor, unversionedChanges),
    ]);
    // `storeReferences` reads the versions that `rowWrites` writes. If there are several chunks, `rowWrites` has sent
    // only its first statements so far, so it must finish first.
    if (!isOneChunk(inserts) || !isOneChunk(changes)) await rowWrites;
    const [[, , created, updated, unversioned], , problems, users] = await Promise.all([
      rowWrites,
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
    const writtenById = new Map(
      [...created, ...updated, ...unversioned].map((row) => [row.id, row]),
    );
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

/** All batches insert external ids in the same order, so that no two batches deadlock in the unique index. */
const inOrderOfExternalIds = <Insert extends Pick<Write, 'row'>>(inserts: readonly Insert[]) =>
  inserts.toSorted((one, other) => {
    const [first = '', second = ''] = [one.row['external_id'], other.row['external_id']];
    return first < second ? -1 : Number(first > second);
  });

const idsOf = (resources: readonly { id: string }[]) => resources.map(({ id }) => id);
