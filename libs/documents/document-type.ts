import { createEvent, type DomainEvent, type EventCatalogue } from '#events';
import type { JsonText } from './json-text.js';

type DocumentKind = 'template' | 'module';
type Action = 'created' | 'updated' | 'deleted';
type EventData<Kind extends DocumentKind> = EventCatalogue[`${Kind}.${Action}`];

/** The fields that all types of documents have, without the document itself. */
export interface DocumentSummary {
  id: string;
  name: string;
  workspaceId: string;
  createdAt: Date;
  updatedAt: Date;
}

export type Document<Own = unknown> = DocumentSummary & Own & { content: JsonText };

/** A type of document, for functions that do not depend on its own fields. */
export interface AnyDocumentType {
  /** The name in events and error messages, and the alias of the table in SQL. */
  readonly kind: DocumentKind;
  readonly table: 'templates' | 'modules';
  /** The columns of the fields beside those of `DocumentSummary`. */
  readonly columns: Readonly<Record<string, string>>;
  /** The values of these fields in a new document for which the caller gives none. */
  readonly defaults: object;
  /** Texts that a caller may write, beside the name and the document. */
  readonly texts: readonly string[];
  /** The column that counts the events of a document: it is the sequence of the latest event. */
  readonly counter: string;
  /** The columns of the data of its events. */
  readonly eventColumns: Readonly<Record<string, string>>;
  /** Where the documents are, if they are not in the column `content` of the table. */
  readonly versions?: {
    /** Joins the `content` and the `content_bytes` of the current version in FROM. */
    readonly join: string;
    /** A common table expression that appends a version to each row of the expression named `kind`. */
    readonly append: (content: string, userId: string) => string;
    /** A statement that appends a version to each of the ids $1, with the documents $2, by the user $3. */
    readonly appendAll: string;
  };
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

/** Any of the writable fields, at least one. The read-only fields may be repeated as they were read. */
export type DocumentChange<Own, Text extends keyof Own = never> = {
  name?: string;
  content?: JsonText;
} & { [Field in Text]?: string } & {
  [Field in Exclude<keyof DocumentSummary | keyof Own, 'name' | Text>]?: unknown;
};

export type WritableFields<Text extends string = never> = { name: string; content: JsonText } & {
  [Field in Text]?: string;
};

// The first event of a document is its creation.
export const FIRST_SEQUENCE = 1;

/** The fields of a summary and their columns, in the order in which clients get them. */
const columnsOf = ({ columns }: AnyDocumentType): [field: string, column: string][] =>
  Object.entries({
    id: 'id',
    name: 'name',
    workspaceId: 'workspace_id',
    ...columns,
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  });

/** The columns of a summary in a SELECT from the table, or in a RETURNING. */
export const summaryColumns = (type: AnyDocumentType): string =>
  columnsOf(type)
    .map(([field, column]) => `${type.kind}.${column} AS "${field}"`)
    .join(', ');

/** Fields of the table's row that a caller may write, whose columns have the same names. */
export const rowFields = ({ texts }: AnyDocumentType): string[] => ['name', ...texts];

type Row = Record<string, string>;

/** The next values of `rowFields`: the given ones, else those of `current`. */
export function nextRow(type: AnyDocumentType, given: object, current: object): Row {
  const [givenRow, currentRow] = [given as Partial<Row>, current as Row];
  return Object.fromEntries(
    rowFields(type).map((field) => {
      const value = givenRow[field] ?? currentRow[field] ?? '';
      return [field, field === 'name' ? value.trim() : value];
    }),
  );
}

export const isSameRow = (type: AnyDocumentType, one: object, other: object): boolean =>
  rowFields(type).every((field) => (one as Row)[field] === (other as Row)[field]);

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
