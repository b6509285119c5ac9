import type { DocumentType } from '#documents';

export interface ModuleFields {
  category: string;
  description: string;
}

export const MODULE: DocumentType<'module', ModuleFields> = {
  kind: 'module',
  table: 'modules',
  columns: { category: 'category', description: 'description' },
  defaults: { category: '', description: '' },
  texts: ['category', 'description'],
  // A duplicate has a version, but no event.
  counter: 'events',
  unversionedCounter: 'events',
  eventColumns: {
    id: 'id',
    name: 'name',
    workspaceId: 'workspace_id',
    category: 'category',
    version: 'version',
  },
};
