import { MAX_PAGE_BYTES, type Query } from '#database';
import type { Actor } from '#workspaces';
import type { DocumentStore } from '../document-store.js';
import { JsonText } from '#json';
import { expandModules, type ExpandWarning } from './expand.js';

/** With `modules`, the documents of modules replace the references to them. */
export type Expand = 'modules';

export interface Expanded {
  /** The references that could not be resolved. */
  warnings?: ExpandWarning[];
}

/**
 * Expands the rows of a page. The documents of rows that no longer fit become null, as in `contentInPage`.
 * @param timeOf the time as of which a row uses modules; null for the latest versions.
 */
export async function expandRows<Row extends { content: string | null }>(
  { database, maxExpandedBytes }: DocumentStore,
  actor: Actor,
  rows: readonly Row[],
  timeOf: (row: Row) => Date | null = () => null,
): Promise<(Row & Expanded)[]> {
  const query: Query = (text, values) => database.query(text, values);
  const isLeftOut = rows.findIndex(({ content }) => content === null);
  const present = isLeftOut === -1 ? rows : rows.slice(0, isLeftOut);
  const expanded = await expandModules(
    present.map((row) => ({ content: new JsonText(row.content ?? ''), frozenAt: timeOf(row) })),
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
