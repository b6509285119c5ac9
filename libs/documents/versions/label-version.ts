import { noEvent } from '#database';
import { DomainError } from '#errors';
import {
  authorise,
  callerColumns,
  joinMember,
  rightIn,
  type Actor,
  type CallerRow,
} from '#workspaces';
import type { DocumentStore } from '../document/document-store.js';
import { joinDocument, type DocumentType } from '../document/document-type.js';
import type { DocumentKind } from '../document/fields.js';
import { versionColumns, type Version } from './document-versions.js';

export interface VersionLabels {
  label?: string;
  note?: string;
}

/** Changes the label and the note of a version, and nothing else. */
export const labelVersion = <Kind extends DocumentKind>(
  { unitOfWork }: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  documentId: string,
  versionNumber: number,
  { label, note }: VersionLabels,
): Promise<Omit<Version<Kind>, 'content'>> =>
  unitOfWork.write(async ({ query, requireForReplay }) => {
    const [row] = await query<CallerRow & { workspaceId: string }>(
      `SELECT ${callerColumns('document.id')}, document.workspace_id AS "workspaceId"
       FROM users caller ${joinDocument(type, '$2')}
       ${joinMember('document.workspace_id')} WHERE caller.id = $1`,
      [actor.userId, documentId],
    );
    const { workspaceId } = authorise(row, 'editor', type.kind);
    requireForReplay(rightIn(workspaceId, 'editor'));
    const [version] = await query<Omit<Version<Kind>, 'content'>>(
      `UPDATE document_versions version SET label = coalesce($3, label), note = coalesce($4, note)
       WHERE document_id = $1 AND version = $2 RETURNING ${versionColumns(type)}`,
      [documentId, versionNumber, label, note],
    );
    if (version === undefined) throw DomainError.notFound('version');
    return noEvent(version, 'the document stays as it is');
  }, actor.idempotencyKey);
