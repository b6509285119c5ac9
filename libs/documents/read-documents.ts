import type { Query } from '#database';
import {
  authorise,
  callerColumns,
  joinMember,
  type Actor,
  type CallerRow,
  type Role,
} from '#workspaces';
import type { DocumentStore } from './document-store.js';
import {
  JOIN_CURRENT_VERSION,
  summaryColumns,
  type AnyDocumentType,
  type Document,
  type DocumentSummary,
} from './document-type.js';
import { JsonText } from './json-text.js';
import { expandRows, type Expanded } from './references/expand-documents.js';

export type DocumentRow = DocumentSummary & { content: string };

/**
 * Loads a document if the caller has `requiredRole`, or a higher role, in the workspace of the document.
 */
export async function getDocument<Own extends object>(
  { query }: { readonly query: Query },
  type: AnyDocumentType & { defaults: Own },
  actor: Actor,
  id: string,
  requiredRole: Role = 'viewer',
): Promise<Document<Own>> {
  const [row] = await query<CallerRow & DocumentRow>(
    `SELECT ${callerColumns('document.id')}, ${summaryColumns(type)}, content::text AS content
     FROM users caller
     LEFT JOIN (documents document ${JOIN_CURRENT_VERSION})
       ON document.id = $2 AND document.kind = '${type.kind}'
     ${joinMember('document.workspace_id')}
     WHERE caller.id = $1`,
    [actor.userId, id],
  );
  return toDocument(authorise(row, requiredRole, type.kind)) as Document<Own>;
}

/** Like `getDocument`, with the documents of modules in the places of references. */
export async function getExpandedDocument<Own extends object>(
  store: DocumentStore,
  type: AnyDocumentType & { defaults: Own },
  actor: Actor,
  id: string,
): Promise<Document<Own> & Expanded> {
  const document = await getDocument(store.database, type, actor, id);
  const [expanded] = await expandRows(store, actor, [
    { ...document, content: document.content.text },
  ]);
  return toDocument(expanded as DocumentRow) as Document<Own> & Expanded;
}

export const toDocument = (row: DocumentRow): Document => ({
  ...row,
  content: new JsonText(row.content),
});
