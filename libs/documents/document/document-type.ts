import { createEvent, type DomainEvent, type EventCatalogue } from '#events';
import { JsonText } from '#json';
import { isOfKind, textFieldsOf, type DocumentKind, type TextName, type Texts } from './fields.js';

type Action = 'created' | 'updated' | 'deleted' | 'restored';
type EventData<Kind extends DocumentKind> = EventCatalogue[`${Kind}.${Action}`];

/** The fields that templates and modules share, except the content. */
export interface DocumentSummary {
  id: string;
  name: string;
  workspaceId: string;
  /**
   * The id that callers have given the document. No other document of the type in the workspace has the same one.
   * Changing only the external id does not create a version.
   */
  externalId: string | null;
  /** The tags, sorted. Changing only the tags does not create a version. */
  tags: string[];
  /** The number of the latest version. */
  version: number;
  createdAt: Date;
  /** The user who created the document; null if the document was created before Galley stored this field. */
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

/** The properties in which templates and modules differ. */
export interface DocumentType<Kind extends DocumentKind = DocumentKind> {
  /** The value of the column `kind`, and the name of the type in events and error messages. */
  readonly kind: Kind;
  /** The names of the writable text fields, except the name and the content. */
  readonly texts: readonly string[];
  /** The default values of the text fields of a new document. */
  readonly defaults: Texts<Kind>;
  /** The default content of a new document; undefined if the caller must provide the content. */
  readonly defaultContent?: JsonText;
  /** The names of the text fields by which lists can be filtered. */
  readonly filters: readonly string[];
  /** Maps each field of an event's `data` to its column. */
  readonly eventColumns: Readonly<Record<string, string>>;
  /**
   * The event that copying a document creates. Its data also contains the id of the original. Undefined if copying
   * creates no event.
   */
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
      externalId: 'external_id',
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

/** A transaction that locks documents of both kinds locks them in this order. */
export const documentTypes = [TEMPLATE, MODULE] as const;

/** Caches the SQL that `makeText` builds for each type. Requests then neither compose nor hash the same text again. */
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

/** Omitted fields get the defaults of the type. */
export type NewDocument<Kind extends DocumentKind = DocumentKind> = {
  name: string;
  content?: JsonText;
  tags?: string[];
  externalId?: string | null;
} & { [Name in TextName<Kind>]?: string };

/** Contains at least one writable field. Callers may also send the read-only fields back unchanged. */
export type DocumentChange<Kind extends DocumentKind = DocumentKind> = Partial<
  NewDocument<Kind>
> & {
  [Field in Exclude<keyof DocumentSummary, 'name' | 'tags' | 'externalId'>]?: unknown;
};

export const FIRST_VERSION = 1;
// The first event of a document is its creation.
export const FIRST_SEQUENCE = 1;

/** Maps the fields of a `DocumentSummary` to columns, in response order. */
const columnsOf = ({ texts }: DocumentType): [field: string, column: string][] =>
  Object.entries<string>({
    id: 'id',
    name: 'name',
    workspaceId: 'workspace_id',
    externalId: 'external_id',
    ...Object.fromEntries(texts.map((text) => [text, text])),
    tags: 'tags',
    version: 'version',
    createdAt: 'created_at',
    createdBy: 'created_by',
    updatedAt: 'updated_at',
    updatedBy: 'updated_by',
  });

/** The SELECT list of a `DocumentSummary`. The row must have the alias `document`. */
export const summaryColumns = (type: DocumentType): string =>
  columnsOf(type)
    .map(([field, column]) => `document.${column} AS "${field}"`)
    .join(', ');

/** A document after a change, with the sequence number of its latest event. */
export type ChangedRow = DocumentSummary & { eventCount: number };

/** The SELECT list of a `ChangedRow`. The row must have the alias `document`. */
export const changedColumns = (type: DocumentType): string =>
  `${summaryColumns(type)}, document.events AS "eventCount"`;

/** The fields of a `ChangedRow` as quoted SQL identifiers. */
export const changedFields = (type: DocumentType): string =>
  [...columnsOf(type).map(([field]) => field), 'eventCount']
    .map((field) => `"${field}"`)
    .join(', ');

/** The columns of `documents` that rows of this type use. */
export const rowColumns = (type: DocumentType): string[] => [
  ...columnsOf(type).map(([, column]) => column),
  'events',
];

/**
 * An SQL join that adds the document with the given id. All its columns are NULL if the document is of another type.
 */
export const joinDocument = ({ kind }: DocumentType, id: string): string =>
  `LEFT JOIN documents document ON document.id = ${id} AND ${isOfKind('document', kind)}`;

/**
 * An SQL join that adds the `content` and `content_bytes` of the current version to the row `document`. LIMIT keeps
 * PostgreSQL from reordering the joins (`PLANNER_SETTINGS`).
 */
export const JOIN_CURRENT_VERSION = `CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM document_versions
    WHERE document_id = document.id AND version = document.version LIMIT 1
  ) latest`;

/** The writable fields that each version stores in addition to its content. The columns have the same names. */
export const versionedFields = ({ texts }: DocumentType): string[] => ['name', ...texts];

/** The writable columns of `documents` that versions do not store. Changing only these columns creates no version. */
export const UNVERSIONED_COLUMNS = ['tags', 'external_id'] as const;

/** The writable columns of `documents`. */
export const writableColumns = (type: DocumentType): string[] => [
  ...versionedFields(type),
  ...UNVERSIONED_COLUMNS,
];

/**
 * The values of the writable columns as text. `tags` is a comma-separated list, which is safe because tags contain no
 * commas. An empty `external_id` means that the document has none.
 */
type Row = Record<string, string>;

const TAG_SEPARATOR = ',';

/** An SQL expression that converts a value of a `Row` to the type of its column. */
export function columnValue(column: string, text: string): string {
  if (column === 'tags') return `string_to_array(${text}, '${TAG_SEPARATOR}')`;
  return column === 'external_id' ? `nullif(${text}, '')` : text;
}

/** Converts tags to their text in a `Row`: trimmed, sorted and without duplicates. */
export const tagsText = (tags: readonly string[]): string =>
  [...new Set(tags.map((tag) => tag.trim()))].sort().join(TAG_SEPARATOR);

type FieldValue = string | string[] | null | undefined;

const toText = (field: string, value: FieldValue): string => {
  if (typeof value === 'string') return field === 'name' ? value.trim() : value;
  return tagsText(value ?? []);
};

/**
 * Builds a `Row` from the fields in `given`. Fields that `given` omits keep their values from `current`. Null removes
 * the external id.
 */
export function nextRow(type: DocumentType, given: object, current: object): Row {
  const [givenFields = {}, currentFields = {}] = [given, current] as Record<string, FieldValue>[];
  return Object.fromEntries(
    writableColumns(type).map((column) => {
      const field = column === 'external_id' ? 'externalId' : column;
      const value = givenFields[field];
      return [column, toText(field, value === undefined ? currentFields[field] : value)];
    }),
  );
}

export const COUNT_CHANGE = 'version = version + 1, events = events + 1';

/**
 * Whether a row and a document have the same versioned fields. If so, an update creates a version only if the content
 * differs.
 */
export const hasSameVersionedFields = (type: DocumentType, row: Row, document: object): boolean =>
  versionedFields(type).every((field) => row[field] === (document as Row)[field]);

/** Whether a row and a document also have the same fields that versions do not store. */
export const hasSameUnversionedFields = (
  row: Row,
  { tags, externalId }: Pick<DocumentSummary, 'tags' | 'externalId'>,
): boolean => row['tags'] === tagsText(tags) && row['external_id'] === (externalId ?? '');

/** Picks the fields of a document that callers cannot change. */
export function readOnlyFields(type: DocumentType, document: object): Record<string, unknown> {
  const writable = writableColumns(type);
  const readOnly = columnsOf(type).filter(([, column]) => !writable.includes(column));
  return pick(
    document,
    readOnly.map(([field]) => field),
  );
}

export const eventData = <Kind extends DocumentKind>(type: DocumentType<Kind>, document: object) =>
  pick(document, Object.keys(type.eventColumns)) as unknown as EventData<Kind>;

/** The SQL equivalent of `eventData`, for a row of `documents`. */
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
