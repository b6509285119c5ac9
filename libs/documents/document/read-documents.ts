import type { Query } from '#database';
import { JsonText } from '#json';
import {
  authorise,
  callerColumns,
  joinMember,
  type Actor,
  type CallerRow,
  type Role,
} from '#workspaces';
import {
  forEachType,
  JOIN_CURRENT_VERSION,
  summaryColumns,
  type DocumentType,
  type Document,
  type DocumentSummary,
} from './document-type.js';
import { isOfKind, type DocumentKind } from './fields.js';

export type DocumentRow = DocumentSummary & { content: string };

const SELECT_DOCUMENT = forEachType(
  (
    type,
  ) => `SELECT ${callerColumns('document.id')}, ${summaryColumns(type)}, content::text AS content
   FROM users caller
   LEFT JOIN (documents document ${JOIN_CURRENT_VERSION})
     ON document.id = $2 AND ${isOfKind('document', type.kind)}
   ${joinMember('document.workspace_id')}
   WHERE caller.id = $1`,
);

/** Loads a document. The caller must have `requiredRole` or a higher role in the document's workspace. */
export async function getDocument<Kind extends DocumentKind>(
  { query }: { readonly query: Query },
  type: DocumentType<Kind>,
  actor: Actor,
  id: string,
  requiredRole: Role = 'viewer',
): Promise<Document<Kind>> {
  const [row] = await query<CallerRow & DocumentRow>(SELECT_DOCUMENT(type), [actor.userId, id]);
  return toDocument(authorise(row, requiredRole, type.kind));
}

export const toDocument = (row: DocumentRow) =>
  ({ ...row, content: new JsonText(row.content) }) as unknown as Document;
