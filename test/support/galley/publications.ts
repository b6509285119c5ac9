import type { TestDatabase } from './database.js';

/**
 * Finds the pointers that are not the latest publication of their environment, or whose version does not exist.
 *
 * If an environment is deleted while a template that is published there is in the trash, the pointer goes, and
 * the history has no entry for that: a template in the trash has no events. The history of a template that is
 * gone for good is left to the purge.
 */
export const findWrongPointers = (database: TestDatabase): Promise<object[]> =>
  database.query(
    `SELECT pointer.*, latest.template_id, latest.environment FROM template_pointers pointer
     FULL JOIN (
       SELECT DISTINCT ON (template_id, environment) * FROM template_publications
       WHERE template_id NOT IN (SELECT id FROM documents_to_purge)
       ORDER BY template_id, environment, number DESC
     ) latest
       ON pointer.template_id = latest.template_id AND pointer.environment = latest.environment
     LEFT JOIN document_versions version
       ON version.document_id = pointer.template_id AND version.version = pointer.version
     WHERE (
       pointer.template_id IS NOT NULL
       AND (pointer.number IS DISTINCT FROM latest.number OR version.version IS NULL
         OR pointer.version IS DISTINCT FROM latest.version)
     ) OR (
       pointer.template_id IS NULL AND latest.version IS NOT NULL
       AND NOT (latest.environment <> 'production' AND EXISTS (
         SELECT FROM outbox WHERE resource_id = latest.template_id AND kind = 'template.deleted'
       ))
     )`,
  );
