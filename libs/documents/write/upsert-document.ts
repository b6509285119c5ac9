import {
  LocksIncomplete,
  matchesPrecondition,
  withEvents,
  type Transaction,
  type WorkResult,
} from '#database';
import { DomainError, entityTag, parsePrecondition, type Precondition } from '#errors';
import type { Actor } from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import {
  documentEvent,
  FIRST_SEQUENCE,
  forEachType,
  type Document,
  type DocumentType,
  type NewDocument,
} from '../document/document-type.js';
import { matchesExternalId, retryTakenExternalId } from '../document/external-ids.js';
import type { DocumentKind } from '../document/fields.js';
import { findByExternalId, type ExternalId } from '../document/read-documents.js';
import {
  lockReferences,
  readCopiedReferences,
  readNewReferences,
} from '../references/store-references.js';
import { insertDocument, toInsert } from './create-documents.js';
import { changeDocument } from './update-document.js';

export interface UpsertOptions {
  /** The document must exist, in one of these states. */
  precondition?: Precondition;
  /** The document must exist, in any state. */
  mustExist?: boolean;
}

export interface Upserted<Kind extends DocumentKind = DocumentKind> {
  document: Document<Kind>;
  isCreated: boolean;
}

/**
 * Updates the document with an external id, or creates it. An update keeps the fields that `input` omits.
 *
 * If two requests create a document with the same external id at the same time, the unique index lets only one of them
 * insert its row. The other one runs again, and finds the document.
 * @throws DomainError `not_found` if the document must exist and does not; `stale` if it is in another state.
 */
export const upsertDocument = <Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  id: ExternalId,
  input: NewDocument,
  { precondition, mustExist = false }: UpsertOptions,
): Promise<Upserted<Kind>> =>
  retryTakenExternalId(() =>
    store.unitOfWork.write(async (transaction): Promise<WorkResult<Upserted<Kind>>> => {
      const expectedId = await lockReferencesOf(transaction, type, id, input);
      const current = await lockByExternalId(transaction, type, actor, id, precondition);
      if (expectedId !== undefined && current?.id !== expectedId) throw new LocksIncomplete();
      if (current !== undefined) {
        const changed = await changeDocument(store, transaction, type, actor, current, input);
        return withResult(changed, (document) => ({ document, isCreated: false }));
      }
      if (mustExist || precondition !== undefined) throw DomainError.notFound(type.kind);
      const created = await insertNew(store, transaction, type, actor, id, input);
      return withResult(created, (document) => ({ document, isCreated: true }));
    }),
  );

const SELECT_ID = forEachType(
  ({ kind }) => `SELECT id FROM documents document WHERE ${matchesExternalId(kind, '$1', '$2')}`,
);

/**
 * Takes the locks for the references of an existing module. These locks depend on the id of the module, and must be
 * taken before the module is locked, so the id is looked up first.
 * @returns the id of the module; undefined if no locks are necessary.
 */
async function lockReferencesOf(
  transaction: Transaction,
  type: DocumentType,
  { workspaceId, externalId }: ExternalId,
  { content }: NewDocument,
): Promise<string | undefined> {
  if (type.kind !== 'module' || content === undefined) return undefined;
  // Malformed references are rejected later, and only if the content differs from the stored content.
  const references = await readCopiedReferences('', content);
  if (references.references.length === 0) return undefined;
  const [found] = await transaction.query<{ id: string }>(SELECT_ID(type), [
    workspaceId,
    externalId,
  ]);
  if (found === undefined) return undefined;
  await lockReferences(transaction, type, [{ ...references, documentId: found.id }]);
  return found.id;
}

const LOCK = forEachType(
  ({ kind }) => `SELECT id FROM documents document
   WHERE ${matchesExternalId(kind, '$1', '$2')} AND ${matchesPrecondition('$3')} FOR NO KEY UPDATE`,
);

/** Like `lockDocument`, but finds the document by its external id. Undefined if there is none. */
async function lockByExternalId<Kind extends DocumentKind>(
  transaction: Transaction,
  type: DocumentType<Kind>,
  actor: Actor,
  id: ExternalId,
  precondition: Precondition,
): Promise<Document<Kind> | undefined> {
  const times = parsePrecondition(precondition);
  const [[locked], document] = await Promise.all([
    transaction.query<{ id: string }>(LOCK(type), [id.workspaceId, id.externalId, times]),
    findByExternalId(transaction, type, actor, id, 'editor'),
  ]);
  if (document === undefined || locked?.id === document.id) return document;
  // Without a precondition, another request created the document, or gave it the external id, between the two
  // statements.
  throw times === null ? new LocksIncomplete() : DomainError.stale(entityTag(document));
}

async function insertNew<Kind extends DocumentKind>(
  { maxExpandedBytes }: DocumentStore,
  transaction: Transaction,
  type: DocumentType<Kind>,
  actor: Actor,
  { workspaceId, externalId }: ExternalId,
  input: NewDocument,
): Promise<WorkResult<Document<Kind>>> {
  const document = toInsert(type, workspaceId, { ...input, externalId });
  const created = await insertDocument<Kind>(transaction, type, actor, {
    workspaceId,
    document,
    events: FIRST_SEQUENCE,
    references: await readNewReferences(document.id, document.content),
    maxExpandedBytes,
  });
  return withEvents(created, documentEvent(type, 'created', created, FIRST_SEQUENCE));
}

const withResult = <T, Result>(
  work: WorkResult<T>,
  toResult: (result: T) => Result,
): WorkResult<Result> => ({ ...work, result: toResult(work.result) });
