import { noEvent, withEvents, type Database, type UnitOfWork } from '#database';
import type { LongJob } from '#long-jobs';
import { movePointer } from './move-pointer.sql.js';
import type { Publication } from './publication.js';

// Maximum number of publications that a step carries out, all in one workspace. A step takes about 20 ms, and the
// templates stay locked meanwhile.
const MAX_PER_STEP = 25;
// Pauses before the next turn of a workspace. Other workspaces get their turns meanwhile. `LOCKED_PAUSE` applies if
// other transactions have locked all due templates of the workspace, and `FAILURE_PAUSE` if the step has failed.
const LOCKED_PAUSE = '100 milliseconds';
const FAILURE_PAUSE = '1 minute';

interface Turn {
  workspaceId: string;
}

type DueRow = Pick<Publication, 'id' | 'templateId' | 'environment' | 'note' | 'createdBy'> & {
  version: number;
  createdAt: Date;
};

const TAKE_TURN = `SELECT workspace_id AS "workspaceId" FROM publication_turns WHERE next_at <= now()
  ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED`;

// These statements skip rows that a request has locked, so they never wait for a lock and cannot deadlock. A later step
// processes the skipped rows. Requests that cancel a publication, or delete its template or environment, take the same
// locks. `SELECT_DUE` therefore sees which publications are still scheduled. All publications of a skipped template
// wait together and stay in order.
const LOCK_ENVIRONMENTS = `SELECT name FROM environments WHERE workspace_id = $1 FOR KEY SHARE SKIP LOCKED`;
const LOCK_DUE_TEMPLATES = `SELECT id FROM documents WHERE id = ANY (ARRAY(
    SELECT template_id FROM scheduled_publications WHERE workspace_id = $1 AND at <= now()
    ORDER BY at, id LIMIT ${MAX_PER_STEP}
  )) FOR NO KEY UPDATE SKIP LOCKED`;

const SELECT_DUE = `SELECT id, template_id AS "templateId", environment, version, note,
    created_by AS "createdBy", created_at AS "createdAt"
  FROM scheduled_publications
  WHERE workspace_id = $1 AND at <= now() AND environment = ANY ($2) AND template_id = ANY ($3)
  ORDER BY at, id LIMIT ${MAX_PER_STEP}`;

const DELETE_DONE = 'DELETE FROM scheduled_publications WHERE id = ANY ($1)';

/** Ends a turn. A workspace that still has due publications gets its next turn after all other waiting workspaces. */
const END_TURN = `WITH next AS (
    SELECT min(at) AS at FROM scheduled_publications WHERE workspace_id = $1
  ), ended AS (
    DELETE FROM publication_turns WHERE workspace_id = $1 AND (SELECT at FROM next) IS NULL
  )
  UPDATE publication_turns SET next_at = greatest(next.at,
    clock_timestamp() + CASE WHEN $2 THEN interval '${LOCKED_PAUSE}' ELSE interval '0' END)
  FROM next WHERE workspace_id = $1 AND next.at IS NOT NULL`;

const POSTPONE_TURN = `UPDATE publication_turns SET next_at = now() + interval '${FAILURE_PAUSE}'
  WHERE workspace_id = $1`;

/** Carries out scheduled publications when they are due, one workspace at a time. */
export class PublishingJob implements LongJob {
  readonly name = 'publications';

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async step(): Promise<number | null> {
    const [next] = await this.database.query<{ dueInMs: number | null }>(
      `SELECT extract(epoch FROM min(next_at) - now())::float8 * 1000 AS "dueInMs" FROM publication_turns`,
    );
    const dueInMs = next?.dueInMs ?? null;
    if (dueInMs === null || dueInMs > 0) return dueInMs;
    const turn: { workspaceId?: string } = {};
    try {
      await this.publishDue(turn);
    } catch (error) {
      // Without this pause, a workspace whose step always fails would hold up all others.
      if (turn.workspaceId) await this.database.query(POSTPONE_TURN, [turn.workspaceId]);
      throw error;
    }
    // If another worker holds the only due turn, there is nothing to do until that turn has ended.
    return turn.workspaceId === undefined ? null : 0;
  }

  /** Carries out the due publications of one workspace, and stores their events in the same transaction. */
  private publishDue(turn: { workspaceId?: string }): Promise<void> {
    return this.unitOfWork.write(async ({ query, beforeCommit }) => {
      const [[taken]] = await Promise.all([
        query<Turn>(TAKE_TURN),
        // Unlike a worker's other commits, this one waits for the disk. If a crash lost the commit, repeating the work
        // would create a second event with another id.
        query(`SELECT set_config('synchronous_commit', 'on', true)`),
      ]);
      if (taken === undefined) return noEvent(undefined, 'nothing is due');
      const { workspaceId } = taken;
      turn.workspaceId = workspaceId;
      const [environments, templates] = await Promise.all([
        query<{ name: string }>(LOCK_ENVIRONMENTS, [workspaceId]),
        query<{ id: string }>(LOCK_DUE_TEMPLATES, [workspaceId]),
      ]);
      const due = await query<DueRow>(SELECT_DUE, [
        workspaceId,
        environments.map(({ name }) => name),
        templates.map(({ id }) => id),
      ]);
      const moves = await Promise.all(
        due.map(({ createdBy, ...publication }) =>
          movePointer(query, { ...publication, userId: createdBy }),
        ),
      );
      beforeCommit(DELETE_DONE, [due.map(({ id }) => id)]);
      beforeCommit(END_TURN, [workspaceId, due.length === 0]);
      const [first, ...others] = moves.flatMap((moved) => moved?.event ?? []);
      return first === undefined
        ? noEvent(undefined, 'the versions are published already')
        : withEvents(undefined, first, ...others);
    });
  }
}
