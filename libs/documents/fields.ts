export const documentKinds = ['template', 'module'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/**
 * SQL that compares the kind of a row whose id a statement has. IS TRUE keeps PostgreSQL from using an index that begins
 * with the workspace and the kind: on an empty table, for which a plan may have been made, all indexes cost the same.
 */
export const isOfKind = (row: string, kind: DocumentKind): string =>
  `(${row}.kind = '${kind}') IS TRUE`;

/** A text that people may write, beside the name and the document. Its column and its field have the same name. */
interface TextField {
  kinds: readonly DocumentKind[];
  /** In characters. */
  maxLength: number;
  /** For the API reference. */
  description: string;
  /** Whether the `data` of events has the field. */
  isInEvents: boolean;
  /** For the API reference, if lists filter by the exact text. */
  filter?: string;
}

/**
 * The texts that documents have, beside the name and the document, in the order in which clients get them. Requests,
 * responses, filters, versions, events and the API reference follow from this table, and so do the statements.
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
