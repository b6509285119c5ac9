import type { Database, Keysets, Query } from '#database';
import {
  authorise,
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  joinMember,
  type Actor,
  type CallerRow,
  type Role,
} from '#workspaces';
import { contentInPage } from './content-in-page.js';
import {
  summaryColumns,
  type AnyDocumentType,
  type Document,
  type DocumentSummary,
} from './document-type.js';
import { JsonText } from './json-text.js';
import { listOrder, type SortedRequest, type SyncPage } from './list-order.js';

export interface ListDocumentsRequest extends SortedRequest {
  workspaceId: string;
  /** Only documents whose name contains this, ignoring case. */
  search?: string;
  /** false leaves the documents out. */
  content: boolean;
}

type DocumentRow = DocumentSummary & { content: string };

/** @param filter values that fields of this type's own must have, in the order of the cursors' scope. */
export async function listDocuments<Own extends object>(
  database: Database,
  keysets: Keysets,
  type: AnyDocumentType & { defaults: Own },
  actor: Actor,
  request: ListDocumentsRequest,
  filter: { [Field in keyof Own]?: Own[Field] | undefined } = {},
): Promise<SyncPage<Document<Own> | (DocumentSummary & Own)>> {
  const { kind, table, columns, versions } = type;
  const { workspaceId, search = '', updatedSince, sort, content, limit, cursor } = request;
  const filterValues = Object.values<unknown>(filter);
  const conditions = Object.keys(filter).map(
    (field, index) =>
      `AND ($${8 + index}::text IS NULL OR ${kind}.${columns[field]} = $${8 + index})`,
  );
  const order = listOrder(sort, kind);
  const cursorScope = [table, workspaceId, ...filterValues, search, updatedSince, sort];
  const keyset = keysets.forList(cursorScope, order.start);
  const rows = await order.read<CallerRow & DocumentRow>(
    database,
    `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
     LEFT JOIN LATERAL (
       SELECT ${summaryColumns(type)} ${content ? `, ${contentInPage(kind)}` : ''}
       FROM (
         SELECT * FROM ${table} ${kind} ${content ? (versions?.join ?? '') : ''}
         WHERE ${kind}.workspace_id = member.workspace_id AND ${order.whereAfter}
           AND ($7 = '' OR strpos(lower(${kind}.name), lower($7)) > 0) ${conditions.join(' ')}
         ORDER BY ${order.by} LIMIT $6
       ) ${kind} ${content ? order.pageWindow : ''}
     ) page ON true
     WHERE caller.id = $1 ORDER BY ${order.pageOrderBy}`,
    [
      actor.userId,
      workspaceId,
      ...keyset.after(cursor),
      updatedSince,
      limit + 1,
      search,
      ...filterValues,
    ],
  );
  const page = order.page(keyset, authoriseList(rows, 'viewer', 'workspace'), request);
  const data = content ? page.data.map(toDocument) : page.data;
  return { ...page, data: data as (Document<Own> | (DocumentSummary & Own))[] };
}

/** Loads a document if the caller has the role in its workspace. */
export async function getDocument<Own extends object>(
  { query }: { readonly query: Query },
  type: AnyDocumentType & { defaults: Own },
  actor: Actor,
  id: string,
  requiredRole: Role = 'viewer',
): Promise<Document<Own>> {
  const { kind, table, versions } = type;
  const source = versions ? `(${table} ${kind} ${versions.join})` : `${table} ${kind}`;
  const [row] = await query<CallerRow & DocumentRow>(
    `SELECT ${callerColumns(`${kind}.id`)}, ${summaryColumns(type)}, content::text AS content
     FROM users caller
     LEFT JOIN ${source} ON ${kind}.id = $2
     ${joinMember(`${kind}.workspace_id`)}
     WHERE caller.id = $1`,
    [actor.userId, id],
  );
  return toDocument(authorise(row, requiredRole, kind)) as Document<Own>;
}

const toDocument = (row: DocumentRow): Document => ({ ...row, content: new JsonText(row.content) });
