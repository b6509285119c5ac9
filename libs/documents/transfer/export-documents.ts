import type { Database } from '#database';
import { versionedFields, type DocumentType } from '../document/document-type.js';
import { LOW_WATERMARK, TAKE_LOW_WATERMARK } from '../lists/low-watermark.js';

const DOCUMENTS_PER_PAGE = 100;
// A version may be as large as 100 MiB, but most versions are smaller than 1 MiB.
const VERSIONS_PER_PAGE = 10;

/** Formats a time as text in SQL, so that exports do not depend on the settings of the server. */
const timeText = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Returns a time such that every earlier change has been committed. */
export async function takeExportTime(database: Database): Promise<string> {
  const [row] = await database.pipeline<{ time: string }>(TAKE_LOW_WATERMARK, [
    `SELECT ${timeText(LOW_WATERMARK)} AS time`,
    [],
  ]);
  if (row === undefined) throw new Error('A statement without FROM returned no row.');
  return row.time;
}

interface ExportedDocument extends Record<string, unknown> {
  id: string;
  version: number;
  createdAt: string;
}
type ExportedVersion = Record<string, unknown> & { version: number };

/**
 * Exports the documents of a workspace as they were at `time`. Each document is followed by its versions. Reads in
 * pages, and holds no connection between pages. Documents that were deleted after `time` are left out.
 */
export async function* exportDocuments(
  database: Database,
  type: DocumentType,
  workspaceId: string,
  time: string,
): AsyncGenerator<Record<string, unknown>> {
  const { kind } = type;
  let after: [time: string, id: string] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const documents = await database.query<ExportedDocument>(selectDocuments(type), [
      workspaceId,
      ...after,
      time,
    ]);
    for (const document of documents) {
      if (document.version === 0) continue;
      yield { kind, ...document };
      let reached = 0;
      while (reached < document.version) {
        const versions = await database.query<ExportedVersion>(selectVersions(type), [
          document.id,
          reached,
          document.version,
        ]);
        for (const version of versions) {
          yield { kind: `${kind}Version`, id: document.id, ...version };
        }
        const last = versions.at(-1)?.version;
        // The document has been purged since the page was read.
        if (last === undefined) break;
        reached = last;
      }
    }
    const last = documents.at(-1);
    if (documents.length < DOCUMENTS_PER_PAGE || last === undefined) return;
    after = [last.createdAt, last.id];
  }
}

/**
 * The event count in an export. For a template, the count excludes one event for each version, because the template may
 * have versions that are newer than the export. The import adds one event for each exported version.
 */
const exportedEvents = ({ kind }: DocumentType): string =>
  kind === 'template' ? 'document.events - document.version' : 'document.events';

/** The documents of the workspace $1 after the position ($2, $3), as they were at the time $4. */
const selectDocuments = (type: DocumentType): string => {
  const isChanged = 'latest.version <> document.version';
  return `SELECT document.id, ${versionedFields(type)
    .map((field) => `latest.${field}`)
    .join(
      ', ',
    )}, tags, coalesce(external_id, '') AS "externalId", coalesce(latest.version, 0) AS version,
      ${exportedEvents(type)} AS "events", ${timeText('document.created_at')} AS "createdAt",
      document.created_by AS "createdBy",
      ${timeText(`CASE WHEN ${isChanged} THEN latest.created_at ELSE document.updated_at END`)} AS "updatedAt",
      CASE WHEN ${isChanged} THEN latest.created_by ELSE document.updated_by END AS "updatedBy"
    FROM (
      SELECT * FROM documents
      WHERE workspace_id = $1 AND kind = '${type.kind}' AND (created_at, id) > ($2::timestamptz, $3::uuid)
      ORDER BY created_at, id LIMIT ${DOCUMENTS_PER_PAGE}
    ) document
    LEFT JOIN LATERAL (
      SELECT version, ${versionedFields(type).join(', ')}, created_at, created_by FROM document_versions
      WHERE document_id = document.id AND version <= document.version AND created_at < $4::timestamptz
      ORDER BY version DESC LIMIT 1
    ) latest ON true
    ORDER BY document.created_at, document.id`;
};

/** The versions of the document $1 after version $2, up to version $3. `content` is JSON text. */
const selectVersions = (type: DocumentType): string => {
  const { kind } = type;
  const references =
    kind === 'module'
      ? `(SELECT json_build_object('modules', modules, 'uses', uses, 'expandedBytes', expanded_bytes)
          FROM module_version_references nested
          WHERE nested.module_id = stored.document_id AND nested.version = stored.version LIMIT 1)`
      : 'NULL::json';
  return `SELECT version, ${versionedFields(type).join(', ')}, label, note, created_by AS "createdBy",
      ${timeText('created_at')} AS "createdAt", ${references} AS references, content::text AS content
    FROM document_versions stored WHERE document_id = $1 AND version > $2 AND version <= $3
    ORDER BY version LIMIT ${VERSIONS_PER_PAGE}`;
};
