import { LocksIncomplete, type Transaction } from '#database';
import { DomainError, MAX_DETAILS, type ErrorDetail } from '#errors';
import {
  forEachType,
  type DocumentSummary,
  type DocumentType,
  type NewDocument,
} from '../document/document-type.js';
import { matchesExternalId, takenDetail } from '../document/external-ids.js';
import type { Batch, BatchOperation } from './batch-operations.js';

type Operations = Batch<NewDocument, Partial<NewDocument>>['operations'];
type Resolved = BatchOperation<NewDocument, Partial<NewDocument>>;

/** The ids of documents by their external ids. */
export type Holders = ReadonlyMap<string, string>;

const SELECT_HOLDERS = forEachType(
  ({ kind }) => `SELECT holder.* FROM unnest($2::text[]) AS wanted (external_id)
   CROSS JOIN LATERAL (
     SELECT id, external_id AS "externalId" FROM documents document
     WHERE ${matchesExternalId(kind, '$1', 'wanted.external_id')} LIMIT 1
   ) holder`,
);

/**
 * Finds the documents that have the external ids in the operations, without locking the documents. A batch without
 * external ids runs no statement.
 */
export async function findExternalIds(
  { query }: Transaction,
  type: DocumentType,
  workspaceId: string,
  operations: Operations,
): Promise<Holders> {
  const externalIds = operations.flatMap((operation) => externalIdOf(operation) ?? []);
  if (externalIds.length === 0) return new Map();
  const holders = await query<{ id: string; externalId: string }>(SELECT_HOLDERS(type), [
    workspaceId,
    externalIds,
  ]);
  return new Map(holders.map(({ id, externalId }) => [externalId, id]));
}

/** Turns each upsert into an update of the holder of the external id, or into a creation. */
export const resolveUpserts = (operations: Operations, holders: Holders): Resolved[] =>
  operations.map((operation) => {
    if (operation.action !== 'upsert') return operation;
    const id = holders.get(operation.externalId);
    return id === undefined
      ? { ...operation, action: 'create' }
      : { ...operation, action: 'update', id };
  });

/** Removes the external ids of the documents $1, so that other documents of the same batch can take them. */
export const RELEASE_EXTERNAL_IDS =
  'UPDATE documents SET external_id = NULL WHERE id = ANY ($1::uuid[])';

/**
 * Checks the external ids in a batch, once its documents are locked.
 * @param existing the current state of the locked documents.
 * @returns the ids of the documents whose external ids other operations take. Deleted documents need no release.
 * @throws LocksIncomplete if the external ids have changed since `findExternalIds`.
 * @throws DomainError `not_found` if an upsert with `ifMatch` finds no document, `invalid` if two operations name the
 * same document, `already_exists` if a document that the batch does not change has an external id.
 */
export function checkExternalIds(
  { kind }: DocumentType,
  operations: Operations,
  resolved: readonly Resolved[],
  holders: Holders,
  existing: readonly Pick<DocumentSummary, 'id' | 'externalId'>[],
): string[] {
  if (holders.size === 0 && !operations.some(({ action }) => action === 'upsert')) return [];
  const currentIds = new Map(existing.map(({ id, externalId }) => [id, externalId]));
  const missing: ErrorDetail[] = [];
  const repeated: ErrorDetail[] = [];
  const indexById = new Map<string, number>();
  for (const [index, operation] of resolved.entries()) {
    if ('id' in operation && requestedIdOf(operations[index])) indexById.set(operation.id, index);
  }
  for (const [index, operation] of operations.entries()) {
    if (operation.action !== 'upsert') continue;
    const path = `operations.${index}.externalId`;
    const id = holders.get(operation.externalId);
    if (id === undefined) {
      if (operation.ifMatch === undefined) continue;
      missing.push({ path, message: `${path} does not exist in this workspace` });
    } else if (currentIds.get(id) !== operation.externalId) {
      throw new LocksIncomplete();
    } else if (indexById.has(id)) {
      const other = `operations.${indexById.get(id)}`;
      repeated.push({ path, message: `${path} names the same ${kind} as ${other}` });
    }
  }
  if (missing.length > 0) throw DomainError.notFound(kind, missing.slice(0, MAX_DETAILS));
  refuse('invalid', repeated);
  return findReleased(kind, resolved, holders, currentIds);
}

function findReleased(
  kind: DocumentType['kind'],
  resolved: readonly Resolved[],
  holders: Holders,
  currentIds: ReadonlyMap<string, string | null>,
): string[] {
  const taken: ErrorDetail[] = [];
  const released: string[] = [];
  const changes = new Map(
    resolved.flatMap((operation) =>
      operation.action === 'create' ? [] : [[operation.id, operation]],
    ),
  );
  for (const [index, operation] of resolved.entries()) {
    const externalId = externalIdOf(operation);
    const holder = externalId && holders.get(externalId);
    if (!holder || ('id' in operation && operation.id === holder)) continue;
    const change = changes.get(holder);
    const keeps =
      change === undefined ||
      (change.action === 'update' &&
        (change.externalId === undefined || change.externalId === externalId));
    if (keeps) taken.push(takenDetail(kind, `operations.${index}.externalId`));
    else if (change.action === 'update' && currentIds.get(holder) === externalId)
      released.push(holder);
  }
  refuse('already_exists', taken);
  return released;
}

function refuse(code: 'invalid' | 'already_exists', details: readonly ErrorDetail[]): void {
  const [first] = details;
  if (first !== undefined) {
    throw new DomainError(code, `${first.message}.`, details.slice(0, MAX_DETAILS));
  }
}

/** The external id that the document has after the operation; undefined if the operation names none. */
const externalIdOf = (operation: Operations[number]): string | undefined =>
  operation.action === 'delete' ? undefined : (operation.externalId ?? undefined);

const requestedIdOf = (operation: Operations[number] | undefined): string | undefined =>
  operation && 'id' in operation ? operation.id : undefined;
