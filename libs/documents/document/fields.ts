export const documentKinds = ['template', 'module'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/**
 * An SQL condition that checks the kind of a document, for statements that look up the document by id. IS TRUE keeps
 * PostgreSQL from using the index that begins with the workspace and the kind. Without IS TRUE, a statement that is
 * planned while the table is empty might use that index, because all indexes then have the same cost.
 */
export const isOfKind = (row: string, kind: DocumentKind): string =>
  `(${row}.kind = '${kind}') IS TRUE`;

/** A writable text field, other than the name and the content. Its column has the same name. */
interface TextField {
  kinds: readonly DocumentKind[];
  /** In characters. */
  maxLength: number;
  /** Shown in the API reference. */
  description: string;
  /** Whether the `data` of events contains the field. */
  isInEvents: boolean;
  /** The description of the filter in the API reference. If undefined, lists cannot be filtered by this field. */
  filter?: string;
}

/**
 * The text fields of documents, except the name and the content, in the order in which responses list them. Requests,
 * responses, filters, versions, events, SQL statements and the API reference are derived from this object.
 */
const textFields = {
  category: {
    kinds: ['module'],
    maxLength: 100,
    description: 'A category of your choice.',
    isInEvents: true,
    filter: 'Only modules with exactly this category.',
  },
  description: {
    kinds: ['module'],
    maxLength: 2_000,
    description: 'What the module is for.',
    isInEvents: false,
  },
} as const satisfies Record<string, TextField>;

type Fields = typeof textFields;

export type TextName<Kind extends DocumentKind> = {
  [Name in keyof Fields]: Kind extends Fields[Name]['kinds'][number] ? Name : never;
}[keyof Fields];

export type Texts<Kind extends DocumentKind> = Record<TextName<Kind>, string>;

export const textFieldsOf = (kind: DocumentKind): [name: string, field: TextField][] =>
  Object.entries<TextField>(textFields).filter(([, { kinds }]) => kinds.includes(kind));
