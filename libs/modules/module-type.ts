import type { DocumentType } from '#documents';

export interface ModuleFields {
  category: string;
  description: string;
}

export const MODULE: DocumentType<'module', ModuleFields> = {
  kind: 'module',
  columns: { category: 'category', description: 'description' },
  defaults: { category: '', description: '' },
  texts: ['category', 'description'],
  eventColumns: {
    id: 'id',
    name: 'name',
    workspaceId: 'workspace_id',
    category: 'category',
    version: 'version',
  },
};
