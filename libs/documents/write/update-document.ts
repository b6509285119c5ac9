import {
  matchesPrecondition,
  noEvent,
  RestoredMeanwhile,
  withEvents,
  type Transaction,
  type WorkResult,
} from '#database';
import {
  DomainError,
  entityTag,
  parsePrecondition,
  rejectReadOnlyChanges,
  type Precondition,
} from '#errors';
import type { JsonText } from '#json';
import type { Actor } from '#workspaces';
import { changeUnversioned } from '../document/change-unversioned.js';
import type { DocumentStore } from '../document/document-store.js';
import {
  documentEvent,
  hasSameUnversionedFields,
  hasSameVersionedFields,
  nextRow,
  readOnlyFields,
  type ChangedRow,
  type Document,
  type DocumentChange,
  type DocumentType,
} from '../document/document-type.js';
import { refuseTakenExternalId } from '../document/external-ids.js';
import { isOfKind, type DocumentKind } from '../document/fields.js';
import { getDocument } from '../document/read-documents.js';
import {
  keepReferences,
  lockReferences,
  readNewReferences,
  rejectProblems,
  readCopiedReferences,
  storeReferences,
  type DocumentReferences,
} from '../references/store-references.js';
import { updateDocuments } from './update-documents.sql.js';
import { parametersOf, type Write } from './written-rows.js';

export async function updateDocument<Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  id: string,
  change: DocumentChange,
  precondition?: Precondition,
): Promise<Document<Kind>> {
  // Malformed references are rejected later, and only if the content differs from the stored content.
  const toLock =
    type.kind === 'module' && change.content && (await readCopiedReferences(id, change.content));
  const written = store.unitOfWork.write(async (transaction) => {
    const [, current] = await Promise.all([
      toLock && lockReferences(transaction, type, [toLock]),
      lockDocument(transaction, type, actor, id, precondition),
    ]);
    rejectReadOnlyChanges(change as Record<string, unknown>, readOnlyFields(type, current));
    return changeDocument(store, transaction, type, actor, current, change);
  });
  return change.externalId ? refuseTakenExternalId(type.kind, written) : written;
}

/** Changes a locked document. The caller has called `lockReferences` for the new content. */
export async function changeDocument<Kind extends DocumentKind>(
  store: DocumentStore,
  transaction: Transaction,
  type: DocumentType<Kind>,
  actor: Actor,
  current: Document<Kind>,
  change: DocumentChange,
): Promise<WorkResult<Document<Kind>>> {
  const { id } = current;
  const row = nextRow(type, change, current);
  const isSameContent = !change.content || (await change.content.equals(current.content));
  if (hasSameVersionedFields(type, row, current) && isSameContent) {
    if (hasSameUnversionedFields(row, current)) return noEvent(current, 'nothing changed');
    const [changed] = await changeUnversioned(transaction, type, actor, [{ id, row }]);
    if (changed === undefined) throw vanished(type);
    return updated(type, changed, current.content);
  }
  const references = change.content && (await readNewReferences(id, change.content));
  const replacement = { current, row, content: change.content, references };
  return replaceDocument(store, transaction, type, actor, replacement);
}

interface Replacement extends Pick<Write, 'row' | 'content'> {
  /** The current state of the document, which the caller has locked. */
  current: { id: string; content: JsonText };
  /** The new references; undefined if the references do not change. The caller has called `lockReferences` for them. */
  references: DocumentReferences | undefined;
}

/** Replaces the writable fields of a locked document. */
export async function replaceDocument<Kind extends DocumentKind>(
  { maxExpandedBytes }: DocumentStore,
  transaction: Transaction,
  type: DocumentType<Kind>,
  actor: Actor,
  { current, row, content, references }: Replacement,
): Promise<WorkResult<Document<Kind>>> {
  const { id } = current;
  const [[changed], problems] = await Promise.all([
    transaction.query<ChangedRow>(
      updateDocuments(type, 1),
      parametersOf(type, actor, [{ id, row, content }]),
    ),
    references
      ? storeReferences(transaction, type, actor, [references], { isNew: false, maxExpandedBytes })
      : keepReferences(transaction, type, [{ id }]),
  ]);
  if (changed === undefined) throw vanished(type);
  if (problems) rejectProblems(problems, maxExpandedBytes);
  return updated(type, changed, content ?? current.content);
}

function updated<Kind extends DocumentKind>(
  type: DocumentType<Kind>,
  { eventCount, ...summary }: ChangedRow,
  content: JsonText,
): WorkResult<Document<Kind>> {
  const document = { ...summary, content } as unknown as Document<Kind>;
  return withEvents(document, documentEvent(type, 'updated', document, eventCount));
}

/**
 * Locks a document that is about to change, and loads it. The two statements are sent together. They are separate
 * because the second one must see what was committed while the first one waited for the lock.
 * @param lock must be `UPDATE` before a deletion, so that no other transaction can store a reference to a module that
 * is being deleted.
 */
export async function lockDocument<Kind extends DocumentKind>(
  transaction: Transaction,
  type: DocumentType<Kind>,
  actor: Actor,
  id: string,
  precondition?: Precondition,
  lock: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
): Promise<Document<Kind>> {
  const times = parsePrecondition(precondition);
  const [locked, document] = await Promise.all([
    transaction.query(
      `SELECT FROM documents
       WHERE id = $1 AND ${isOfKind('documents', type.kind)} AND ${matchesPrecondition('$2')} FOR ${lock}`,
      [id, times],
    ),
    getDocument(transaction, type, actor, id, 'editor'),
  ]);
  if (locked.length > 0) return document;
  throw times === null ? new RestoredMeanwhile() : DomainError.stale(entityTag(document));
}

export const vanished = ({ kind }: DocumentType) =>
  new Error(`A ${kind} vanished while it was locked.`);
