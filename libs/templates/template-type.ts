import type { DocumentType } from '#documents';

// The table `templates` holds no documents: each version has its document in `template_versions`.
export const TEMPLATE: DocumentType<'template', object> = {
  kind: 'template',
  table: 'templates',
  columns: {},
  defaults: {},
  texts: [],
  // Each version is the result of one event.
  counter: 'version',
  unversionedCounter: 'unversioned_events',
  eventColumns: { id: 'id', name: 'name', workspaceId: 'workspace_id', version: 'version' },
  // LIMIT keeps PostgreSQL from changing the order of the joins (`PLANNER_SETTINGS`).
  contentJoin: `CROSS JOIN LATERAL (
    SELECT content, content_bytes FROM template_versions
    WHERE template_id = template.id AND version = template.version LIMIT 1
  ) latest`,
};
