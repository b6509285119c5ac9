import { versionedFields, type AnyDocumentType } from '../document-type.js';

/** The columns of a version that its document's row also has, and their values from the row. */
function copiedColumns(type: AnyDocumentType): [columns: string, values: string] {
  const fields = ['version', ...versionedFields(type)];
  return [fields.join(', '), fields.map((field) => `${type.kind}.${field}`).join(', ')];
}

const insertVersions = (type: AnyDocumentType): string =>
  `INSERT INTO ${type.kind}_versions (${type.kind}_id, ${copiedColumns(type)[0]}, content, created_by, created_at)`;

/**
 * A common table expression that appends a version to each document that the expression named `type.kind`
 * returns.
 * @param content the SQL of the document.
 * @param userId the SQL of the id of the user who makes the change.
 */
export const appendVersionCte = (
  type: AnyDocumentType,
  content: string,
  userId: string,
  updatedAt = '"updatedAt"',
): string => `version AS (
    ${insertVersions(type)}
    SELECT ${type.kind}.id, ${copiedColumns(type)[1]}, ${content}, ${userId}, ${updatedAt} FROM ${type.kind}
  )`;

/**
 * Appends a version to each of the ids $1, with the documents of the JSON array $2, by the user $3. In place
 * of a document, null means that the document does not change. For types whose rows have no documents.
 */
export const appendVersionsStatement = (type: AnyDocumentType): string => {
  const { kind, table } = type;
  return `${insertVersions(type)}
    SELECT ${kind}.id, ${copiedColumns(type)[1]},
      CASE json_typeof(input.content) WHEN 'null' THEN earlier.content ELSE input.content END,
      $3, ${kind}.updated_at
    FROM ROWS FROM (unnest($1::uuid[]), json_array_elements($2::json)) AS input (id, content)
    CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE id = input.id LIMIT 1) ${kind}
    LEFT JOIN LATERAL (
      SELECT content FROM ${kind}_versions
      WHERE ${kind}_id = input.id AND version = ${kind}.version - 1 LIMIT 1
    ) earlier ON true`;
};
