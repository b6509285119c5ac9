/*
 * The contract of jobs that take longer than a request may, such as replays. Jobs are rows of a table and
 * are done in short steps. The lib that owns the table does the steps; the worker calls that lib.
 */
export {
  longJobStatuses,
  nextStepAt,
  resumeJobs,
  selectDueJob,
  type LongJob,
  type LongJobProgress,
  type LongJobStatus,
} from './long-job.js';
