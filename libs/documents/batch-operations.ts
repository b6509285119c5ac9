import { noEvent, withEvents, type WorkResult, type Query } from '#database';
import type { DomainEvent } from '#events';
import { v7 as uuidv7 } from 'uuid';
import { JsonText } from './json-text.js';

/** The resource that an operation changes, and the entity tag of the state in which the caller saw it. */
interface OperationTarget {
  id: string;
  ifMatch?: string;
}

/** One change of a batch. */
type BatchOperation<Creation, Change> =
  | ({ action: 'create' } & Creation)
  | ({ action: 'update' } & OperationTarget & Change)
  | ({ action: 'delete' } & OperationTarget);

/** Many changes in one workspace that are made together or not at all. */
export interface Batch<Creation, Change> {
  workspaceId: string;
  operations: readonly BatchOperation<Creation, Change>[];
}

/** The result of an operation. */
export type OperationResult<Resource> =
  ({ action: 'create' | 'update' } & Resource) | { action: 'delete'; id: string };

/** The operations with an id for each: in their order, and grouped by action. */
export function assignIds<Creation, Change>({ operations }: Batch<Creation, Change>) {
  const withIds = operations.map((operation) =>
    operation.action === 'create' ? { ...operation, id: uuidv7() } : operation,
  );
  return {
    operations: withIds,
    creations: withIds.filter((operation) => operation.action === 'create'),
    updates: withIds.filter((operation) => operation.action === 'update'),
    deletions: withIds.filter((operation) => operation.action === 'delete'),
  };
}

// PostgreSQL adds it to the size of a value that it does not compress.
const VARLENA_HEADER_BYTES = 4;

// Limits of one response of the database and of one statement, which their last document may exceed.
const COMPARED_CHUNK_BYTES = 8 * 1024 * 1024;
const WRITTEN_CHUNK_BYTES = 2 * 1024 * 1024;

/**
 * A statement that loads documents which may be equal to given ones, for `findChanges`. A caller that
 * sends a little must not cause a lot of reading: PostgreSQL knows the size of a compressed document
 * without reading it, and sends no document that is too large to be equal.
 * @param selectContent a SELECT of the `content` of the document with the id `wanted.id`.
 */
export const selectComparableContent = (selectContent: string): string => `
  SELECT wanted.id, CASE
    WHEN pg_column_size(content) - ${VARLENA_HEADER_BYTES} <= max_bytes AND octet_length(content::text) <= max_bytes
    THEN content::text END AS content
  FROM unnest($1::uuid[], $2::integer[]) AS wanted (id, max_bytes)
  CROSS JOIN LATERAL (${selectContent}) document`;

/**
 * The updates that change something. Documents are compared only if nothing else has changed.
 * @param hasSameFields whether all fields but the document stay as they are.
 * @param selectContent a statement of `selectComparableContent`.
 */
export async function findChanges<Update extends { id: string; content?: JsonText | undefined }>(
  updates: readonly Update[],
  hasSameFields: (update: Update) => boolean,
  query: Query,
  selectContent: string,
): Promise<Update[]> {
  const unchanged = new Set<string>();
  const undecided = new Map<string, JsonText>();
  for (const { id, content } of updates.filter(hasSameFields)) {
    if (content === undefined) unchanged.add(id);
    else undecided.set(id, content);
  }
  for (const chunk of chunksOf(
    undecided,
    ([, { maxBytesOfEqual }]) => maxBytesOfEqual,
    COMPARED_CHUNK_BYTES,
  )) {
    const rows = await query<{ id: string; content: string | null }>(selectContent, [
      chunk.map(([id]) => id),
      chunk.map(([, content]) => content.maxBytesOfEqual),
    ]);
    for (const { id, content } of rows) {
      if (content !== null && (await undecided.get(id)?.equals(new JsonText(content)))) {
        unchanged.add(id);
      }
    }
  }
  return updates.filter(({ id }) => !unchanged.has(id));
}

/**
 * Runs a statement for chunks of the operations, so that each chunk has at most 2 MiB of documents, except
 * for its last one: the driver copies them twice, and blocks the event loop meanwhile.
 * @returns the rows of all chunks.
 */
export async function inChunks<Operation extends { content?: JsonText | undefined }, Row>(
  operations: readonly Operation[],
  runChunk: (chunk: Operation[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of chunksOf(
    operations,
    ({ content }) => content?.byteLength ?? 0,
    WRITTEN_CHUNK_BYTES,
  )) {
    rows.push(...(await runChunk(chunk)));
  }
  return rows;
}

function* chunksOf<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  maxBytes: number,
): Generator<Item[]> {
  let chunk: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    chunk.push(item);
    bytes += bytesOf(item);
    if (bytes < maxBytes) continue;
    yield chunk;
    [chunk, bytes] = [[], 0];
  }
  if (chunk.length > 0) yield chunk;
}

/** @param events of the operations, in their order; undefined for an operation that changed nothing. */
export function outcomeOfBatch<T>(
  result: T,
  events: readonly (DomainEvent | undefined)[],
): WorkResult<T> {
  const [first, ...others] = events.filter((event) => event !== undefined);
  return first === undefined
    ? noEvent(result, 'nothing changed')
    : withEvents(result, first, ...others);
}
