import type { DocumentType } from '#documents';

// The table `templates` holds no documents: each version has its own in `template_versions`.
export const TEMPLATE: DocumentType<'template', { version: number }> = {
  kind: 'template',
  table: 'templates',
  columns: { version: 'version' },
  defaults: { version: 1 },
  texts: [],
  // Each version is the result of one event, so that its number is also that event's sequence.
  counter: 'version',
  eventColumns: { id: 'id', name: 'name', workspaceId: 'workspace_id', version: 'version' },
  versions: {
    // LIMIT keeps PostgreSQL from changing the order of the joins (`PLANS`).
    join: `CROSS JOIN LATERAL (
      SELECT content, content_bytes FROM template_versions
      WHERE template_id = template.id AND version = template.version LIMIT 1
    ) latest`,
    append: (content, userId) => `version AS (
      INSERT INTO template_versions (template_id, version, name, content, created_by, created_at)
      SELECT id, version, name, ${content}, ${userId}, "updatedAt" FROM template
    )`,
    // A NULL document means that the document does not change.
    appendAll: `INSERT INTO template_versions (template_id, version, name, content, created_by, created_at)
      SELECT template.id, template.version, template.name,
        CASE json_typeof(input.content) WHEN 'null' THEN earlier.content ELSE input.content END,
        $3, template.updated_at
      FROM ROWS FROM (unnest($1::uuid[]), json_array_elements($2::json)) AS input (id, content)
      CROSS JOIN LATERAL (SELECT * FROM templates WHERE id = input.id LIMIT 1) template
      LEFT JOIN LATERAL (
        SELECT content FROM template_versions
        WHERE template_id = input.id AND version = template.version - 1 LIMIT 1
      ) earlier ON true`,
  },
};
