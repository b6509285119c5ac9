import { noEvent, withEvents, type WorkResult, type Query } from '#database';
import type { DomainEvent } from '#events';
import { JsonText } from '#json';

/** The resource that an operation changes. `ifMatch` is the ETag of the state that the caller last saw. */
interface OperationTarget {
  id: string;
  ifMatch?: string;
}

export type BatchOperation<Creation, Change> =
  | ({ action: 'create' } & Creation)
  | ({ action: 'update' } & OperationTarget & Change)
  | ({ action: 'delete' } & OperationTarget);

/** Updates the resource with an external id, or creates it. Without the resource, `ifMatch` never holds. */
type Upsert<Creation> = { action: 'upsert'; externalId: string; ifMatch?: string } & Creation;

/** An atomic group of changes in one workspace. */
export interface Batch<Creation, Change> {
  workspaceId: string;
  operations: readonly (BatchOperation<Creation, Change> | Upsert<Creation>)[];
  /** Whether to delete modules even if documents use them. */
  force?: boolean;
}

export type OperationResult<Resource> =
  ({ action: 'create' | 'update' } & Resource) | { action: 'delete'; id: string };

/**
 * Groups the operations by action. `resolveUpserts` has turned upserts into creations and updates.
 * @param toInsert converts a creation to the row to insert, with an id.
 * @returns the groups, and the action and the id of each operation in the original order.
 */
export function groupByAction<Creation, Change, Insert extends { id: string }>(
  batch: readonly BatchOperation<Creation, Change>[],
  toInsert: (creation: Creation) => Insert,
) {
  const inserts: Insert[] = [];
  const updates: (OperationTarget & Change)[] = [];
  const deletions: OperationTarget[] = [];
  const operations = batch.map((operation) => {
    const { action } = operation;
    if (action === 'create') {
      const insert = toInsert(operation);
      inserts.push(insert);
      return { action, id: insert.id };
    }
    if (action === 'update') updates.push(operation);
    else deletions.push(operation);
    return { action, id: operation.id };
  });
  return { operations, inserts, updates, deletions };
}

// The size that PostgreSQL reports for an uncompressed value includes this header.
const VARLENA_HEADER_BYTES = 4;

// `COMPARED_CHUNK_BYTES` limits a response from PostgreSQL, and `WRITTEN_CHUNK_BYTES` limits a statement. The last
// document of a chunk may exceed the limit.
const COMPARED_CHUNK_BYTES = 8 * 1024 * 1024;
const WRITTEN_CHUNK_BYTES = 2 * 1024 * 1024;

/**
 * Builds a statement for `findChanges`. The statement loads stored content that may equal the content in the request.
 * Content that is too large to be equal is returned as NULL, so that a small request does not make Galley load a lot.
 * If even the compressed size is too large, PostgreSQL does not read the content at all, because PostgreSQL knows that
 * size without reading.
 * @param selectContent a SELECT of the `content` of the document with the id `wanted.id`.
 */
export const selectComparableContent = (selectContent: string): string => `
  SELECT wanted.id, CASE
    WHEN pg_column_size(content) - ${VARLENA_HEADER_BYTES} <= max_bytes AND octet_length(content::text) <= max_bytes
    THEN content::text END AS content
  FROM unnest($1::uuid[], $2::integer[]) AS wanted (id, max_bytes)
  CROSS JOIN LATERAL (${selectContent}) document`;

/**
 * Returns the updates that change something. The contents are compared only if all other fields are unchanged.
 * @param hasSameFields whether an update leaves all fields except the content unchanged.
 * @param selectContent a statement that `selectComparableContent` has built.
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

interface Written {
  content?: JsonText | undefined;
}

/**
 * Runs one statement for each chunk of operations. A single statement would block the event loop for too long, because
 * the driver copies the contents in a statement twice. A chunk ends with the content that reaches 2 MiB.
 * @returns the rows of all chunks.
 */
export async function inChunks<Operation extends Written, Row>(
  operations: readonly Operation[],
  runChunk: (chunk: Operation[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of writtenChunks(operations)) rows.push(...(await runChunk(chunk)));
  return rows;
}

/** Whether `inChunks` runs at most one statement, and so sends everything at once. */
export const isOneChunk = (operations: readonly Written[]): boolean =>
  [...writtenChunks(operations)].length <= 1;

const writtenChunks = <Operation extends Written>(operations: readonly Operation[]) =>
  chunksOf(operations, ({ content }) => content?.byteLength ?? 0, WRITTEN_CHUNK_BYTES);

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

/**
 * @param events the event of each operation, in the order of the operations; undefined for an operation that changed
 * nothing.
 */
export function batchResult<T>(
  result: T,
  events: readonly (DomainEvent | undefined)[],
): WorkResult<T> {
  const [first, ...others] = events.filter((event) => event !== undefined);
  return first === undefined
    ? noEvent(result, 'nothing changed')
    : withEvents(result, first, ...others);
}
