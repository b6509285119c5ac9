import type { Query } from '#database';
import { DomainError } from '#errors';
import { JsonText } from '#json';
import {
  authorise,
  callerColumns,
  fromCallerInWorkspace,
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
import { matchesExternalId } from './external-ids.js';
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

/** An external id, which identifies a document of each kind in a workspace. */
export interface ExternalId {
  workspaceId: string;
  externalId: string;
}

const SELECT_BY_EXTERNAL_ID = forEachType(
  (type) => `SELECT ${callerColumns('workspace.id')}, document.* ${fromCallerInWorkspace('$2')}
   LEFT JOIN LATERAL (
     SELECT ${summaryColumns(type)}, content::text AS content
     FROM (
       SELECT * FROM documents document WHERE ${matchesExternalId(type.kind, '$2', '$3')} LIMIT 1
     ) document ${JOIN_CURRENT_VERSION}
   ) document ON true
   WHERE caller.id = $1`,
);

/**
 * Loads the document with an external id; undefined if there is none. The caller must have `requiredRole` or a higher
 * role in the workspace.
 */
export async function findByExternalId<Kind extends DocumentKind>(
  { query }: { readonly query: Query },
  type: DocumentType<Kind>,
  actor: Actor,
  { workspaceId, externalId }: ExternalId,
  requiredRole: Role,
): Promise<Document<Kind> | undefined> {
  const values = [actor.userId, workspaceId, externalId];
  const [row] = await query<CallerRow & DocumentRow>(SELECT_BY_EXTERNAL_ID(type), values);
  const document = authorise(row, requiredRole, 'workspace');
  return (document.id as string | null) === null ? undefined : toDocument(document);
}

/** Like `getDocument`, but finds the document by its external id. */
export async function getByExternalId<Kind extends DocumentKind>(
  store: { readonly query: Query },
  type: DocumentType<Kind>,
  actor: Actor,
  id: ExternalId,
): Promise<Document<Kind>> {
  const document = await findByExternalId(store, type, actor, id, 'viewer');
  if (document === undefined) throw DomainError.notFound(type.kind);
  return document;
}

export const toDocument = (row: DocumentRow) =>
  ({ ...row, content: new JsonText(row.content) }) as unknown as Document;
