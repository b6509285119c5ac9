/*
 * The contract for jobs that take too long for a single request, such as replays. A job is a row of a table and is
 * processed in short steps. The lib that owns the table implements the steps, and the worker runs them.
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
