import { NIL_UUID, type Database } from '#database';
import type { AnyDocumentType } from '../document-type.js';
import { JsonText } from '../json-text.js';
import { searchTextOf, storeSearchText } from './search-text.js';

// Each step takes some 20 ms.
const SCANNED_PER_STEP = 500;
const BYTES_PER_STEP = 2 * 1024 * 1024;

interface Scanned {
  id: string;
  version: number;
  /** Whether a search does not yet find the current version. */
  isMissing: boolean;
}

/**
 * Makes the documents findable that a release without the search has written: those from before the upgrade,
 * and those that services of the release before write during the upgrade. Each step is small. Several workers
 * may run steps at once.
 */
export class SearchIndexer {
  private after = NIL_UUID;
  private typeIndex = 0;

  constructor(
    private readonly database: Database,
    private readonly types: readonly AnyDocumentType[],
  ) {}

  /** @returns whether there is more to do; false at the end of a pass over all documents. */
  async step(): Promise<boolean> {
    const type = this.types[this.typeIndex];
    if (type === undefined) {
      this.typeIndex = 0;
      return false;
    }
    const scanned = await this.database.query<Scanned>(scanStatement(type), [this.after]);
    const missing = scanned.filter(({ isMissing }) => isMissing);
    const done = missing.length === 0 ? [] : await this.index(type, missing);
    const next = missing[done.length];
    const last = scanned.at(-1)?.id;
    // If the bytes of a step were used up, the next step continues before the first document left.
    this.after = next === undefined ? (last ?? NIL_UUID) : (done.at(-1) ?? this.after);
    if (last === undefined) this.typeIndex++;
    return true;
  }

  /** @returns the ids of the first documents, whose contents fit into a step. */
  private async index(type: AnyDocumentType, missing: readonly Scanned[]): Promise<string[]> {
    const rows = await this.database.query<{
      id: string;
      workspaceId: string;
      name: string;
      content: string;
    }>(contentStatement(type), [missing.map(({ id }) => id)]);
    const texts = await Promise.all(
      rows.map((document) => searchTextOf(document, new JsonText(document.content))),
    );
    await this.database.query(storeSearchText(type, currentDocuments(type)), [
      rows.map(({ id }) => id),
      rows.map(({ id }) => missing.find((document) => document.id === id)?.version),
      texts.map(({ nameKeys }) => nameKeys),
      texts.map(({ text }) => text),
      texts.map(({ lexemes }) => lexemes),
    ]);
    // A document that was deleted meanwhile needs no text.
    return rows.length === 0 ? missing.map(({ id }) => id) : rows.map(({ id }) => id);
  }
}

const scanStatement = ({ kind, table }: AnyDocumentType): string =>
  `SELECT ${kind}.id, ${kind}.version,
     stored.text IS NULL OR stored.version <> ${kind}.version AS "isMissing"
   FROM (SELECT id, version FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${SCANNED_PER_STEP}) ${kind}
   LEFT JOIN LATERAL (
     SELECT text, version FROM document_search WHERE document_id = ${kind}.id LIMIT 1
   ) stored ON true
   ORDER BY ${kind}.id`;

/** The first documents of the ids $1, in their order, until their sizes reach the limit of a step. */
const contentStatement = ({ kind, table, contentJoin = '' }: AnyDocumentType): string =>
  `SELECT id, workspace_id AS "workspaceId", name, content::text AS content FROM (
     SELECT ${kind}.id, ${kind}.workspace_id, ${kind}.name, content,
       sum(coalesce(content_bytes, octet_length(content::text))) OVER (ORDER BY wanted.place) AS bytes,
       wanted.place
     FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, place)
     CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE id = wanted.id LIMIT 1) ${kind} ${contentJoin}
   ) document
   WHERE place = 1 OR bytes <= ${BYTES_PER_STEP} ORDER BY place`;

/**
 * Locks the documents, and so waits for transactions that are changing them: the text of a later version is never
 * replaced. A document that has changed since it was read is left to the next pass.
 */
const currentDocuments = ({ table }: AnyDocumentType): string =>
  `SELECT document.id, document.workspace_id, document.version, input.name_keys, input.text, input.lexemes
   FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[])
     AS input (id, version, name_keys, text, lexemes)
   JOIN ${table} document ON document.id = input.id AND document.version = input.version
   ORDER BY document.id FOR SHARE OF document`;
