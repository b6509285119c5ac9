import type { Actor } from '#workspaces';
import { JsonText } from '#json';
import { writableColumns, type DocumentType } from '../document/document-type.js';

/** A document to insert or to update. */
export interface Write {
  id: string;
  /** The values of `writableColumns`. The name is missing if the statement chooses the name of a copy. */
  row: Record<string, string>;
  /** Undefined if the content does not change. */
  content: JsonText | undefined;
}

/** The parameters of `writtenRows`: the user, the ids, the contents, and the other fields. */
export const parametersOf = (
  type: DocumentType,
  actor: Actor,
  writes: readonly Write[],
): unknown[] => [
  actor.userId,
  writes.map(({ id }) => id),
  contentsOf(writes),
  ...writableColumns(type).map((field) => writes.map(({ row }) => row[field])),
];

/** How many parameters `parametersOf` returns. */
export const countParameters = (type: DocumentType): number => 3 + writableColumns(type).length;

function contentsOf(writes: readonly Write[]): string | Buffer {
  const [only] = writes;
  if (writes.length === 1) return only?.content?.source ?? 'null';
  return JsonText.arrayOf(writes.map(({ content }) => content));
}

/**
 * SQL for the rows `input` with the columns `id`, `writableColumns` and `content`, from the parameters of
 * `parametersOf`. A JSON null as `content` means that the content does not change.
 */
export function writtenRows(type: DocumentType, isSingle: boolean): string {
  const fields = writableColumns(type);
  const texts = fields.map((_, index) => `$${4 + index}::text[]`);
  // Passes the content of a single document directly, which saves PostgreSQL from parsing it as an array element.
  const contents = isSingle ? 'unnest(ARRAY[$3::json])' : 'json_array_elements($3::json)';
  return `ROWS FROM (unnest($2::uuid[], ${texts.join(', ')}), ${contents})
    AS input (id, ${fields.join(', ')}, content)`;
}

/**
 * SQL that appends a version for each row of `source`, which must have `id`, `content`, the name and the text fields.
 * The user is $1.
 * @param version SQL for the version number.
 * @param at SQL for the time of the version.
 */
export const insertVersions = (
  { kind, texts }: DocumentType,
  { source, version, at }: { source: string; version: string; at: string },
): string => {
  const fields = ['name', ...texts];
  return `INSERT INTO document_versions
      (document_id, kind, version, ${fields.join(', ')}, content, content_bytes, created_by, created_at)
    SELECT written.id, '${kind}', ${version}, ${fields.map((field) => `written.${field}`).join(', ')},
      written.content, octet_length(written.content::text), $1, ${at}
    FROM ${source} written`;
};
