import { nextUpdatedAtInOrder } from '#database';
import {
  changedColumns,
  changedFields,
  columnValue,
  COUNT_CHANGE,
  forEachType,
  writableColumns,
  versionedFields,
  type DocumentType,
} from '../document/document-type.js';
import { queueDocuments } from '../search/queue-documents.sql.js';
import { insertVersions, writtenRows } from './written-rows.js';

/**
 * Updates locked documents, and appends a version to each. The parameters are those of `parametersOf`. Returns the rows
 * of the documents as `ChangedRow`.
 *
 * The rows are locked, so their ctid does not change before the UPDATE.
 */
export const updateDocuments = (type: DocumentType, count: number): string =>
  count === 1 ? UPDATE_ONE(type) : UPDATE_MANY(type);

function makeStatement(type: DocumentType, isSingle: boolean): string {
  const assignments = writableColumns(type).map(
    (field) => `${field} = ${columnValue(field, `input.${field}`)}`,
  );
  const written = ['id', 'version', ...versionedFields(type)].map((field) => `document.${field}`);
  return `WITH document AS (
      UPDATE documents document
      SET ${assignments.join(', ')}, ${COUNT_CHANGE}, updated_at = ${nextUpdatedAtInOrder}, updated_by = $1
      FROM ${writtenRows(type, isSingle)}
      CROSS JOIN LATERAL (SELECT ctid AS place FROM documents WHERE id = input.id LIMIT 1) located
      WHERE document.ctid = located.place
      RETURNING ${changedColumns(type)}, input.content
    ), written AS (
      SELECT ${written.join(', ')}, "updatedAt" AS at, CASE json_typeof(document.content)
        WHEN 'null' THEN (
          SELECT content FROM document_versions
          WHERE document_id = document.id AND version = document.version - 1
        ) ELSE document.content END AS content
      FROM document
    ), version AS (
      ${insertVersions(type, { source: 'written', version: 'written.version', at: 'written.at' })}
    ), queued AS (
      ${queueDocuments('SELECT id, "workspaceId" AS workspace_id, version FROM document')}
    )
    SELECT ${changedFields(type)} FROM document`;
}

const UPDATE_ONE = forEachType((type) => makeStatement(type, true));
const UPDATE_MANY = forEachType((type) => makeStatement(type, false));
