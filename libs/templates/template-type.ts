import type { DocumentType } from '#documents';

export const TEMPLATE: DocumentType<'template', object> = {
  kind: 'template',
  columns: {},
  defaults: {},
  texts: [],
  eventColumns: { id: 'id', name: 'name', workspaceId: 'workspace_id', version: 'version' },
};
