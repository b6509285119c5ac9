import { createEvent, type DomainEvent, type EventCatalogue } from '#events';
import { JsonText } from '#json';
import { isOfKind, textFieldsOf, type DocumentKind, type TextName, type Texts } from './fields.js';

type Action = 'created' | 'updated' | 'deleted' | 'restored';
type EventData<Kind extends DocumentKind> = EventCatalogue[`${Kind}.${Action}`];

/** The fields that all types of documents have, without the document itself. */
export interface DocumentSummary {
  id: string;
  name: string;
  workspaceId: string;
  /** Sorted. A change of only the tags creates no new version. */
  tags: string[];
  /** The number of the latest version. */
  version: number;
  createdAt: Date;
  /** The user who created the document. Null if Galley did not yet store the creator at that time. */
  createdBy: string | null;
  updatedAt: Date;
  /** The user who made the last change. */
  updatedBy: string | null;
}

export type SummaryOf<Kind extends DocumentKind = DocumentKind> = DocumentSummary & Texts<Kind>;

/** A template or module. */
export type Document<Kind extends DocumentKind = DocumentKind> = SummaryOf<Kind> & {
  content: JsonText;
};

/** The differences between the kinds of documents. */
export interface DocumentType<Kind extends DocumentKind = DocumentKind> {
  /** The name in the column `kind`, in events and in error messages. */
  readonly kind: Kind;
  /** The names of the texts that a caller may write, in addition to the name and the document. */
  readonly texts: readonly string[];
  /** The texts of a new document if the caller gives none. */
  readonly defaults: Texts<Kind>;
  /** The document itself if the caller gives none; undefined if a caller must give one. */
  readonly defaultContent?: JsonText;
  /** The texts by which lists filter. */
  readonly filters: readonly string[];
  /** The columns from which the `data` of events is made, by field. */
  readonly eventColumns: Readonly<Record<string, string>>;
  /** The event of a copy, whose data also has the id of the original; undefined if a copy has no event. */
  readonly duplicatedEvent?: 'template.duplicated';
}

function defineType<Kind extends DocumentKind>(
  kind: Kind,
  rest: Pick<DocumentType<Kind>, 'defaultContent' | 'duplicatedEvent'> = {},
): DocumentType<Kind> {
  const fields = textFieldsOf(kind);
  const inEvents = fields.filter(([, { isInEvents }]) => isInEvents).map(([name]) => [name, name]);
  return {
    kind,
    texts: fields.map(([name]) => name),
    defaults: Object.fromEntries(fields.map(([name]) => [name, ''])) as Texts<Kind>,
    filters: fields.filter(([, { filter }]) => filter).map(([name]) => name),
    eventColumns: {
      id: 'id',
      name: 'name',
      workspaceId: 'workspace_id',
      ...(Object.fromEntries(inEvents) as Record<string, string>),
      version: 'version',
    },
    ...rest,
  };
}

export const TEMPLATE = defineType('template', {
  defaultContent: new JsonText('{"styles":{},"stripes":[]}'),
  duplicatedEvent: 'template.duplicated',
});

/** A module is a reusable piece of a document: a block, a container or a stripe. */
export const MODULE = defineType('module');

/** In the order in which a transaction locks documents of both kinds. */
export const documentTypes = [TEMPLATE, MODULE] as const;

/**
 * Makes SQL that depends on the type once for each type. Otherwise each request would compose and hash the same text.
 */
export function forEachType(
  makeText: (type: DocumentType) => string,
): (type: DocumentType) => string {
  const texts = new Map<DocumentKind, string>();
  return (type) => {
    const text = texts.get(type.kind) ?? makeText(type);
    texts.set(type.kind, text);
    return text;
  };
}

export const documentTypeFor = (kind: DocumentKind): DocumentType =>
  kind === 'template' ? TEMPLATE : MODULE;

/** The fields of a new document. */
export type NewDocument<Kind extends DocumentKind = DocumentKind> = {
  name: string;
  content?: JsonText;
  tags?: string[];
} & { [Name in TextName<Kind>]?: string };

/** At least one of the writable fields. The read-only fields may be sent back as they were read. */
export type DocumentChange<Kind extends DocumentKind = DocumentKind> = Partial<
  NewDocument<Kind>
> & {
  [Field in Exclude<keyof DocumentSummary, 'name' | 'tags'>]?: unknown;
};

export const FIRST_VERSION = 1;
// The first event of a document is its creation.
export const FIRST_SEQUENCE = 1;

/** The fields of a summary and their columns, in the order in which clients get them. */
const columnsOf = ({ texts }: DocumentType): [field: string, column: string][] =>
  Object.entries<string>({
    id: 'id',
    name: 'name',
    workspaceId: 'workspace_id',
    ...Object.fromEntries(texts.map((text) => [text, text])),
    tags: 'tags',
    version: 'version',
    createdAt: 'created_at',
    createdBy: 'created_by',
    updatedAt: 'updated_at',
    updatedBy: 'updated_by',
  });

/** The columns of a summary of the row `document`. */
export const summaryColumns = (type: DocumentType): string =>
  columnsOf(type)
    .map(([field, column]) => `document.${column} AS "${field}"`)
    .join(', ');

/** A document after a change, with the sequence number of its latest event. */
export type ChangedRow = DocumentSummary & { eventCount: number };

/** The columns of a `ChangedRow` of the row `document`. */
export const changedColumns = (type: DocumentType): string =>
  `${summaryColumns(type)}, document.events AS "eventCount"`;

/** The fields of a `ChangedRow`, quoted for SQL. */
export const changedFields = (type: DocumentType): string =>
  [...columnsOf(type).map(([field]) => field), 'eventCount']
    .map((field) => `"${field}"`)
    .join(', ');

/** The columns of a document's row: those that all types have, and the texts of its type. */
export const rowColumns = (type: DocumentType): string[] => [
  ...columnsOf(type).map(([, column]) => column),
  'events',
];

/** SQL that joins the document with this id to a statement, if the document is of this type. */
export const joinDocument = ({ kind }: DocumentType, id: string): string =>
  `LEFT JOIN documents document ON document.id = ${id} AND ${isOfKind('document', kind)}`;

/**
 * SQL that joins the current version, which has `content` and `content_bytes`, to the row `document`. LIMIT keeps
 * PostgreSQL from changing the order of the joins (`PLANNER_SETTINGS`).
 */
export const JOIN_CURRENT_VERSION = `CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest`;

/**
 * Fields of the table's row that a caller may write, and that versions also have. Their columns have the same names.
 */
export const versionedFields = ({ texts }: DocumentType): string[] => ['name', ...texts];

/** Fields of the table's row that a caller may write. Their columns have the same names. */
export const rowFields = (type: DocumentType): string[] => [...versionedFields(type), 'tags'];

/** The values of `rowFields`, as texts. A tag contains no comma, so the text of `tags` is a comma-separated list. */
type Row = Record<string, string>;

const TAG_SEPARATOR = ',';

/** SQL that turns a field's text in a `Row` into the value of the column. */
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
export function nextRow(type: DocumentType, given: object, current: object): Row {
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

/** The SQL assignments that count a new version and its event. */
export const COUNT_CHANGE = 'version = version + 1, events = events + 1';

/** If true, a change to `row` makes a new version only if the document itself changes. */
export const hasSameVersionedFields = (type: DocumentType, row: Row, document: object): boolean =>
  versionedFields(type).every((field) => row[field] === (document as Row)[field]);

export const hasSameTags = (row: Row, { tags }: DocumentSummary): boolean =>
  row['tags'] === tagsText(tags);

/** The fields of a summary that no caller can change. */
export function readOnlyFields(type: DocumentType, document: object): Record<string, unknown> {
  const writable = rowFields(type);
  const fields = columnsOf(type).map(([field]) => field);
  return pick(
    document,
    fields.filter((field) => !writable.includes(field)),
  );
}

export const eventData = <Kind extends DocumentKind>(type: DocumentType<Kind>, document: object) =>
  pick(document, Object.keys(type.eventColumns)) as unknown as EventData<Kind>;

/** `eventData` of a row of the table, in SQL. */
export const eventDataExpression = ({ eventColumns }: DocumentType): string =>
  `json_build_object(${Object.entries(eventColumns)
    .map(([field, column]) => `'${field}', ${column}`)
    .join(', ')})`;

export const documentEvent = (
  type: DocumentType,
  action: Action,
  document: object,
  sequence: number,
): DomainEvent => createEvent(`${type.kind}.${action}`, sequence, eventData(type, document));

const pick = (from: object, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, (from as Record<string, unknown>)[field]]));
