import type { Page, PageRequest } from '#database';
import { runInSlices } from '#time-slices';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import type { DocumentKind } from '../document/fields.js';
import { JsonText } from '#json';
import { extractText } from './extract-text.js';
import { highlight, highlightFragments, parseQuery, type HighlightPart } from './search-query.js';
import { SEARCH } from './search.sql.js';

export interface SearchResult {
  id: string;
  kind: DocumentKind;
  name: string;
  workspaceId: string;
  tags: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
  highlights: {
    name: HighlightPart[];
    /** The first matches in the text, each with the surrounding text. */
    text: HighlightPart[][];
  };
}

export interface SearchRequest extends PageRequest {
  workspaceId: string;
  query: string;
  kind?: DocumentKind;
}

/** `content` is only the beginning of the document's content. */
type Row = Omit<SearchResult, 'highlights'> & { content: string; place: number };

/**
 * Searches the names and the visible text of documents. A cursor contains an offset instead of a position, because
 * results are sorted by a rank that depends on the query and is not stored.
 */
export async function searchDocuments(
  { database, keysets }: DocumentStore,
  actor: Actor,
  { workspaceId, query, kind, limit, cursor }: SearchRequest,
): Promise<Page<SearchResult>> {
  const keyset = keysets.forList(['search', workspaceId, query, kind], [0]);
  const [offset] = keyset.after(cursor) as [number];
  const words = parseQuery(query);
  const rows = await database.query<CallerRow & Row>(
    `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
     LEFT JOIN LATERAL (${SEARCH}) page ON true
     WHERE caller.id = $1 ORDER BY page.place`,
    [actor.userId, workspaceId, words, kind, limit + 1, offset],
  );
  const found = authoriseList(rows, 'viewer', 'workspace');
  const data = await Promise.all(
    found.slice(0, limit).map(async ({ content, place, ...document }) => ({
      ...document,
      highlights: {
        name: highlight(document.name, words),
        text: highlightFragments(await runInSlices(extractText(new JsonText(content))), words),
      },
    })),
  );
  return { data, nextCursor: found.length > limit ? keyset.cursorAt([offset + limit]) : null };
}
