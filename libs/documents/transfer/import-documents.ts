import type { Transaction } from '#database';
import { versionedFields, type DocumentType } from '../document/document-type.js';
import { JsonText } from '#json';
import { referenceCte } from '../references/check-references.sql.js';
import { insertUsagesFrom, readCopiedReferences, toJson } from '../references/store-references.js';
import { queueDocuments } from '../search/queue-documents.sql.js';

/**
 * SQL for the text fields of an exported row. Missing fields become empty, because exports of earlier releases lack
 * text fields that were added later.
 */
const textsOf = (fields: readonly string[]): string =>
  fields.map((field) => `coalesce(${field}, '')`).join(', ');

export interface ImportedDocument {
  id: string;
  name: string;
  version: number;
}

export interface ImportedVersion {
  id: string;
  version: number;
  content: string;
}

/** Stores versions of documents. Versions that already exist are not changed. */
export async function importVersions(
  { query }: Transaction,
  type: DocumentType,
  versions: readonly ImportedVersion[],
): Promise<void> {
  const { kind } = type;
  const fields = versionedFields(type);
  await query(
    `INSERT INTO document_versions (document_id, kind, version, ${fields.join(', ')}, label, note, content,
       content_bytes, created_by, created_at)
     SELECT id, '${kind}', version, ${textsOf(fields)}, label, note, content::json, octet_length(content),
       "createdBy", "createdAt"
     FROM json_to_recordset($1::json) AS input (id uuid, version integer,
       ${fields.map((field) => `${field} text`).join(', ')}, label text, note text, content text,
       "createdBy" uuid, "createdAt" timestamptz)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(versions)],
  );
  if (kind !== 'module') return;
  await query(
    `INSERT INTO module_version_references (module_id, version, modules, uses, expanded_bytes)
     SELECT id, version, (nested->>'modules')::integer, nested->'uses', (nested->>'expandedBytes')::integer
     FROM json_to_recordset($1::json) AS input (id uuid, version integer, "references" jsonb)
     CROSS JOIN LATERAL (SELECT "references" AS nested) named
     WHERE nested->'uses' IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(versions.map(({ content, ...version }) => version))],
  );
}

/**
 * Stores a document and its module usages. The versions of the document must be stored already. An existing document is
 * not changed.
 *
 * @param contentText the content of the latest version.
 */
export async function importDocument(
  { query }: Transaction,
  type: DocumentType,
  workspaceId: string,
  document: ImportedDocument,
  contentText: string,
): Promise<void> {
  const { kind } = type;
  const content = new JsonText(contentText);
  const fields = versionedFields(type);
  const [inserted] = await query(
    `INSERT INTO documents (kind, workspace_id, id, version, tags, external_id, ${fields.join(', ')}, events, created_at, created_by,
       updated_at, updated_by)
     SELECT '${kind}', $1::uuid, id, version, tags, nullif("externalId", ''), ${textsOf(fields)}, ${kind === 'template' ? 'events + version' : 'events'},
       "createdAt", "createdBy", "updatedAt", "updatedBy"
     FROM json_to_record($2::json) AS input (id uuid, version integer, tags text[], "externalId" text,
       ${fields.map((field) => `${field} text`).join(', ')}, events integer, "createdAt" timestamptz,
       "createdBy" uuid, "updatedAt" timestamptz, "updatedBy" uuid)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [workspaceId, JSON.stringify(document)],
  );
  if (inserted === undefined) return;
  const { id, version } = document;
  const references = await readCopiedReferences(id, content);
  await query(`WITH ${referenceCte('$1')} ${insertUsagesFrom(kind, 'reference')}`, [
    toJson([references]),
  ]);
  await query(
    queueDocuments('SELECT $1::uuid AS id, $2::uuid AS workspace_id, $3::integer AS version'),
    [id, workspaceId, version],
  );
}
