import { rolesAtLeast } from '#workspaces';
import { isOfKind } from '../document/fields.js';

/**
 * The parameters as SQL expressions. `templateIds` is NULL to select all templates, and `limit` is NULL for no limit.
 */
type Parameters = Record<
  'moduleId' | 'toVersion' | 'templateIds' | 'userId' | 'after' | 'limit',
  string
>;

/**
 * Selects documents that use a module directly. `matches` tells whether an update changes the document: the document
 * must be a template that the user may edit, and must pin a version of the module other than `toVersion`.
 */
export const selectUsingDocuments = ({
  moduleId,
  toVersion,
  templateIds,
  userId,
  after,
  limit,
}: Parameters): string => {
  const pinsAnother = `bool_or(pinned_version NOT IN (0, ${toVersion})) AS pins_another`;
  return `SELECT document.id, coalesce(pins_another AND editor.user_id IS NOT NULL, false) AS matches
   FROM (
     (
       SELECT document_id AS id, ${pinsAnother} FROM module_usages
       WHERE ${templateIds} IS NULL AND module_id = ${moduleId} AND document_id > ${after}
       GROUP BY document_id ORDER BY document_id LIMIT ${limit}
     )
     UNION ALL
     SELECT wanted.id, usage.pins_another FROM (SELECT DISTINCT unnest(${templateIds}) AS id) wanted
     CROSS JOIN LATERAL (
       SELECT ${pinsAnother} FROM module_usages
       WHERE module_id = ${moduleId} AND document_id = wanted.id
     ) usage
     WHERE wanted.id > ${after}
   ) document
   LEFT JOIN LATERAL (
     SELECT workspace_id FROM documents WHERE id = document.id AND ${isOfKind('documents', 'template')} LIMIT 1
   ) template ON true
   LEFT JOIN LATERAL (
     SELECT user_id FROM workspace_members
     WHERE workspace_id = template.workspace_id AND user_id = ${userId}
       AND role IN (${rolesAtLeast('editor')}) LIMIT 1
   ) editor ON true`;
};
