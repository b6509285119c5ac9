import type { DocumentKind, MailClient, Sort, TagMatch } from '#client';
import { isUuid } from '../api/values.js';
import { words as listTexts } from './lists/texts.js';

/** The filters of a list, as they appear in the URL. */
export interface LibrarySearch {
  search?: string;
  /** Comma-separated, as in the API. */
  tags?: string;
  /** By default, documents must have all of the tags. */
  tagsMatch?: TagMatch;
  /** The id of the user who made the last change. */
  updatedBy?: string;
  /** The id of a module that the documents use. */
  moduleId?: string;
  sort?: Sort;
}

export interface TemplateSearch extends LibrarySearch {
  /** True lists the templates that are published in the environment. False lists all other templates. */
  published?: boolean;
  /** Set only together with `published`. */
  environment?: string;
}

export interface ModuleSearch extends LibrarySearch {
  category?: string;
}

export const DEFAULT_SORT: Sort = '-updatedAt';
export const SORTS = Object.keys(listTexts.sorts) as Sort[];

type Input = Record<string, unknown>;

/** Drops values that the API would reject, because a URL may be old or mistyped. */
export function parseLibrarySearch(input: Input): LibrarySearch {
  const { search, tags, tagsMatch, sort } = input;
  const isSort = SORTS.includes(sort as Sort) && sort !== DEFAULT_SORT;
  return {
    ...textField('search', search, 255),
    ...tagFields(tags, tagsMatch),
    ...idField('updatedBy', input),
    ...idField('moduleId', input),
    ...(isSort && { sort: sort as Sort }),
  };
}

export const parseTemplateSearch = (input: Input): TemplateSearch => ({
  ...parseLibrarySearch(input),
  ...(typeof input['published'] === 'boolean' &&
    isEnvironment(input['environment']) && {
      published: input['published'],
      environment: input['environment'],
    }),
});

export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 50;
export const TAG_MATCHES: readonly TagMatch[] = ['all', 'any'];

export const tagsOf = ({ tags = '' }: LibrarySearch): string[] =>
  tags === '' ? [] : tags.split(',');

export const isFiltered = ({ sort, ...filters }: LibrarySearch): boolean =>
  Object.keys(filters).length > 0;

function tagFields(value: unknown, match: unknown): Pick<LibrarySearch, 'tags' | 'tagsMatch'> {
  const { tags: text = '' } = textField('tags', value, Infinity);
  const names = text.split(',').map((name) => name.trim());
  const tags = [...new Set(names)]
    .filter((name) => name !== '' && name.length <= MAX_TAG_LENGTH)
    .slice(0, MAX_TAGS);
  if (tags.length === 0) return {};
  return { tags: tags.join(','), ...(match === 'any' && tags.length > 1 && { tagsMatch: match }) };
}

export const parseModuleSearch = (input: Input): ModuleSearch => ({
  ...parseLibrarySearch(input),
  ...textField('category', input['category'], 100),
});

/** A full-text search, as it appears in the URL. */
export interface QuerySearch {
  query?: string;
  /** Limits the search to templates or to modules. */
  kind?: DocumentKind;
}

export const DOCUMENT_KINDS: readonly DocumentKind[] = ['template', 'module'];

export const parseQuerySearch = ({ query, kind }: Input): QuerySearch => ({
  ...textField('query', typeof query === 'string' ? query.trim() : query, 255),
  ...(DOCUMENT_KINDS.includes(kind as DocumentKind) && { kind: kind as DocumentKind }),
});

/** The search parameters of the page of a template or module. */
export interface DocumentSearch {
  /** Replaces module references with the documents of the modules. */
  expand?: 'modules';
  /** Lists only versions with this label. */
  label?: string;
}

export const parseDocumentSearch = ({ expand, label }: Input): DocumentSearch => ({
  ...(expand === 'modules' && { expand }),
  ...textField('label', label, 100),
});

/** A version number, or the name of an environment in which the version is published. */
export type ComparedSide = number | string;

/** By default, the latest version is compared with the version before it. */
export interface CompareSearch {
  from?: ComparedSide;
  to?: ComparedSide;
}

export const parseTemplateCompareSearch = ({ from, to }: Input): CompareSearch => ({
  ...((isVersion(from) || isEnvironment(from)) && { from }),
  ...((isVersion(to) || isEnvironment(to)) && { to }),
});

/** Modules are not published, so their versions are identified only by number. */
export const parseModuleCompareSearch = ({ from, to }: Input): CompareSearch => ({
  ...(isVersion(from) && { from }),
  ...(isVersion(to) && { to }),
});

export const PREVIEW_VIEWS = ['desktop', 'mobile', 'text'] as const;

/** The language whose texts are open. */
export interface TranslationsSearch {
  language?: string;
}

export const parseTranslationsSearch = ({ language }: Input): TranslationsSearch => ({
  ...(typeof language === 'string' && language !== '' && { language }),
});

/** The search parameters of the preview. By default, the preview shows the latest version at desktop width. */
export interface PreviewSearch {
  version?: number;
  view?: (typeof PREVIEW_VIEWS)[number];
  client?: MailClient | undefined;
  dark?: boolean;
  /** The language of the email. By default, the language of the document. */
  language?: string | undefined;
}

export const parsePreviewSearch = ({
  version,
  view,
  client,
  dark,
  language,
}: Input): PreviewSearch => ({
  ...(isVersion(version) && { version }),
  ...(PREVIEW_VIEWS.includes(view as 'mobile') && { view: view as 'mobile' }),
  ...(isMailClient(client) && { client }),
  ...(dark === true && { dark }),
  ...parseTranslationsSearch({ language }),
});

const MAIL_CLIENTS = [
  'gmail',
  'gmail-app',
  'outlook-windows',
  'apple-mail-dark',
  'without-images',
] as const satisfies readonly MailClient[];

export const isMailClient = (value: unknown): value is MailClient =>
  MAIL_CLIENTS.includes(value as MailClient);

const isVersion = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;

// The router puts a string of digits in quotes in the URL, so the name of an environment such as `2026` stays a string.
export const isEnvironment = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z0-9-]{1,32}$/.test(value);

// The router parses `search=2026` as a number.
function textField<Field extends string>(field: Field, value: unknown, maxLength: number) {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return (text === '' ? {} : { [field]: text.slice(0, maxLength) }) as Partial<
    Record<Field, string>
  >;
}

function idField<Field extends 'updatedBy' | 'moduleId'>(field: Field, input: Input) {
  const value = input[field];
  return (typeof value === 'string' && isUuid(value) ? { [field]: value } : {}) as Partial<
    Record<Field, string>
  >;
}

interface Compared {
  from: ComparedSide;
  to: ComparedSide;
}

/** The two versions to compare: by default, the latest version and the version before it. */
export function comparedVersions({ from, to }: CompareSearch, latest: number): Compared {
  const newer = to ?? latest;
  return { from: from ?? Math.max(1, (typeof newer === 'number' ? newer : latest) - 1), to: newer };
}

interface PublishedVersion {
  environment: string;
  published?: { version: number };
}

/** Resolves a side to its version number. Undefined if nothing is published in the environment. */
export function versionOf(
  side: ComparedSide,
  states: readonly PublishedVersion[],
): number | undefined {
  if (typeof side === 'number') return side;
  return states.find(({ environment }) => environment === side)?.published?.version;
}
