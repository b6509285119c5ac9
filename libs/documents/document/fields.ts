export const documentKinds = ['template', 'module'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/**
 * SQL condition on the kind of a row that the statement looks up by id. IS TRUE keeps PostgreSQL from using an index
 * that begins with the workspace and the kind: if PostgreSQL plans the statement while the table is empty, all indexes
 * have the same cost.
 */
export const isOfKind = (row: string, kind: DocumentKind): string =>
  `(${row}.kind = '${kind}') IS TRUE`;

/**
 * A text field that users may write, in addition to the name and the content. The column has the same name as the
 * field.
 */
interface TextField {
  kinds: readonly DocumentKind[];
  /** In characters. */
  maxLength: number;
  /** For the API reference. */
  description: string;
  /** Whether the `data` of events contains the field. */
  isInEvents: boolean;
  /** The description of the filter, for the API reference; undefined if lists cannot be filtered by this field. */
  filter?: string;
}

/**
 * The text fields of documents, in addition to the name and the content, in response order. Requests, responses,
 * filters, versions, events, statements and the API reference are derived from this table.
 */
const textFields = {
  category: {
    kinds: ['module'],
    maxLength: 100,
    description: 'A category of your choice.',
    isInEvents: true,
    filter: 'Only modules of exactly this category.',
  },
  description: {
    kinds: ['module'],
    maxLength: 2_000,
    description: 'What the module is for.',
    isInEvents: false,
  },
} as const satisfies Record<string, TextField>;

type Fields = typeof textFields;

/** The names of a kind's text fields. */
export type TextName<Kind extends DocumentKind> = {
  [Name in keyof Fields]: Kind extends Fields[Name]['kinds'][number] ? Name : never;
}[keyof Fields];

/** The values of a kind's text fields. */
export type Texts<Kind extends DocumentKind> = Record<TextName<Kind>, string>;

/** The definitions of a kind's text fields, with their names. */
export const textFieldsOf = (kind: DocumentKind): [name: string, field: TextField][] =>
  Object.entries<TextField>(textFields).filter(([, { kinds }]) => kinds.includes(kind));
