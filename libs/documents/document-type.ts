import { createEvent, type DomainEvent, type EventCatalogue } from '#events';
import type { JsonText } from './json-text.js';

export const documentKinds = ['template', 'module'] as const;
export type DocumentKind = (typeof documentKinds)[number];
type Action = 'created' | 'updated' | 'deleted' | 'restored';
type EventData<Kind extends DocumentKind> = EventCatalogue[`${Kind}.${Action}`];

/** The fields that all types of documents have, without the document itself. */
export interface DocumentSummary {
  id: string;
  name: string;
  workspaceId: string;
  /** Sorted. A change of the tags alone makes no version. */
  tags: string[];
  /** The number of the latest version. */
  version: number;
  createdAt: Date;
  /** The user who created the document. Null if that was before Galley stored the users. */
  createdBy: string | null;
  updatedAt: Date;
  /** The user who made the last change. */
  updatedBy: string | null;
}

export type Document<Own = unknown> = DocumentSummary & Own & { content: JsonText };

/** A type of document, for functions that do not depend on the fields of one type. */
export interface AnyDocumentType {
  readonly kind: DocumentKind;
  /** The columns of the fields that `DocumentSummary` does not have. */
  readonly columns: object;
  /** The values of these fields in a new document if the caller gives none. */
  readonly defaults: object;
  /** Texts that a caller may write, in addition to the name and the document. */
  readonly texts: readonly string[];
  /** The columns from which the `data` of events is made. */
  readonly eventColumns: Readonly<Record<string, string>>;
}

/**
 * The differences between templates and modules. A field that is missing in one of the maps does not
 * compile.
 */
export interface DocumentType<
  Kind extends DocumentKind,
  Own extends Omit<EventData<Kind>, keyof DocumentSummary>,
> extends AnyDocumentType {
  readonly kind: Kind;
  readonly columns: { readonly [Field in keyof Own]: string };
  readonly defaults: Own;
  readonly texts: readonly (keyof Own & string)[];
  readonly eventColumns: { readonly [Field in keyof EventData<Kind>]: string };
}

/** At least one of the writable fields. The read-only fields may be sent back as they were read. */
export type DocumentChange<Own, Text extends keyof Own = never> = {
  name?: string;
  content?: JsonText;
  tags?: string[];
} & { [Field in Text]?: string } & {
  [Field in Exclude<keyof DocumentSummary | keyof Own, 'name' | 'tags' | Text>]?: unknown;
};

export type WritableFields<Text extends string = never> = {
  name: string;
  content: JsonText;
  tags?: string[];
} & { [Field in Text]?: string };

export const FIRST_VERSION = 1;
// The first event of a document is its creation.
export const FIRST_SEQUENCE = 1;

/** The fields of a summary and their columns, in the order in which clients get them. */
const columnsOf = ({ columns }: AnyDocumentType): [field: string, column: string][] =>
  Object.entries<string>({
    id: 'id',
    name: 'name',
    workspaceId: 'workspace_id',
    ...columns,
    tags: 'tags',
    version: 'version',
    createdAt: 'created_at',
    createdBy: 'created_by',
    updatedAt: 'updated_at',
    updatedBy: 'updated_by',
  });

/** The columns of a summary of the row `document`. */
export const summaryColumns = (type: AnyDocumentType): string =>
  columnsOf(type)
    .map(([field, column]) => `document.${column} AS "${field}"`)
    .join(', ');

/** A document after a change, with the sequence number of its latest event. */
export type ChangedRow = DocumentSummary & { eventCount: number };

/** The columns of a `ChangedRow` of the row `document`. */
export const changedColumns = (type: AnyDocumentType): string =>
  `${summaryColumns(type)}, document.events AS "eventCount"`;

/** The columns of a document's row that depend on its type, and those that all types have. */
export const rowColumns = (type: AnyDocumentType): string[] => [
  ...columnsOf(type).map(([, column]) => column),
  'events',
];

/** SQL that joins the document with an id, if it is of this type, to a statement. */
export const joinDocument = ({ kind }: AnyDocumentType, id: string): string =>
  `LEFT JOIN documents document ON document.id = ${id} AND document.kind = '${kind}'`;

/**
 * SQL that joins the current version, which has `content` and `content_bytes`, to the row `document`. LIMIT keeps
 * PostgreSQL from changing the order of the joins (`PLANNER_SETTINGS`).
 */
export const JOIN_CURRENT_VERSION = `CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest`;

/**
 * Fields of the table's row that a caller may write, and that versions also have. Their columns have the
 * same names.
 */
export const versionedFields = ({ texts }: AnyDocumentType): string[] => ['name', ...texts];

/** Fields of the table's row that a caller may write. Their columns have the same names. */
export const rowFields = (type: AnyDocumentType): string[] => [...versionedFields(type), 'tags'];

/** The values of `rowFields`, as texts. A tag contains no comma, so the text of tags is a list with commas. */
type Row = Record<string, string>;

const TAG_SEPARATOR = ',';

/** SQL of the value of a field's column, for the text of a `Row`. */
export const columnValue = (field: string, text: string): string =>
  field === 'tags' ? `string_to_array(${text}, '${TAG_SEPARATOR}')` : text;

/** The value of `tags` in a `Row`. */
export const tagsText = (tags: readonly string[]): string =>
  [...new Set(tags.map((tag) => tag.trim()))].sort().join(TAG_SEPARATOR);

const toText = (field: string, value: string | string[]): string => {
  if (typeof value !== 'string') return tagsText(value);
  return field === 'name' ? value.trim() : value;
};

/** The next values of `rowFields`: the given ones, else those of `current`. */
export function nextRow(type: AnyDocumentType, given: object, current: object): Row {
  const [givenFields, currentFields] = [given, current] as Partial<
    Record<string, string | string[]>
  >[];
  return Object.fromEntries(
    rowFields(type).map((field) => [
      field,
      toText(field, givenFields?.[field] ?? currentFields?.[field] ?? ''),
    ]),
  );
}

/** The assignments that count a change that makes a version. */
export const COUNT_CHANGE = 'version = version + 1, events = events + 1';

/** Whether a change to `row` makes a version, as far as the row decides. */
export const hasSameVersionedFields = (
  type: AnyDocumentType,
  row: Row,
  document: object,
): boolean => versionedFields(type).every((field) => row[field] === (document as Row)[field]);

export const hasSameTags = (row: Row, { tags }: DocumentSummary): boolean =>
  row['tags'] === tagsText(tags);

/** The fields of a summary that no caller can change. */
export function readOnlyFields(type: AnyDocumentType, document: object): Record<string, unknown> {
  const writable = rowFields(type);
  const fields = columnsOf(type).map(([field]) => field);
  return pick(
    document,
    fields.filter((field) => !writable.includes(field)),
  );
}

export const eventData = <Kind extends DocumentKind>(
  type: AnyDocumentType & { kind: Kind },
  document: object,
) => pick(document, Object.keys(type.eventColumns)) as unknown as EventData<Kind>;

/** `eventData` of a row of the table, in SQL. */
export const eventDataExpression = ({ eventColumns }: AnyDocumentType): string =>
  `json_build_object(${Object.entries(eventColumns)
    .map(([field, column]) => `'${field}', ${column}`)
    .join(', ')})`;

export const documentEvent = (
  type: AnyDocumentType,
  action: Action,
  document: object,
  sequence: number,
): DomainEvent => createEvent(`${type.kind}.${action}`, sequence, eventData(type, document));

const pick = (from: object, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, (from as Record<string, unknown>)[field]]));
