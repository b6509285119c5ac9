import {
  matchesPrecondition,
  nextUpdatedAtInOrder,
  noEvent,
  RestoredMeanwhile,
  withEvents,
  type WorkResult,
  type Transaction,
} from '#database';
import {
  DomainError,
  entityTag,
  rejectReadOnlyChanges,
  parsePrecondition,
  type Precondition,
} from '#errors';
import { activeTraceparent } from '#tracing';
import { rightIn, type Actor } from '#workspaces';
import { v7 as uuidv7 } from 'uuid';
import { appendVersionCte } from './versions/append-version.js';
import { stripCopySuffix } from './copy-name.js';
import type { DocumentStore } from './document-store.js';
import {
  changedColumns,
  columnValue,
  COUNT_CHANGE,
  documentEvent,
  eventDataExpression,
  FIRST_SEQUENCE,
  FIRST_VERSION,
  hasSameTags,
  hasSameVersionedFields,
  nextRow,
  readOnlyFields,
  rowFields,
  type AnyDocumentType,
  type ChangedRow,
  type Document,
  type DocumentChange,
  type WritableFields,
} from './document-type.js';
import { insertDocument, insertStatement } from './insert-document.js';
import type { JsonText } from './json-text.js';
import { getDocument } from './read-documents.js';
import { countUsers, rejectUsed } from './references/module-users.js';
import {
  keepReferences,
  lockReferences,
  referencesOf,
  rejectProblems,
  storedReferencesOf,
  storeReferences,
  type DocumentReferences,
} from './references/store-references.js';
import { queueDocuments } from './search/queue-documents.sql.js';
import { changeTags } from './tags/change-tags.js';
import { lockWorkspaceOf, moveToTrash } from './trash/move-to-trash.sql.js';

type TypeOf<Own> = AnyDocumentType & { defaults: Own };

export async function createDocument<Own extends object>(
  store: DocumentStore,
  type: TypeOf<Own>,
  actor: Actor,
  input: WritableFields & { workspaceId: string },
): Promise<Document<Own>> {
  const { unitOfWork, maxExpandedBytes } = store;
  const { workspaceId } = input;
  const id = uuidv7();
  const row = nextRow(type, input, type.defaults);
  const references = await referencesOf(id, input.content);
  const insert = { ...input, id, row, eventCount: FIRST_SEQUENCE };
  const event = documentEvent(
    type,
    'created',
    { ...type.defaults, ...row, id, workspaceId, version: FIRST_VERSION },
    FIRST_SEQUENCE,
  );
  if (references.references.length > 0 && type.kind === 'module') {
    return unitOfWork.write(async (transaction) => {
      transaction.requireForReplay(rightIn(workspaceId, 'editor'));
      const document = await insertDocument(store, transaction, type, actor, insert, references);
      return withEvents(document, event);
    }, actor.idempotencyKey);
  }
  return unitOfWork.writeStatement(
    insertStatement(type, actor, { ...insert, references, maxExpandedBytes }),
    event,
    actor.idempotencyKey,
  );
}

export async function updateDocument<Own extends object>(
  store: DocumentStore,
  type: TypeOf<Own>,
  actor: Actor,
  id: string,
  change: DocumentChange<object>,
  precondition?: Precondition,
): Promise<Document<Own>> {
  // Malformed references are refused later, and only if the document differs from the stored one.
  const toLock =
    type.kind === 'module' && change.content && (await storedReferencesOf(id, change.content));
  return store.unitOfWork.write(async (transaction) => {
    const [, current] = await Promise.all([
      toLock && lockReferences(transaction, type, [toLock]),
      lockDocument(transaction, type, actor, id, precondition),
    ]);
    rejectReadOnlyChanges(change as Record<string, unknown>, readOnlyFields(type, current));
    const row = nextRow(type, change, current);
    const content = change.content ?? current.content;
    if (hasSameVersionedFields(type, row, current) && (await content.equals(current.content))) {
      if (hasSameTags(row, current)) return noEvent(current, 'nothing changed');
      const [tagged] = await changeTags(transaction, type, actor, [{ id, tags: row['tags'] }]);
      if (tagged === undefined) throw vanished(type);
      return updatedDocument(type, tagged, current.content);
    }
    const references = change.content && (await referencesOf(id, change.content));
    return replaceDocument(store, transaction, type, actor, { current, row, content, references });
  });
}

interface Replacement {
  /** Locked by the caller. */
  current: { id: string };
  row: Record<string, string>;
  content: JsonText;
  /** Their modules are locked by the caller. Undefined if the references stay as they are. */
  references: DocumentReferences | undefined;
}

/** Replaces the writable fields of a locked document. */
export async function replaceDocument<Own extends object>(
  { maxExpandedBytes }: DocumentStore,
  transaction: Transaction,
  type: TypeOf<Own>,
  actor: Actor,
  { current: { id }, row, content, references }: Replacement,
): Promise<WorkResult<Document<Own>>> {
  const assignments = rowFields(type).map(
    (field, index) => `${field} = ${columnValue(field, `$${4 + index}`)}`,
  );
  const [[updated], problems] = await Promise.all([
    transaction.query<ChangedRow>(
      `WITH document AS (
       UPDATE documents document SET ${assignments.join(', ')}, ${COUNT_CHANGE},
         updated_at = ${nextUpdatedAtInOrder}, updated_by = $3
       WHERE id = $1 RETURNING ${changedColumns(type)}
     ), ${appendVersionCte(type, '$2::json', '$3')}, queued AS (${queueDocuments('SELECT id, "workspaceId" AS workspace_id, version FROM document')})
     SELECT * FROM document`,
      [id, content.source, actor.userId, ...rowFields(type).map((field) => row[field])],
    ),
    references
      ? storeReferences(transaction, type, actor, [references], { isNew: false, maxExpandedBytes })
      : keepReferences(transaction, type, [{ id }]),
  ]);
  if (updated === undefined) throw vanished(type);
  if (problems) rejectProblems(problems, maxExpandedBytes);
  return updatedDocument(type, updated, content);
}

function updatedDocument<Own extends object>(
  type: TypeOf<Own>,
  { eventCount, ...summary }: ChangedRow,
  content: JsonText,
): WorkResult<Document<Own>> {
  const document = { ...summary, content } as Document<Own>;
  return withEvents(document, documentEvent(type, 'updated', document, eventCount));
}

/**
 * Moves a document to the trash.
 * @param force also deletes a module that documents use.
 */
export const deleteDocument = (
  { unitOfWork, trashDays }: DocumentStore,
  type: AnyDocumentType,
  actor: Actor,
  id: string,
  precondition?: Precondition,
  force = false,
): Promise<void> =>
  unitOfWork.write(async (transaction) => {
    const [, document, users] = await Promise.all([
      transaction.query(lockWorkspaceOf('documents'), [id]),
      lockDocument(transaction, type, actor, id, precondition, 'UPDATE'),
      type.kind === 'module' && !force && countUsers(transaction, [id]),
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
 * Deletes all documents of a workspace for good, and stores their events. The same transaction deletes the
 * workspace.
 */
export async function deleteDocuments(
  { query }: Transaction,
  type: AnyDocumentType,
  workspaceId: string,
): Promise<void> {
  await query(
    `WITH deleted AS (DELETE FROM documents WHERE workspace_id = $1 AND kind = '${type.kind}' RETURNING *)
     INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, traceparent)
     SELECT uuidv7_at(clock_timestamp()), '${type.kind}.deleted', workspace_id, id,
       events + 1, ${eventDataExpression(type)}, $2::text
     FROM deleted`,
    [workspaceId, activeTraceparent()],
  );
}

export interface DuplicateOptions {
  name?: string;
  /** Another workspace of the caller, for the copy. */
  workspaceId?: string;
}

/**
 * Inserts a copy of a document, and sets the copy's number of events to `eventCount`. Creates no event: the
 * caller of this function does, if the copy has an event.
 */
export async function duplicateDocument<Own extends object>(
  store: DocumentStore,
  transaction: Transaction,
  type: TypeOf<Own>,
  actor: Actor,
  sourceId: string,
  options: DuplicateOptions & { eventCount: number },
): Promise<Document<Own>> {
  const source = await getDocument(transaction, type, actor, sourceId);
  const { name, workspaceId = source.workspaceId, eventCount } = options;
  transaction.requireForReplay(rightIn(source.workspaceId, 'viewer'));
  transaction.requireForReplay(rightIn(workspaceId, 'editor'));
  const id = uuidv7();
  const insert = {
    id,
    workspaceId,
    row: nextRow(type, { name }, source),
    content: source.content,
    copyOf: name === undefined ? stripCopySuffix(source.name) : undefined,
    eventCount,
  };
  const references = await storedReferencesOf(id, source.content);
  return insertDocument(store, transaction, type, actor, insert, references);
}

/**
 * Locks a document that is about to change, and loads it. These are two statements, sent together, because
 * the second one must see what was committed while the first one waited for the lock.
 * @param lock `UPDATE` before a deletion; then no other transaction can store a reference to the module.
 */
export async function lockDocument<Own extends object>(
  transaction: Transaction,
  type: TypeOf<Own>,
  actor: Actor,
  id: string,
  precondition?: Precondition,
  lock: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
): Promise<Document<Own>> {
  const times = parsePrecondition(precondition);
  const [locked, document] = await Promise.all([
    transaction.query(
      `SELECT FROM documents WHERE id = $1 AND kind = '${type.kind}' AND ${matchesPrecondition('$2')} FOR ${lock}`,
      [id, times],
    ),
    getDocument(transaction, type, actor, id, 'editor'),
  ]);
  if (locked.length > 0) return document;
  throw times === null ? new RestoredMeanwhile() : DomainError.stale(entityTag(document));
}

const vanished = ({ kind }: AnyDocumentType) =>
  new Error(`A ${kind} vanished while it was locked.`);
