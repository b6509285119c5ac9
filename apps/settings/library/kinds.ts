import {
  compareModuleVersions,
  compareTemplateVersions,
  deleteModule,
  deleteTemplate,
  duplicateModule,
  duplicateTemplate,
  getModule,
  getModuleTranslations,
  getModuleTranslationsAsCsv,
  getModuleTranslationsAsXliff,
  getModuleVersion,
  getTemplate,
  getTemplateTranslations,
  getTemplateTranslationsAsCsv,
  getTemplateTranslationsAsXliff,
  getTemplateVersion,
  labelModuleVersion,
  labelTemplateVersion,
  listModuleTranslations,
  listModuleVersions,
  listTemplateTranslations,
  listTemplateVersions,
  restoreModuleVersion,
  restoreTemplateVersion,
  storeModuleTranslations,
  storeTemplateTranslations,
  updateModule,
  updateTemplate,
  type Client,
  type Comparison,
  type Duplicate,
  type LabelVersion,
  type Languages,
  type ListedModuleVersion,
  type ListedTemplateVersion,
  type Module,
  type ModuleVersion,
  type Restore,
  type StoreTranslations,
  type Template,
  type TemplateVersion,
  type Translations,
} from '#client';
import { useParams } from '@tanstack/react-router';
import { createContext, use } from 'react';
import type { ListPage } from '../lists/cursor-list.js';

export type LibraryDocument = Template | Module;
export type Version = TemplateVersion | ModuleVersion;
export type ListedVersion = ListedTemplateVersion | ListedModuleVersion;

interface Request<Path, Query = never> {
  client: Client;
  path: Path;
  query?: Query;
  signal?: AbortSignal;
}

interface VersionPath {
  id: string;
  version: number;
}

interface LanguagePath {
  id: string;
  language: string;
}

interface Expand {
  expand?: 'modules';
}

type IfMatch = { 'If-Match'?: string };

/** The common interface of templates and modules: their path in URLs, and the API operations. */
export interface Kind {
  name: 'template' | 'module';
  /** The path segment in URLs. */
  section: 'templates' | 'modules';
  read: (
    request: Request<{ id: string }, Expand>,
  ) => Promise<{ data: LibraryDocument; response: Response }>;
  listVersions: (
    request: Request<{ id: string }, { limit: number; cursor?: string; label?: string }>,
  ) => Promise<{ data: ListPage<ListedVersion> }>;
  readVersion: (request: Request<VersionPath, Expand>) => Promise<{ data: Version }>;
  labelVersion: (request: Request<VersionPath> & { body: LabelVersion }) => Promise<unknown>;
  restoreVersion: (
    request: Request<VersionPath> & { headers: IfMatch; body: Restore },
  ) => Promise<{ data: LibraryDocument }>;
  /** Replaces the tags. Changing only the tags does not create a version. */
  updateTags: (
    request: Request<{ id: string }> & { headers: IfMatch; body: { tags: string[] } },
  ) => Promise<unknown>;
  compare: (
    request: Request<{ id: string }, { from?: string; to?: string }>,
  ) => Promise<{ data: Comparison }>;
  listTranslations: (
    request: Request<{ id: string }, { version: number }>,
  ) => Promise<{ data: Languages }>;
  readTranslations: (
    request: Request<LanguagePath, { version: number }>,
  ) => Promise<{ data: Translations }>;
  /** Reads a file for translators. */
  readTranslationsAs: Record<
    'xliff' | 'csv',
    (request: Request<LanguagePath>) => Promise<{ data: string }>
  >;
  storeTranslations: (
    request: Request<LanguagePath> & { headers: IfMatch; body: StoreTranslations },
  ) => Promise<{ data: LibraryDocument }>;
  duplicate: (
    request: Request<{ id: string }> & { body: Duplicate },
  ) => Promise<{ data: LibraryDocument }>;
  /** With `force`, a module is deleted even if it is in use. */
  remove: (
    request: Request<{ id: string }, { force?: boolean }> & { headers: IfMatch },
  ) => Promise<unknown>;
}

const KindContext = createContext<Kind | undefined>(undefined);

/** Tells the views below whether they show templates or modules. */
export const KindProvider = KindContext.Provider;

export function useKind(): Kind {
  const kind = use(KindContext);
  if (kind === undefined) throw new Error('useKind needs a KindProvider above it.');
  return kind;
}

/** The id of the template or module in the URL. */
export function useDocumentId(): string {
  const { documentId } = useParams({ strict: false });
  if (documentId === undefined) throw new Error('The URL has no document.');
  return documentId;
}

export const templates: Kind = {
  name: 'template',
  section: 'templates',
  read: (request) => getTemplate(request),
  listVersions: (request) => listTemplateVersions(request),
  readVersion: (request) => getTemplateVersion(request),
  labelVersion: (request) => labelTemplateVersion(request),
  restoreVersion: (request) => restoreTemplateVersion(request),
  updateTags: (request) => updateTemplate(request),
  compare: (request) => compareTemplateVersions(request),
  listTranslations: (request) => listTemplateTranslations(request),
  readTranslations: (request) => getTemplateTranslations(request),
  readTranslationsAs: {
    xliff: (request) => getTemplateTranslationsAsXliff(request),
    csv: (request) => getTemplateTranslationsAsCsv(request),
  },
  storeTranslations: (request) => storeTemplateTranslations(request),
  duplicate: (request) => duplicateTemplate(request),
  remove: ({ client, path, headers }) => deleteTemplate({ client, path, headers }),
};

export const modules: Kind = {
  name: 'module',
  section: 'modules',
  read: (request) => getModule(request),
  listVersions: (request) => listModuleVersions(request),
  readVersion: (request) => getModuleVersion(request),
  labelVersion: (request) => labelModuleVersion(request),
  restoreVersion: (request) => restoreModuleVersion(request),
  updateTags: (request) => updateModule(request),
  compare: (request) => compareModuleVersions(request),
  listTranslations: (request) => listModuleTranslations(request),
  readTranslations: (request) => getModuleTranslations(request),
  readTranslationsAs: {
    xliff: (request) => getModuleTranslationsAsXliff(request),
    csv: (request) => getModuleTranslationsAsCsv(request),
  },
  storeTranslations: (request) => storeModuleTranslations(request),
  duplicate: (request) => duplicateModule(request),
  remove: (request) => deleteModule(request),
};
