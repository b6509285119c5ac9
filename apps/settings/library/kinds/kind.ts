import type {
  Client,
  Comparison,
  Duplicate,
  LabelVersion,
  ListedModuleVersion,
  ListedTemplateVersion,
  Module,
  ModuleVersion,
  Restore,
  Template,
  TemplateVersion,
} from '#client';
import type { ListPage } from '../../lists/cursor-list.js';

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

interface Expand {
  expand?: 'modules';
}

type IfMatch = { 'If-Match'?: string };

/** The common parts of templates and modules: their views, and the operations of the API. */
export interface Kind {
  name: 'template' | 'module';
  /** The part of the URL. */
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
  /** Replaces the tags. A change of the tags alone makes no version. */
  updateTags: (
    request: Request<{ id: string }> & { headers: IfMatch; body: { tags: string[] } },
  ) => Promise<unknown>;
  compare: (
    request: Request<{ id: string }, { from?: string; to?: string }>,
  ) => Promise<{ data: Comparison }>;
  duplicate: (
    request: Request<{ id: string }> & { body: Duplicate },
  ) => Promise<{ data: LibraryDocument }>;
  /** `force` also deletes a module that is in use. */
  remove: (
    request: Request<{ id: string }, { force?: boolean }> & { headers: IfMatch },
  ) => Promise<unknown>;
}
