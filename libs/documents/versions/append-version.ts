import { versionedFields, type AnyDocumentType } from '../document-type.js';

/** The columns of a version that its document's row also has, and their values from the row. */
function copiedColumns(type: AnyDocumentType): [columns: string, values: string] {
  const fields = ['version', ...versionedFields(type)];
  const values = fields.map((field) => `document.${field}`);
  return [['kind', ...fields].join(', '), [`'${type.kind}'`, ...values].join(', ')];
}

const insertVersions = (type: AnyDocumentType): string =>
  `INSERT INTO document_versions (document_id, ${copiedColumns(type)[0]}, content, content_bytes, created_by, created_at)`;

/**
 * A common table expression that appends a version to each row of the expression `document`.
 * @param content the SQL of the document.
 * @param userId the SQL of the id of the user who makes the change.
 */
export const appendVersionCte = (
  type: AnyDocumentType,
  content: string,
  userId: string,
): string => `version AS (
    ${insertVersions(type)}
    SELECT document.id, ${copiedColumns(type)[1]}, ${content}, octet_length(${content}::text), ${userId}, "updatedAt"
    FROM document
  )`;

/**
 * Appends a version to each of the ids $1, with the documents of the JSON array $2, by the user $3. In place
 * of a document, null means that the document does not change.
 */
export const appendVersionsStatement = (type: AnyDocumentType): string =>
  `${insertVersions(type)}
   SELECT document.id, ${copiedColumns(type)[1]}, next.content, octet_length(next.content::text), $3,
     document.updated_at
   FROM ROWS FROM (unnest($1::uuid[]), json_array_elements($2::json)) AS input (id, content)
   CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = input.id LIMIT 1) document
   LEFT JOIN LATERAL (
     SELECT content FROM document_versions
     WHERE document_id = input.id AND version = document.version - 1 LIMIT 1
   ) earlier ON true
   CROSS JOIN LATERAL (
     SELECT CASE json_typeof(input.content) WHEN 'null' THEN earlier.content ELSE input.content END AS content
   ) next`;
