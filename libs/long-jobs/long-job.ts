/*
 * Long jobs take too long for a single request. An example is a replay. Each kind of job has a table with the columns
 * `status`, `total`, `done`, `next_step_at`, `stalls`, `created_at` and `finished_at`, and each row is a job. A worker
 * processes the job in short steps, each in a separate transaction, so that the job survives a restart and two workers
 * never run the same step. A job is cancelled through its `status`, and paused through `next_step_at`.
 */

export const longJobStatuses = ['running', 'done', 'cancelled'] as const;
export type LongJobStatus = (typeof longJobStatuses)[number];

export interface LongJobProgress {
  id: string;
  status: LongJobStatus;
  /** The number of items at the start of the job. */
  total: number;
  /** The number of items that the job has processed. */
  done: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** A kind of long job. The lib that owns the table implements this interface, and the worker calls it. */
export interface LongJob {
  readonly name: string;
  /**
   * Runs the next step of the job that has been due longest.
   * @returns milliseconds until the next step of any job of this kind is due; null if no job is running.
   */
  step(): Promise<number | null>;
}

const STEP_PAUSE = '50 milliseconds';
// The pause of a stalled job doubles with each step, so that many stalled jobs do not delay other jobs.
const LONGEST_STEP_PAUSE = '1 minute';

/** Builds the SQL that selects the two running jobs that are due first. `dueInMs` is the time until a job is due. */
export const selectDueJob = (table: string, columns: string): string =>
  `SELECT ${columns}, extract(epoch FROM next_step_at - now())::float8 * 1000 AS "dueInMs"
   FROM ${table} WHERE status = 'running' ORDER BY next_step_at LIMIT 2`;

/**
 * An SQL expression for the time of the next step. `isStalled` is an SQL condition that is true if this step could
 * process nothing.
 */
export const nextStepAt = (isStalled: string): string =>
  `now() + CASE WHEN ${isStalled}
        THEN least(interval '${STEP_PAUSE}' * 2 ^ least(stalls, 11), interval '${LONGEST_STEP_PAUSE}')
        ELSE interval '${STEP_PAUSE}' END`;

/** Builds the SQL that ends the pauses of all running jobs that meet the condition. */
export const resumeJobs = (table: string, condition: string): string =>
  `UPDATE ${table} SET next_step_at = now(), stalls = 0
   WHERE ${condition} AND status = 'running'`;
