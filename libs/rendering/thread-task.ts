import { DomainError } from '#errors';

// Ten times the maximum cost of a document, because other threads may compete for the CPUs.
const DEADLINE_MS = 10_000;
// Comparing data with a schema takes milliseconds, unless a regular expression or a reference has no end.
const SCHEMA_DEADLINE_MS = 2_000;

/** A kind of work for a thread. The thread is ended if the work takes too long. */
export interface ThreadTask {
  deadlineMs: number;
  tooSlow: () => DomainError;
  /** The error for content that the thread cannot work with. */
  refuse: (reason: string) => DomainError;
  /** The reason why content that would take more than a second is refused. */
  tooExpensive: string;
}

const refusal =
  (sentence: string) =>
  (reason: string): DomainError =>
    DomainError.invalid('content', `${sentence}: ${reason}`);

export const RENDER_TASK: ThreadTask = {
  refuse: refusal('The document cannot be rendered'),
  tooExpensive:
    'rendering would take more than a second. Use fewer blocks, properties or formatted texts.',
  deadlineMs: DEADLINE_MS,
  tooSlow: () =>
    DomainError.unavailable(
      `The document was not rendered within ${DEADLINE_MS / 1_000} seconds. Retry in a moment; if that does not help, make the document smaller.`,
    ),
};
export const IMPORT_TASK: ThreadTask = {
  refuse: refusal('The content cannot be imported'),
  tooExpensive: 'importing would take more than a second. Use fewer elements and tags.',
  deadlineMs: DEADLINE_MS,
  tooSlow: () =>
    DomainError.unavailable(
      `The content was not imported within ${DEADLINE_MS / 1_000} seconds. Retry in a moment; if that does not help, make the content smaller.`,
    ),
};
export const SCHEMA_TASK: ThreadTask = {
  refuse: RENDER_TASK.refuse,
  tooExpensive: RENDER_TASK.tooExpensive,
  deadlineMs: SCHEMA_DEADLINE_MS,
  tooSlow: () =>
    DomainError.unavailable(
      `Galley did not finish reading the \`variables\` of the document within ${SCHEMA_DEADLINE_MS / 1_000} seconds. Retry in a moment; if that does not help, simplify each \`pattern\` and \`$ref\` in them.`,
    ),
};
