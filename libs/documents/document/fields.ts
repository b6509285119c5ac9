export const documentKinds = ['template', 'module'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/**
 * SQL that compares the kind of a row that the statement finds by id. IS TRUE keeps
 * PostgreSQL from using an index that begins with the workspace and the kind. A
 * plan may be made while the table is empty, and then all indexes cost the same.
 */
export const isOfKind = (row: string, kind: DocumentKind): string =>
  `(${row}.kind = '${kind}') IS TRUE`;

/**
 * A text that people may write, in addition to the name and the document. Its column and its field have the same name.
 */
interface TextField {
  kinds: readonly DocumentKind[];
  /** In characters. */
  maxLength: number;
  /** For the API reference. */
  description: string;
  /** Whether the `data` of events has the field. */
  isInEvents: boolean;
  /** The description of the filter, for the API reference. Undefined if lists do not filter by this text. */
  filter?: string;
}

/**
 * The texts that documents have in addition to the name and the document, in the order in which clients get them.
 * Requests, responses, filters, versions, events, statements and the API reference are derived from this table.
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

/** The names of the texts that documents of a kind have. */
export type TextName<Kind extends DocumentKind> = {
  [Name in keyof Fields]: Kind extends Fields[Name]['kinds'][number] ? Name : never;
}[keyof Fields];

/** The texts that documents of a kind have. */
export type Texts<Kind extends DocumentKind> = Record<TextName<Kind>, string>;

/** The texts that documents of a kind have, by name. */
export const textFieldsOf = (kind: DocumentKind): [name: string, field: TextField][] =>
  Object.entries<TextField>(textFields).filter(([, { kinds }]) => kinds.includes(kind));
