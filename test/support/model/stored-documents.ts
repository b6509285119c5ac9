import type { TestDatabase } from '../galley/database.js';
import type { PlainDocument, PlainUsage, PlainVersion } from './plain-documents.js';

interface StoredDocument extends PlainDocument {
  /** How many events the document has had. */
  events: number;
}

/** What the tables have about some documents. */
export interface StoredDocuments {
  documents: StoredDocument[];
  versions: PlainVersion[];
  /** Usages by documents in the trash included. In the order of the documents, modules and versions. */
  usages: PlainUsage[];
  /** What the check of cycles reads instead of the documents. */
  nestedReferences: { id: string; version: number; uses: string[] }[];
  events: { id: string; kind: string; sequence: number; version: number | null }[];
}

const DOCUMENTS = `SELECT id, kind, workspace_id AS "workspaceId", name, version, false AS "isInTrash", events
  FROM documents WHERE id = ANY ($1)
  UNION ALL
  SELECT id, kind, workspace_id, fields->>'name', (fields->>'version')::integer, true,
    1 + (fields->>'events')::integer
  FROM trashed_documents WHERE id = ANY ($1)`;

const VERSIONS = `SELECT document_id AS id, version, name, content, created_at AS "createdAt"
  FROM document_versions WHERE document_id = ANY ($1)`;

const USAGES = `SELECT document_id AS "documentId", module_id AS "moduleId",
    pinned_version AS "pinnedVersion", occurrences
  FROM module_usages WHERE document_id = ANY ($1)
  UNION ALL
  SELECT id, (usage->>'module_id')::uuid, (usage->>'pinned_version')::integer,
    (usage->>'occurrences')::integer
  FROM trashed_documents, jsonb_array_elements(usages) usage WHERE id = ANY ($1)
  ORDER BY 1, 2, 3`;

const NESTED_REFERENCES = `SELECT module_id AS id, version, ARRAY(
    SELECT concat_ws(' ', used->>'moduleId', used->>'version') FROM jsonb_array_elements(uses) used
    GROUP BY 1 ORDER BY 1
  ) AS uses
  FROM module_version_references WHERE module_id = ANY ($1)`;

const EVENTS = `SELECT resource_id AS id, kind, sequence::integer, (data->>'version')::integer AS version
  FROM outbox WHERE resource_id = ANY ($1) ORDER BY resource_id, sequence`;

/** Reads everything about the documents, except those that were purged. Nobody may change them meanwhile. */
export async function readStored(
  database: TestDatabase,
  ids: readonly string[],
): Promise<StoredDocuments> {
  const [documents, versions, usages, nestedReferences, events] = await Promise.all([
    database.query<StoredDocument>(DOCUMENTS, [ids]),
    database.query<PlainVersion>(VERSIONS, [ids]),
    database.query<PlainUsage>(USAGES, [ids]),
    database.query<StoredDocuments['nestedReferences'][number]>(NESTED_REFERENCES, [ids]),
    database.query<StoredDocuments['events'][number]>(EVENTS, [ids]),
  ]);
  return { documents, versions, usages, nestedReferences, events };
}
