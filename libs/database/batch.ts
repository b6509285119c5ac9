import type { DomainEvent } from '#events';
import { v7 as uuidv7 } from 'uuid';
import type { Query } from './database.js';
import { JsonText } from './json-text.js';
import { noEvent, withEvents, type Outcome } from './unit-of-work.js';

/** What an operation of a batch is about, and the entity tag of the state in which it was seen. */
interface Target {
  id: string;
  ifMatch?: string;
}

/** One change of a batch. */
type Operation<Creation, Change> =
  | ({ action: 'create' } & Creation)
  | ({ action: 'update' } & Target & Change)
  | ({ action: 'delete' } & Target);

/** Many changes in one workspace that are made together or not at all. */
export interface Batch<Creation, Change> {
  workspaceId: string;
  operations: readonly Operation<Creation, Change>[];
}

/** What has become of an operation. */
export type Result<Resource> =
  ({ action: 'create' | 'update' } & Resource) | { action: 'delete'; id: string };

/** The operations with an id for each, all and sorted by what they do. */
export function stepsOf<Creation, Change>({ operations }: Batch<Creation, Change>) {
  const steps = operations.map((operation) =>
    operation.action === 'create' ? { ...operation, id: uuidv7() } : operation,
  );
  return {
    steps,
    creations: steps.filter((step) => step.action === 'create'),
    updates: steps.filter((step) => step.action === 'update'),
    deletions: steps.filter((step) => step.action === 'delete'),
  };
}

// What PostgreSQL counts with a value that it does not compress.
const VARLENA_HEADER = 4;

// What one answer of the database holds at most, but for the last of its documents.
const COMPARED_BYTES = 8 * 1024 * 1024;
const WRITTEN_BYTES = 2 * 1024 * 1024;

/**
 * A statement that gives documents which may say the same as others, for `changesAmong`. Whoever
 * sends a little must not have much read: PostgreSQL knows how large a document is that it keeps
 * compressed without reading it, and sends none that is too large.
 * @param document a SELECT of the `content` of what has the id `wanted.id`.
 */
export const comparable = (document: string): string => `
  SELECT wanted.id, CASE
    WHEN pg_column_size(content) - ${VARLENA_HEADER} <= most_bytes AND octet_length(content::text) <= most_bytes
    THEN content::text END AS content
  FROM unnest($1::uuid[], $2::integer[]) AS wanted (id, most_bytes)
  CROSS JOIN LATERAL (${document}) document`;

/**
 * Those of the updates that change something. Documents are compared only where nothing else says so.
 * @param documents a statement of `comparable`.
 * @param isAlike whether all is as it was, but for the document perhaps.
 */
export async function changesAmong<Update extends { id: string; content?: JsonText | undefined }>(
  updates: readonly Update[],
  isAlike: (update: Update) => boolean,
  query: Query,
  documents: string,
): Promise<Update[]> {
  const unchanged = new Set<string>();
  const open = new Map<string, JsonText>();
  for (const { id, content } of updates.filter(isAlike)) {
    if (content === undefined) unchanged.add(id);
    else open.set(id, content);
  }
  for (const part of partsOf(open, ([, { mostBytes }]) => mostBytes, COMPARED_BYTES)) {
    const sizes = part.map(([, content]) => content.mostBytes);
    const rows = await query<{ id: string; content: string | null }>(documents, [
      ...[part.map(([id]) => id), sizes],
    ]);
    for (const { id, content } of rows) {
      if (content !== null && (await open.get(id)?.equals(new JsonText(content)))) {
        unchanged.add(id);
      }
    }
  }
  return updates.filter(({ id }) => !unchanged.has(id));
}

/**
 * Runs a statement for parts of the operations, so that each has no more than 2 MiB of documents, but for
 * its last one: the driver copies them twice, and meanwhile the process does nothing else.
 * @returns the rows of all parts.
 */
export async function inParts<Operation extends { content?: JsonText | undefined }, Row>(
  operations: readonly Operation[],
  statement: (part: Operation[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of partsOf(operations, ({ content }) => content?.bytes ?? 0, WRITTEN_BYTES)) {
    rows.push(...(await statement(part)));
  }
  return rows;
}

function* partsOf<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  mostBytes: number,
): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    part.push(item);
    bytes += bytesOf(item);
    if (bytes < mostBytes) continue;
    yield part;
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) yield part;
}

/** The event of each operation, in their order; undefined for one that has changed nothing. */
export function outcomeOf<T>(
  result: T,
  eventOfEach: readonly (DomainEvent | undefined)[],
): Outcome<T> {
  const [first, ...others] = eventOfEach.filter((event) => event !== undefined);
  return first === undefined
    ? noEvent(result, 'nothing changed')
    : withEvents(result, first, ...others);
}
