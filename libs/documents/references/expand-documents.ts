import { MAX_PAGE_BYTES, type Query } from '#database';
import type { Actor } from '#workspaces';
import { JsonText } from '#json';
import type { DocumentStore } from '../document/document-store.js';
import type { Document } from '../document/document-type.js';
import type { DocumentKind } from '../document/fields.js';
import { toDocument, type DocumentRow } from '../document/read-documents.js';
import { expandModules, type ExpandWarning } from './expand.js';

/** With `modules`, references are replaced with the contents of the modules. */
export type Expand = 'modules';

export interface Expanded {
  /** The references that could not be resolved. */
  warnings?: ExpandWarning[];
}

/**
 * Expands the references in the rows of a page. `content` becomes null in the rows after those whose expanded contents
 * reach the maximum size of a page (`contentInPage`).
 * @param resolveModulesAsOf returns a time for each row: modules are expanded as they were at that time. Null means
 * their latest versions.
 */
export async function expandRows<Row extends { content: string | null }>(
  { database, maxExpandedBytes }: DocumentStore,
  actor: Actor,
  rows: readonly Row[],
  resolveModulesAsOf: (row: Row) => Date | null = () => null,
): Promise<(Row & Expanded)[]> {
  const query: Query = (text, values) => database.query(text, values);
  const firstLeftOutIndex = rows.findIndex(({ content }) => content === null);
  const present = firstLeftOutIndex === -1 ? rows : rows.slice(0, firstLeftOutIndex);
  const expanded = await expandModules(
    present.map((row) => ({
      content: new JsonText(row.content ?? ''),
      frozenAt: resolveModulesAsOf(row),
    })),
    {
      query,
      userId: actor.userId,
      maxBytes: maxExpandedBytes,
      maxTotalBytes: Math.max(MAX_PAGE_BYTES, maxExpandedBytes),
    },
  );
  return rows.map((row, index) => {
    const result = expanded[index];
    return {
      ...row,
      content: result?.content.text ?? null,
      ...(result && { warnings: result.warnings }),
    };
  });
}

/** Replaces the references of a document with the contents of the modules. */
export async function expandDocument<Kind extends DocumentKind>(
  store: DocumentStore,
  actor: Actor,
  document: Document<Kind>,
): Promise<Document<Kind> & Expanded> {
  const [expanded] = await expandRows(store, actor, [
    { ...document, content: document.content.text },
  ]);
  return toDocument(expanded as DocumentRow);
}
