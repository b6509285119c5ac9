/*
 * The contract of jobs that take longer than a request may, such as replays: rows in a table, done in short
 * steps. The libs that own such a table do the steps; the worker calls them.
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
