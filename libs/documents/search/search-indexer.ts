import { NIL_UUID, type Database } from '#database';
import { runInSlices } from '#time-slices';
import { JOIN_CURRENT_VERSION } from '../document/document-type.js';
import { JsonText } from '#json';
import { extractText } from './extract-text.js';
import { keysIn } from './words.js';

// A step takes about 50 ms. A transaction that deletes one of the step's documents may have to wait that long.
const DOCUMENTS_PER_STEP = 100;
const WORKSPACES_PER_STEP = 100;
const BYTES_PER_STEP = 2 * 1024 * 1024;
// The index covers only documents that are in a slice (`FILL_SLICE`). A search reads the others one by one, which takes
// a few milliseconds. When this many documents of a workspace have no slice, `fillSlice` puts some of them into a
// slice.
const MAX_UNSLICED = 1_000;
// Adding this many documents to the index with one statement takes a third of the time, and writes a third of the WAL,
// compared with adding them one by one.
const SLICED_AT_ONCE = 500;
// The number of documents in a full slice. A search for a frequent word reads a few slices.
const SLICE_SIZE = 4_000;
// The largest number that fits into the three hexadecimal digits of `slice_prefix`.
const LAST_SLICE = 4_095;

interface Queued {
  id: string;
  version: number;
  workspaceId: string;
  name: string;
  content: string;
}

/**
 * Stores the words of changed documents for search. A step processes documents of up to 100 workspaces, and the next
 * step continues with other workspaces, so that an import of 100,000 documents does not delay other workspaces. Several
 * workers may run steps concurrently.
 */
export class SearchIndexer {
  private lastWorkspaceId = NIL_UUID;
  /** Ids of workspaces whose documents `fillSlice` checks next, because many of them may have no slice. */
  private readonly workspacesToCheck = new Set<string>();

  constructor(private readonly database: Database) {}

  async hasQueued(): Promise<boolean> {
    return (await this.database.query('SELECT FROM documents_to_index LIMIT 1')).length > 0;
  }

  /**
   * Stores the words of some documents that are due. Documents that have changed meanwhile, or that another transaction
   * is deleting, are left to a later step.
   * @returns the number of documents whose words were stored or were unchanged.
   */
  async step(): Promise<number> {
    const turn = await this.database.query<{ id: string }>(NEXT_WORKSPACES, [this.lastWorkspaceId]);
    const isLastTurn = turn.length < WORKSPACES_PER_STEP;
    this.lastWorkspaceId = isLastTurn ? NIL_UUID : (turn.at(-1)?.id ?? NIL_UUID);
    if (turn.length === 0) return 0;
    const queued = await this.database.query<Queued>(SELECT_QUEUED, [
      turn.map(({ id }) => id),
      Math.ceil(DOCUMENTS_PER_STEP / turn.length),
    ]);
    const [random] = queued.slice(Math.floor(Math.random() * queued.length));
    if (random === undefined) return 0;
    const words = await Promise.all(queued.map(wordsOf));
    const [stored] = await this.database.query<{ count: number }>(STORE_WORDS, [
      queued.map(({ id }) => id),
      queued.map(({ version }) => version),
      words.map(({ nameWords }) => nameWords),
      words.map(({ allWords }) => allWords),
    ]);
    // Adding the workspace of one random document per step is enough: a workspace with many changes is soon picked.
    this.workspacesToCheck.add(random.workspaceId);
    return stored?.count ?? 0;
  }

  /**
   * Puts documents of one workspace into a slice if many of them have no slice. The index contains only the words of
   * documents in slices. This method may run concurrently with steps.
   * @returns whether there may be more to do.
   */
  async fillSlice(): Promise<boolean> {
    const [workspaceId] = this.workspacesToCheck;
    if (workspaceId === undefined) return false;
    // A step that runs meanwhile may add the workspace again.
    this.workspacesToCheck.delete(workspaceId);
    const sliced = await this.database.query(FILL_SLICE, [workspaceId]).catch((error: unknown) => {
      this.workspacesToCheck.add(workspaceId);
      throw error;
    });
    if (sliced.length > 0) {
      // Added at the end, so that other workspaces come first.
      this.workspacesToCheck.add(workspaceId);
      // Moves the pending entries into the index. Until then, every search has to scan the pending list.
      await this.database.query(`SELECT gin_clean_pending_list('document_words_lexemes')`);
    }
    return this.workspacesToCheck.size > 0;
  }
}

/**
 * The words of a document, separated and surrounded by spaces. `allWords` contains the words of the name and of the
 * text.
 */
async function wordsOf({ name, content }: Queued) {
  const names = keysIn(name);
  const texts = keysIn(await runInSlices(extractText(new JsonText(content))));
  return { nameWords: join(names), allWords: join([...new Set([...names, ...texts])]) };
}

const join = (words: readonly string[]): string => ` ${words.map((word) => `${word} `).join('')}`;

/** The next workspaces after $1 that have queued documents. */
const NEXT_WORKSPACES = `
  WITH RECURSIVE workspace AS (
    (SELECT workspace_id AS id FROM documents_to_index WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT next.id FROM workspace CROSS JOIN LATERAL (
      SELECT workspace_id AS id FROM documents_to_index
      WHERE workspace_id > workspace.id ORDER BY workspace_id LIMIT 1
    ) next
  )
  SELECT id FROM workspace LIMIT ${WORKSPACES_PER_STEP}`;

/** The due documents of the workspaces $1: up to $2 per workspace, until their total size reaches `BYTES_PER_STEP`. */
const SELECT_QUEUED = `
  SELECT id, version, "workspaceId", name, content::text AS content FROM (
    SELECT due.document_id AS id, due.version, turn.id AS "workspaceId", document.name,
      document.content, place, due.due_at, sum(document.bytes) OVER (
        ORDER BY place, due.due_at, due.document_id
      ) - document.bytes AS bytes_before
    FROM unnest($1::uuid[]) AS turn (id)
    CROSS JOIN LATERAL (
      SELECT document_id, version, due_at, row_number() OVER (ORDER BY due_at) AS place FROM (
        SELECT * FROM documents_to_index WHERE workspace_id = turn.id AND due_at <= clock_timestamp()
        ORDER BY due_at LIMIT $2
      ) first
    ) due
    CROSS JOIN LATERAL (
      SELECT name, content, content_bytes AS bytes
      FROM (SELECT * FROM documents WHERE id = due.document_id LIMIT 1) document ${JOIN_CURRENT_VERSION}
    ) document
  ) queued
  WHERE bytes_before < ${BYTES_PER_STEP} ORDER BY place, due_at, id`;

/**
 * Stores the words of the documents $1 in the versions $2. $3 contains the words of the names, and $4 contains all
 * words. The statement does not wait for transactions that are changing a document.
 *
 * - taken: the documents that have not changed meanwhile. A change that commits later queues the document again.
 * - document: the taken documents, locked so that no transaction deletes them before this one commits. If another
 *   transaction is deleting a document, the document is skipped and stays in the queue.
 */
const STORE_WORDS = `
  WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::text[]) AS input (id, version, name_words, words)
  ), taken AS MATERIALIZED (
    SELECT input.* FROM input JOIN documents_to_index queued
      ON queued.document_id = input.id AND queued.version = input.version
    FOR UPDATE OF queued SKIP LOCKED
  ), document AS MATERIALIZED (
    SELECT id, workspace_id, kind FROM documents WHERE id = ANY (ARRAY(SELECT id FROM taken))
    FOR KEY SHARE SKIP LOCKED
  ), done AS (
    DELETE FROM documents_to_index WHERE document_id = ANY (ARRAY(SELECT id FROM document))
    RETURNING 1
  ), stored AS (
    INSERT INTO document_words AS stored (document_id, workspace_id, kind, name_words, words)
    SELECT id, workspace_id, kind, name_words, words FROM document JOIN taken USING (id)
    ON CONFLICT (document_id) DO UPDATE
      SET name_words = excluded.name_words, words = excluded.words, slice = NULL
      WHERE (stored.name_words, stored.words) IS DISTINCT FROM (excluded.name_words, excluded.words)
  )
  SELECT count(*)::integer AS count FROM done`;

/**
 * Puts documents of the workspace $1 into a slice. Does nothing until `MAX_UNSLICED` documents have no slice. A
 * document that changes leaves its slice, which frees space in that slice. The statement therefore picks a random
 * slice, and fills that slice if it has space. Otherwise, the statement fills the last slice, or starts a new slice if
 * the last one has no space either.
 */
const FILL_SLICE = `
  WITH unsliced AS (
    SELECT count(*) AS count FROM (
      SELECT FROM document_words WHERE workspace_id = $1 AND slice IS NULL LIMIT ${MAX_UNSLICED}
    ) few
  ), last AS (
    SELECT coalesce(max(slice), 0) AS slice FROM document_words WHERE workspace_id = $1
  ), target AS (
    SELECT number FROM last CROSS JOIN LATERAL (
      VALUES (1, floor(random() * (last.slice + 1))::integer), (2, last.slice)
    ) candidate (preference, number)
    WHERE (
      SELECT count(*) FROM (
        SELECT FROM document_words WHERE workspace_id = $1 AND slice = candidate.number LIMIT ${SLICE_SIZE}
      ) filled
    ) <= ${SLICE_SIZE - SLICED_AT_ONCE}
    ORDER BY preference LIMIT 1
  ), chosen AS MATERIALIZED (
    SELECT document_id FROM document_words
    WHERE workspace_id = $1 AND slice IS NULL AND (SELECT count FROM unsliced) = ${MAX_UNSLICED}
    ORDER BY document_id LIMIT ${SLICED_AT_ONCE} FOR UPDATE SKIP LOCKED
  )
  UPDATE document_words
  SET slice = coalesce((SELECT number FROM target), (SELECT least(slice + 1, ${LAST_SLICE}) FROM last))
  WHERE document_id = ANY (ARRAY(SELECT document_id FROM chosen)) RETURNING 1`;
