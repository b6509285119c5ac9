import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { contentInPage } from '../document/content-in-page.js';
import type { DocumentStore } from '../document/document-store.js';
import {
  JOIN_CURRENT_VERSION,
  summaryColumns,
  type DocumentType,
  type Document,
  type SummaryOf,
} from '../document/document-type.js';
import type { DocumentKind, TextName } from '../document/fields.js';
import { toDocument, type DocumentRow } from '../document/read-documents.js';
import { expandRows, type Expand } from '../references/expand-documents.js';
import { buildFilters, type DocumentFilters, type Filter } from './document-filters.js';
import { listOrder, type SortedRequest, type SyncPage } from './list-order.js';
import { selectFiltered } from './select-filtered.sql.js';

export interface ListDocumentsRequest extends SortedRequest, DocumentFilters {
  workspaceId: string;
  /** If false, the page omits the contents of the documents. */
  content: boolean;
  /** Replaces references with the contents of the modules. */
  expand?: Expand;
}

type ListedRow = DocumentRow & { matches: boolean; isScanEnd: boolean };

/**
 * Lists the documents of a workspace. With a filter, a page may contain fewer documents than `limit`, or none at all,
 * and still have a next cursor.
 */
export async function listDocuments<Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  request: ListDocumentsRequest,
): Promise<SyncPage<Document<Kind> | SummaryOf<Kind>>> {
  const { database, keysets } = store;
  const { workspaceId, updatedSince, sort, content, limit, cursor } = request;
  const order = listOrder(sort, 'document');
  const keyset = keysets.forList([`${type.kind}s`, ...scopeOf(request, type)], order.start);
  const values: unknown[] = [actor.userId, workspaceId, ...keyset.after(cursor)];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const filters: Filter[] = [];
  // PostgreSQL rejects parameters that the statement does not use.
  if (!order.sinceFilter || updatedSince) parameter(updatedSince);
  if (order.sinceFilter && updatedSince) filters.push({ matches: order.sinceFilter });
  filters.push(...buildFilters(type, request, parameter));
  const rowLimit = parameter(limit + 1);
  const rows = await order.read<CallerRow & ListedRow>(
    database,
    `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
     LEFT JOIN LATERAL (
       SELECT ${summaryColumns(type)}, matches, "isScanEnd" ${content ? `, ${contentInPage('document')}` : ''}
       FROM (
         SELECT * FROM (${selectFiltered(type, order, filters, rowLimit)}) document ${content ? JOIN_CURRENT_VERSION : ''}
       ) document ${content ? order.pageWindow : ''}
     ) page ON true
     WHERE caller.id = $1 ORDER BY ${order.pageOrderBy}`,
    values,
  );
  const listed = authoriseList(rows, 'viewer', 'workspace');
  const found = listed
    .filter(({ matches }) => matches)
    .map(({ matches, isScanEnd, ...document }) => document);
  const isExpanded = content && request.expand === 'modules';
  const shown = isExpanded ? await expandRows(store, actor, found) : found;
  const scanEnd = listed.find(({ isScanEnd }) => isScanEnd);
  const page = order.page(keyset, shown, request, scanEnd);
  const data = content ? page.data.map(toDocument) : page.data;
  return { ...page, data: data as (Document<Kind> | SummaryOf<Kind>)[] };
}

/** The parameters that a cursor is bound to. A cursor is valid only for the list that it comes from. */
function scopeOf(request: ListDocumentsRequest, { filters }: DocumentType): unknown[] {
  const { workspaceId, search = '', updatedSince, sort } = request;
  const { tags, tagsMatch, createdBy, updatedBy, moduleId, published, externalId } = request;
  return [
    workspaceId,
    ...filters.map((name) => request[name as TextName<DocumentKind>]),
    search,
    updatedSince,
    sort,
    tags,
    tagsMatch,
    createdBy,
    updatedBy,
    moduleId,
    published,
    // Left out unless it is given, so that the cursors of earlier releases stay valid.
    ...(externalId === undefined ? [] : [externalId]),
  ];
}
