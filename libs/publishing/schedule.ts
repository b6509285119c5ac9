import { noEvent, type Transaction, type WorkResult } from '#database';
import { isOfKind, type DocumentStore } from '#documents';
import { DomainError } from '#errors';
import {
  authorise,
  callerColumns,
  joinMember,
  type Actor,
  type CallerRow,
  newIdFor,
} from '#workspaces';
import { LOCK_TEMPLATE } from './move-pointer.sql.js';
import { scheduledColumns, type Publication } from './publication.js';

// People plan a few campaigns ahead. A program that schedules more publications of one template is probably repeating
// itself by mistake.
const MAX_SCHEDULED = 100;

interface NewSchedule {
  templateId: string;
  environment: string;
  workspaceId: string;
  version: number;
  note: string;
  at: Date;
}

/**
 * Inserts a scheduled publication, unless the template has too many. The caller has locked the template, so the count
 * is exact.
 */
const INSERT_SCHEDULED = `INSERT INTO scheduled_publications AS scheduled (id, template_id, environment,
    workspace_id, version, note, at, created_by, created_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, now()
  WHERE (SELECT count(*) FROM scheduled_publications WHERE template_id = $2) < ${MAX_SCHEDULED}
  RETURNING ${scheduledColumns('scheduled')}`;

/** Schedules the next turn of the workspace $1 for the time $2, unless an earlier turn is already scheduled. */
const SET_TURN = `INSERT INTO publication_turns AS turn (workspace_id, next_at) VALUES ($1, $2)
  ON CONFLICT (workspace_id) DO UPDATE SET next_at = least(turn.next_at, EXCLUDED.next_at)`;

export async function schedule(
  { query, beforeCommit }: Transaction,
  actor: Actor,
  { templateId, environment, workspaceId, version, note, at }: NewSchedule,
): Promise<WorkResult<Publication>> {
  // Checked after the look-up of the idempotency key, because a retry that arrives after `at` must still get the stored
  // response.
  if (at.getTime() <= Date.now()) {
    throw DomainError.invalid('at', 'at must be in the future; omit at to publish immediately');
  }
  const [scheduled] = await query<Publication>(INSERT_SCHEDULED, [
    newIdFor(workspaceId),
    templateId,
    environment,
    workspaceId,
    version,
    note,
    at,
    actor.userId,
  ]);
  if (scheduled === undefined) {
    throw new DomainError(
      'limit_reached',
      `The template has ${MAX_SCHEDULED} scheduled publications, which is the limit; cancel one first.`,
    );
  }
  // Runs just before COMMIT, because the statement may wait: a worker that publishes for the workspace has locked the
  // row in `publication_turns`.
  beforeCommit(SET_TURN, [workspaceId, at]);
  return noEvent(scheduled, 'nothing is published yet');
}

/** @throws DomainError `not_found` if the publication does not exist, or is no longer scheduled. */
export const cancelScheduled = (
  { unitOfWork }: DocumentStore,
  actor: Actor,
  templateId: string,
  publicationId: string,
): Promise<void> =>
  unitOfWork.write(async ({ query }) => {
    // The lock comes first, because a worker that holds it may be carrying out the publication. In that case, there is
    // nothing left to cancel.
    const [, [row]] = await Promise.all([
      query(LOCK_TEMPLATE, [templateId]),
      query<CallerRow>(
        `SELECT ${callerColumns('template.id')} FROM users caller
         LEFT JOIN documents template ON template.id = $2 AND ${isOfKind('template', 'template')}
         ${joinMember('template.workspace_id')} WHERE caller.id = $1`,
        [actor.userId, templateId],
      ),
    ]);
    authorise(row, 'editor', 'template');
    const [cancelled] = await query(
      'DELETE FROM scheduled_publications WHERE id = $1 AND template_id = $2 RETURNING 1',
      [publicationId, templateId],
    );
    if (cancelled === undefined) throw DomainError.notFound('publication');
    return noEvent(undefined, 'nothing was published');
  });
