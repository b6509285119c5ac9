import { noEvent, withEvents, type Query } from '#database';
import { DomainError } from '#errors';
import {
  authorise,
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
  documentEvent,
  documentTypes,
  nextRow,
  summaryColumns,
  type DocumentType,
  type DocumentSummary,
} from '../document/document-type.js';

export interface TagChange {
  /** The number of documents that this call changed. */
  changed: number;
  /** Whether no document has the tag any more. If false, the caller must repeat the request. */
  isComplete: boolean;
}

// Maximum number of documents of each type that a call changes. Meanwhile, other transactions that change these
// documents wait.
const MAX_CHANGED = 1_000;

/**
 * Replaces a tag in all documents of a workspace, or removes the tag. A call changes at most 1,000 documents of each
 * type. Each changed document gets an event, but no new version.
 * @param newTag undefined to remove the tag.
 * @throws DomainError `invalid` if the tags are equal.
 */
export const replaceTag = (
  { unitOfWork }: DocumentStore,
  actor: Actor,
  { workspaceId, tag, newTag }: { workspaceId: string; tag: string; newTag?: string },
): Promise<TagChange> =>
  unitOfWork.write(async (transaction) => {
    const { query, requireForReplay } = transaction;
    const [, [caller]] = await Promise.all([
      query(LOCK_WORKSPACE_FOR_KEY_SHARE, [workspaceId]),
      query<CallerRow>(
        `SELECT ${callerColumns('workspace.id')} ${fromCallerInWorkspace('$2')} WHERE caller.id = $1`,
        [actor.userId, workspaceId],
      ),
    ]);
    authorise(caller, 'editor', 'workspace');
    requireForReplay(rightIn(workspaceId, 'editor'));
    if (newTag === tag) {
      throw DomainError.invalid('newName', 'newName must differ from name');
    }
    const documents = await Promise.all(
      documentTypes.map((type) => lockDocumentsWith(query, type, workspaceId, tag)),
    );
    const isComplete = documents.every(({ length }) => length < MAX_CHANGED);
    const changed = await Promise.all(
      documentTypes.map(async (type, index) => {
        const changes = (documents[index] ?? []).map((document) => {
          const tags = document.tags.flatMap((each) => (each === tag ? (newTag ?? []) : each));
          return { id: document.id, row: nextRow(type, { tags }, document) };
        });
        const rows = await changeUnversioned(transaction, type, actor, changes);
        return rows.map((row) => documentEvent(type, 'updated', row, row.eventCount));
      }),
    );
    const [first, ...others] = changed.flat();
    const result = { changed: changed.flat().length, isComplete };
    return first === undefined
      ? noEvent(result, 'no document has the tag')
      : withEvents(result, first, ...others);
  }, actor.idempotencyKey);

/** Locks documents in the order in which batches lock them. */
const lockDocumentsWith = (
  query: Query,
  type: DocumentType,
  workspaceId: string,
  tag: string,
): Promise<DocumentSummary[]> =>
  query<DocumentSummary>(
    `SELECT ${summaryColumns(type)} FROM documents document
     WHERE id = ANY (ARRAY(
       SELECT document_id FROM document_tags
       WHERE workspace_id = $1 AND tag = $2 AND kind = '${type.kind}' ORDER BY document_id LIMIT ${MAX_CHANGED}
     )) AND tags @> ARRAY[$2]
     ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, tag],
  );
