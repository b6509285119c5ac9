import { noEvent, withEvents, type Transaction } from '#database';
import { createEvent } from '#events';
import type { JsonText } from '#json';
import { authorise, rightIn, type Actor, newIdFor } from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import {
  documentEvent,
  eventData,
  FIRST_SEQUENCE,
  FIRST_VERSION,
  nextRow,
  TEMPLATE,
  type Document,
  type DocumentType,
  type NewDocument,
} from '../document/document-type.js';
import { refuseTakenExternalId } from '../document/external-ids.js';
import type { DocumentKind } from '../document/fields.js';
import { getDocument } from '../document/read-documents.js';
import {
  lockReferences,
  readNewReferences,
  rejectProblems,
  readCopiedReferences,
  storeReferences,
  type DocumentReferences,
} from '../references/store-references.js';
import { stripCopySuffix } from './copy-name.js';
import { insertDocuments, type Insert, type InsertedRow } from './insert-documents.sql.js';

type Insertion = Omit<Insert, 'documents' | 'references'> & {
  document: Insert['documents'][number];
  references: DocumentReferences;
};

export async function createDocument<Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  { workspaceId, ...input }: NewDocument & { workspaceId: string },
): Promise<Document<Kind>> {
  const { unitOfWork, maxExpandedBytes } = store;
  const document = toInsert(type, workspaceId, input);
  const { id, row, content } = document;
  const references = await readNewReferences(id, content);
  const { externalId = null } = input;
  const data = { ...row, id, workspaceId, externalId, version: FIRST_VERSION };
  const event = documentEvent(type, 'created', data, FIRST_SEQUENCE);
  const insertion = { workspaceId, document, events: FIRST_SEQUENCE, references, maxExpandedBytes };
  const created =
    references.references.length > 0 && type.kind === 'module'
      ? unitOfWork.write(async (transaction) => {
          transaction.requireForReplay(rightIn(workspaceId, 'editor'));
          return withEvents(await insertDocument<Kind>(transaction, type, actor, insertion), event);
        }, actor.idempotencyKey)
      : unitOfWork.writeStatement<InsertedRow, Document<Kind>>(
          {
            ...insertDocuments(type, actor, { ...insertion, documents: [document] }),
            event,
            toResult: ([first]) => inserted(first, insertion),
          },
          actor.idempotencyKey,
        );
  return externalId === null ? created : refuseTakenExternalId(type.kind, created);
}

/** Adds an id, and defaults for the fields that the caller omitted. */
export function toInsert(
  type: DocumentType,
  workspaceId: string,
  input: NewDocument,
): Insert['documents'][number] {
  const content = input.content ?? type.defaultContent;
  if (content === undefined) throw new Error(`A ${type.kind} needs content.`);
  return { id: newIdFor(workspaceId), row: nextRow(type, input, type.defaults), content };
}

export interface DuplicateOptions {
  name?: string;
  /** The workspace of the copy. By default, the workspace of the original. */
  workspaceId?: string;
}

/** Creates a copy with a history of its own, which begins with version 1. */
export const duplicateDocument = <Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  sourceId: string,
  options: DuplicateOptions,
): Promise<Document<Kind>> =>
  store.unitOfWork.write(async (transaction) => {
    const source = await getDocument(transaction, type, actor, sourceId);
    const { content } = source;
    const { name, workspaceId = source.workspaceId } = options;
    transaction.requireForReplay(rightIn(source.workspaceId, 'viewer'));
    transaction.requireForReplay(rightIn(workspaceId, 'editor'));
    const id = newIdFor(workspaceId);
    // A copy has no external id, because the original keeps its external id.
    const { name: _, ...unnamed } = nextRow(type, { externalId: null }, source);
    const copy = await insertDocument(transaction, type, actor, {
      workspaceId,
      document: {
        id,
        row: name === undefined ? unnamed : nextRow(type, { name, externalId: null }, source),
        content,
      },
      copyOf: name === undefined ? stripCopySuffix(source.name) : undefined,
      events: type.duplicatedEvent ? FIRST_SEQUENCE : 0,
      references: await readCopiedReferences(id, content),
      maxExpandedBytes: store.maxExpandedBytes,
    });
    if (type.duplicatedEvent === undefined) {
      return noEvent(copy, 'the specification has no event for the duplication of a module');
    }
    const data = { ...eventData(TEMPLATE, copy), sourceId };
    return withEvents(copy, createEvent(type.duplicatedEvent, FIRST_SEQUENCE, data));
  }, actor.idempotencyKey);

/** Inserts a document and its references. All statements are sent together. */
export async function insertDocument<Kind extends DocumentKind>(
  transaction: Transaction,
  type: DocumentType<Kind>,
  actor: Actor,
  insertion: Insertion,
): Promise<Document<Kind>> {
  const { document, references, maxExpandedBytes = 0, ...rest } = insertion;
  const insert = insertDocuments(type, actor, { ...rest, documents: [document] });
  const [, [row], problems] = await Promise.all([
    lockReferences(transaction, type, [references]),
    transaction.query<InsertedRow>(insert.statement.text, insert.values),
    storeReferences(transaction, type, actor, [references], { isNew: true, maxExpandedBytes }),
  ]);
  const result = inserted<Kind>(row, insertion);
  rejectProblems(problems, maxExpandedBytes);
  return result;
}

function inserted<Kind extends DocumentKind>(
  row: InsertedRow | undefined,
  {
    document,
    maxExpandedBytes = 0,
  }: { document: { content: JsonText }; maxExpandedBytes?: number },
): Document<Kind> {
  const { problems, eventCount, ...summary } = authorise(row, 'editor', 'workspace');
  rejectProblems({ problems }, maxExpandedBytes);
  return { ...summary, content: document.content } as unknown as Document<Kind>;
}
