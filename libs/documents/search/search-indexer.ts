import { runInSlices, type Database } from '#database';
import type { AnyDocumentType } from '../document-type.js';
import { JsonText } from '../json-text.js';
import { extractText } from './extract-text.js';
import { keysIn } from './words.js';

// A step takes some 50 ms. A deletion of one of its documents may wait for a part of that.
const DOCUMENTS_PER_STEP = 100;
const BYTES_PER_STEP = 2 * 1024 * 1024;
// A search reads the rows of at most some more documents than this one by one, which takes a few milliseconds.
const MAX_UNSLICED = 1_000;
// One insertion of so many documents into the index takes a third of the time and of the WAL of single ones.
const SLICED_AT_ONCE = 500;
// A search for a frequent word reads some slices of this size.
const SLICE_SIZE = 4_000;
// `slice_prefix` has three hexadecimal digits.
const LAST_SLICE = 4_095;

interface Queued {
  id: string;
  version: number;
  workspaceId: string;
  name: string;
  content: string;
}

/** Stores the words of changed documents, for the search. Several workers may run steps at once. */
export class SearchIndexer {
  private readonly selectQueued: string;
  private readonly storeWords: string;

  constructor(
    private readonly database: Database,
    types: readonly AnyDocumentType[],
  ) {
    this.selectQueued = selectQueued(types);
    this.storeWords = storeWords(types);
  }

  /** @returns the milliseconds until a document is due, negative if one is; undefined if none is queued. */
  async nextDueInMs(): Promise<number | undefined> {
    const [next] = await this.database.query<{ ms: number }>(
      `SELECT (extract(epoch FROM due_at - clock_timestamp()) * 1000)::float8 AS ms
       FROM documents_to_index ORDER BY due_at LIMIT 1`,
    );
    return next?.ms;
  }

  /**
   * Stores the words of documents that are due. A later step stores those of documents that have changed meanwhile or
   * that another transaction is deleting.
   */
  async step(): Promise<void> {
    const queued = await this.database.query<Queued>(this.selectQueued);
    const [random] = queued.slice(Math.floor(Math.random() * queued.length));
    if (random === undefined) return;
    const words = await Promise.all(queued.map(wordsOf));
    await this.database.query(this.storeWords, [
      queued.map(({ id }) => id),
      queued.map(({ version }) => version),
      words.map(({ nameWords }) => nameWords),
      words.map(({ allWords }) => allWords),
    ]);
    // One workspace for each step: one that has many changes is soon chosen.
    await this.fillSlice(random.workspaceId);
  }

  /** Puts documents of a large workspace into a slice, whose words are in the index. */
  private async fillSlice(workspaceId: string): Promise<void> {
    const sliced = await this.database.query(FILL_SLICE, [workspaceId]);
    if (sliced.length === 0) return;
    // Otherwise each search would read the list of pending entries.
    await this.database.query(`SELECT gin_clean_pending_list('document_words_lexemes')`);
  }
}

/** Words with a blank before and after each. `allWords` has those of the name and the text. */
async function wordsOf({ name, content }: Queued) {
  const names = keysIn(name);
  const texts = keysIn(await runInSlices(extractText(new JsonText(content))));
  return { nameWords: join(names), allWords: join([...new Set([...names, ...texts])]) };
}

const join = (words: readonly string[]): string => ` ${words.map((word) => `${word} `).join('')}`;

/** The first documents that are due, until their sizes reach the limit of a step. */
const selectQueued = (types: readonly AnyDocumentType[]): string => `
  SELECT id, version, "workspaceId", name, content FROM (
    SELECT due.document_id AS id, due.version, due.due_at, document.workspace_id AS "workspaceId", document.name,
      document.content::text AS content,
      sum(octet_length(document.content::text)) OVER (ORDER BY due.due_at, due.document_id)
        - octet_length(document.content::text) AS bytes_before
    FROM (
      SELECT * FROM documents_to_index WHERE due_at <= clock_timestamp()
      ORDER BY due_at, document_id LIMIT ${DOCUMENTS_PER_STEP}
    ) due
    CROSS JOIN LATERAL (
      ${types
        .map(
          ({ kind, table, contentJoin = '' }) => `SELECT workspace_id, name, content
      FROM (SELECT * FROM ${table} WHERE id = due.document_id LIMIT 1) ${kind} ${contentJoin}`,
        )
        .join(' UNION ALL ')}
    ) document
  ) queued
  WHERE bytes_before < ${BYTES_PER_STEP} ORDER BY due_at, id`;

/**
 * Stores the words $3 and $4 of the documents $1, whose versions were $2. Waits for no lock.
 *
 * - taken: the documents that have not changed meanwhile. A change that commits later queues the document again.
 * - the locked documents of each type: until the commit, no transaction deletes them. If one is deleting a document, the
 *   document stays in the queue until then.
 */
const storeWords = (types: readonly AnyDocumentType[]): string => `
  WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::text[]) AS input (id, version, name_words, words)
  ), taken AS MATERIALIZED (
    SELECT input.* FROM input JOIN documents_to_index queued
      ON queued.document_id = input.id AND queued.version = input.version
    FOR UPDATE OF queued SKIP LOCKED
  ), ${types
    .map(
      ({ kind, table }) => `${kind} AS MATERIALIZED (
    SELECT id, workspace_id FROM ${table} WHERE id = ANY (ARRAY(SELECT id FROM taken)) FOR KEY SHARE SKIP LOCKED
  )`,
    )
    .join(', ')}, document AS (
    ${types.map(({ kind }) => `SELECT *, '${kind}' AS kind FROM ${kind}`).join(' UNION ALL ')}
  ), done AS (
    DELETE FROM documents_to_index WHERE document_id = ANY (ARRAY(SELECT id FROM document))
  )
  INSERT INTO document_words AS stored (document_id, workspace_id, kind, name_words, words)
  SELECT id, workspace_id, kind, name_words, words FROM document JOIN taken USING (id)
  ON CONFLICT (document_id) DO UPDATE
    SET name_words = excluded.name_words, words = excluded.words, slice = NULL
    WHERE (stored.name_words, stored.words) IS DISTINCT FROM (excluded.name_words, excluded.words)`;

/**
 * Puts documents of the workspace $1 into its newest slice, or into a new one if that is full. Does nothing while the
 * workspace has few documents outside of slices.
 */
const FILL_SLICE = `
  WITH unsliced AS (
    SELECT count(*) AS count FROM (
      SELECT FROM document_words WHERE workspace_id = $1 AND slice IS NULL LIMIT ${MAX_UNSLICED}
    ) few
  ), newest AS (
    SELECT slice FROM document_words WHERE workspace_id = $1 AND slice IS NOT NULL ORDER BY slice DESC LIMIT 1
  ), target AS (
    SELECT CASE WHEN size < ${SLICE_SIZE} THEN newest.slice ELSE least(newest.slice + 1, ${LAST_SLICE}) END AS slice
    FROM newest CROSS JOIN LATERAL (
      SELECT count(*) AS size FROM (
        SELECT FROM document_words WHERE workspace_id = $1 AND slice = newest.slice LIMIT ${SLICE_SIZE}
      ) filled
    ) newest_size
  ), chosen AS MATERIALIZED (
    SELECT document_id FROM document_words
    WHERE workspace_id = $1 AND slice IS NULL AND (SELECT count FROM unsliced) = ${MAX_UNSLICED}
    ORDER BY document_id LIMIT ${SLICED_AT_ONCE} FOR UPDATE SKIP LOCKED
  )
  UPDATE document_words SET slice = coalesce((SELECT slice FROM target), 0)
  WHERE document_id = ANY (ARRAY(SELECT document_id FROM chosen)) RETURNING 1`;
