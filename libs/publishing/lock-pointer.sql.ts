import type { Transaction } from '#database';
import { isOfKind } from '#documents';
import { DomainError } from '#errors';
import {
  authorise,
  callerColumns,
  joinMember,
  PRODUCTION,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { LOCK_TEMPLATE } from './move-pointer.sql.js';
import { publicationColumns, type Publication } from './publication.js';

// Locks are always taken in this order: the workspace, the environment, the template. Deleting a workspace or an
// environment takes locks in the same order, which prevents deadlocks.
const CREATE_PRODUCTION = `INSERT INTO environments (workspace_id, name)
  SELECT workspace_id, '${PRODUCTION}' FROM documents WHERE id = $1 AND ${isOfKind('documents', 'template')}
  ON CONFLICT DO NOTHING`;
const LOCK_WORKSPACE_OF_TEMPLATE = `SELECT FROM workspaces
  WHERE id = (SELECT workspace_id FROM documents WHERE id = $1) FOR KEY SHARE`;
const LOCK_ENVIRONMENT = `SELECT FROM environments
  WHERE workspace_id = (SELECT workspace_id FROM documents WHERE id = $1) AND name = $2 FOR KEY SHARE`;

const LOAD_POINTER = `SELECT ${callerColumns('template.id')}, template.workspace_id AS "workspaceId",
    environment.name AS "environmentName", version.version AS "foundVersion",
    workspace.errors_block_publishing AS "errorsBlockPublishing", publication.*
  FROM users caller
  LEFT JOIN documents template ON template.id = $2 AND ${isOfKind('template', 'template')}
  LEFT JOIN workspaces workspace ON workspace.id = template.workspace_id
  LEFT JOIN environments environment
    ON environment.workspace_id = template.workspace_id AND environment.name = $3
  LEFT JOIN document_versions version ON version.document_id = template.id AND version.version = $4
  LEFT JOIN template_pointers pointer
    ON pointer.template_id = template.id AND pointer.environment = $3
  LEFT JOIN LATERAL (
    SELECT ${publicationColumns('publication')} FROM template_publications publication
    WHERE template_id = pointer.template_id AND number = pointer.number LIMIT 1
  ) publication ON true
  ${joinMember('template.workspace_id')}
  WHERE caller.id = $1`;

interface PointerRow {
  workspaceId: string;
  environmentName: string | null;
  foundVersion: number | null;
  errorsBlockPublishing: boolean;
}

/**
 * Takes the locks for moving a pointer, and loads the pointer. All statements are sent together. The last statement
 * sees what was committed while the others waited for locks.
 *
 * @returns the workspace of the template, its setting `errorsBlockPublishing`, and the current publication, whose
 * fields are null if nothing is published.
 */
export async function lockPointer(
  { query }: Transaction,
  actor: Actor,
  templateId: string,
  { environment, version }: { environment: string; version: number | null },
): Promise<{ workspaceId: string; errorsBlockPublishing: boolean; current: Publication }> {
  const statements: Promise<unknown>[] = [];
  if (environment === PRODUCTION) statements.push(query(CREATE_PRODUCTION, [templateId]));
  statements.push(
    query(LOCK_WORKSPACE_OF_TEMPLATE, [templateId]),
    query(LOCK_ENVIRONMENT, [templateId, environment]),
    query(LOCK_TEMPLATE, [templateId]),
  );
  const [[row]] = await Promise.all([
    query<CallerRow & PointerRow & Publication>(LOAD_POINTER, [
      actor.userId,
      templateId,
      environment,
      version,
    ]),
    ...statements,
  ]);
  const pointer = authorise(row, 'editor', 'template');
  const { workspaceId, environmentName, foundVersion, errorsBlockPublishing, ...current } = pointer;
  if (environmentName === null) throw DomainError.notFound('environment');
  if (version !== null && foundVersion === null) throw DomainError.notFound('version');
  return { workspaceId, errorsBlockPublishing, current };
}
