import { nextUpdatedAtInOrder, RestoredMeanwhile } from '#database';
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
import { appendVersionsStatement } from './versions/append-version.js';
import {
  assignIds,
  findChanges,
  inChunks,
  isOneChunk,
  outcomeOfBatch,
  selectComparableContent,
  type Batch,
  type OperationResult,
} from './batch-operations.js';
import {
  changedColumns,
  columnValue,
  COUNT_CHANGE,
  documentEvent,
  FIRST_SEQUENCE,
  hasSameTags,
  hasSameVersionedFields,
  JOIN_CURRENT_VERSION,
  nextRow,
  rowFields,
  type AnyDocumentType,
  type ChangedRow,
  type DocumentSummary,
  type WritableFields,
} from './document-type.js';
import type { DocumentStore } from './document-store.js';
import { JsonText } from './json-text.js';
import { countUsers, rejectUsed } from './references/module-users.js';
import {
  keepReferences,
  lockReferences,
  referencesOf,
  rejectProblems,
  storeReferences,
} from './references/store-references.js';
import { queueDocuments } from './search/queue-documents.sql.js';
import { changeTags } from './tags/change-tags.js';
import { moveToTrash } from './trash/move-to-trash.sql.js';

export type DocumentBatch<Text extends string = never> = Batch<
  WritableFields<Text>,
  Partial<WritableFields<Text>>
>;

interface Write {
  id: string;
  content?: JsonText | undefined;
  row: Record<string, string>;
}

/**
 * Carries out all operations or none. Each operation has the same result as if it were a separate request.
 * A thousand operations take as many statements as one operation, plus statements for the documents that
 * are compared, and for documents beyond 2 MiB. The caller has checked that no two operations name the same
 * document.
 */
export async function writeBatch<Kind extends string, Own extends object>(
  { unitOfWork, maxExpandedBytes, trashDays }: DocumentStore,
  type: AnyDocumentType & { kind: Kind; defaults: Own },
  actor: Actor,
  batch: DocumentBatch,
): Promise<{ data: OperationResult<Record<Kind, DocumentSummary & Own>>[] }> {
  const { kind } = type;
  const { operations, creations, updates, deletions } = assignIds(batch);
  const targetIds = idsOf([...updates, ...deletions]);

  const references = await Promise.all(
    [...creations, ...updates].flatMap(({ id, content }) =>
      content === undefined ? [] : [referencesOf(id, content)],
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
    const inserts = creations.map((creation) => ({
      id: creation.id,
      content: creation.content,
      row: nextRow(type, creation, type.defaults),
    }));
    const isWritten = new Set(idsOf([...inserts, ...changes]));
    const written = [...inserts, ...changes];
    const rowWrites = Promise.all([
      inserts.length === 0
        ? []
        : query<ChangedRow>(insertStatement(type), [
            batch.workspaceId,
            ...columnArrays(type, actor, inserts),
          ]),
      changes.length === 0
        ? []
        : query<ChangedRow>(updateStatement(type), columnArrays(type, actor, changes)),
      changeTags(transaction, type, actor, tagChanges),
      inChunks(written, (chunk) =>
        query(appendVersionsStatement(type), [idsOf(chunk), contentsOf(chunk), actor.userId]),
      ),
    ]);
    // The references belong to the versions that these statements write, and only the first chunk is sent yet.
    if (!isOneChunk(written)) await rowWrites;
    const [[created, updated, tagged], , , problems, users] = await Promise.all([
      rowWrites,
      query(moveToTrash(type), [deletedIds, actor.userId, trashDays]),
      // Before the check of the other references, which reads these.
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
      // After the writes: an operation may remove a reference to a module that another one deletes.
      kind === 'module' &&
        !batch.force &&
        deletedIds.length > 0 &&
        countUsers(transaction, deletedIds),
    ]);
    rejectProblems(problems, maxExpandedBytes);
    transaction.beforeCommit(QUEUE_WRITTEN, [[...isWritten]]);
    if (users) rejectUsed(users);
    const writtenById = new Map([...created, ...updated, ...tagged].map((row) => [row.id, row]));
    return outcomeOfBatch(
      {
        data: operations.map(({ action, id }) => {
          if (action === 'delete') return { action, id };
          const { eventCount, ...summary } = writtenById.get(id) ?? getCurrent(id);
          const resource = { [kind]: summary } as Record<Kind, DocumentSummary & Own>;
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
 * All batches lock rows in the same order, so that no two batches deadlock. Only rows of this workspace are
 * locked. IS TRUE keeps PostgreSQL from reading the whole workspace through an index that begins with
 * `workspace_id`.
 */
const lockStatement = ({ kind }: AnyDocumentType, isDeletion: boolean) =>
  `SELECT FROM documents WHERE id = ANY ($1) AND (workspace_id = $2 AND kind = '${kind}') IS TRUE
   ORDER BY id
   FOR ${isDeletion ? 'UPDATE' : 'NO KEY UPDATE'}`;

const QUEUE_WRITTEN = queueDocuments(
  `SELECT document.id, document.workspace_id, document.version FROM unnest($1::uuid[]) AS written (id)
   CROSS JOIN LATERAL (SELECT id, workspace_id, version FROM documents WHERE id = written.id LIMIT 1) document
   ORDER BY document.id`,
);

const loadStatement = (type: AnyDocumentType) =>
  `SELECT ${callerColumns('workspace.id')}, document.* ${fromCallerInWorkspace('$2')}
   LEFT JOIN (unnest($3::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
     SELECT ${changedColumns(type)} FROM documents document
     WHERE document.id = wanted.id AND (document.kind = '${type.kind}') IS TRUE LIMIT 1
   ) document) ON document."workspaceId" = member.workspace_id
   WHERE caller.id = $1`;

const insertStatement = (type: AnyDocumentType) => {
  const columns = inputColumns(type);
  const values = columns.map((column) => columnValue(column, `input.${column}`));
  const user = userParameter(type, 2);
  return `INSERT INTO documents AS document
      (kind, workspace_id, ${columns.join(', ')}, events, created_at, created_by, updated_at, updated_by)
    SELECT '${type.kind}', $1, ${values.join(', ')}, ${FIRST_SEQUENCE}, at, ${user}, at, ${user}
    FROM ${inputRows(type, 2)}, (SELECT time_of_change() AS at) change
    RETURNING ${changedColumns(type)}`;
};

// The rows are locked, so their ctid does not change before the UPDATE.
const updateStatement = (type: AnyDocumentType) => {
  const assignments = rowFields(type).map(
    (field) => `${field} = ${columnValue(field, `input.${field}`)}`,
  );
  return `UPDATE documents document
    SET ${assignments.join(', ')}, ${COUNT_CHANGE}, updated_at = ${nextUpdatedAtInOrder},
      updated_by = ${userParameter(type, 1)}
    FROM ${inputRows(type, 1)}
    CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
    WHERE document.ctid = located.place
    RETURNING ${changedColumns(type)}`;
};

/** The parameter after those of `inputRows`. */
const userParameter = (type: AnyDocumentType, firstParameter: number): string =>
  `$${firstParameter + inputColumns(type).length}::uuid`;

const inputColumns = (type: AnyDocumentType): string[] => ['id', ...rowFields(type)];

/**
 * SQL that turns the arrays of `columnArrays` into rows. The first array is the parameter
 * `$<firstParameter>`.
 */
function inputRows(type: AnyDocumentType, firstParameter: number): string {
  const texts = rowFields(type).map((_, index) => `$${firstParameter + 1 + index}::text[]`);
  return `unnest($${firstParameter}::uuid[], ${texts.join(', ')}) AS input (${inputColumns(type).join(', ')})`;
}

const columnArrays = (type: AnyDocumentType, actor: Actor, writes: readonly Write[]): unknown[] => [
  idsOf(writes),
  ...rowFields(type).map((field) => writes.map(({ row }) => row[field])),
  actor.userId,
];

const contentsOf = (writes: readonly Write[]) =>
  JsonText.arrayOf(writes.map(({ content }) => content));

const idsOf = (resources: readonly { id: string }[]) => resources.map(({ id }) => id);
