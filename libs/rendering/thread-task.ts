import { fileURLToPath } from 'node:url';
import { DomainError } from '#errors';

// Jest runs the TypeScript sources, but a thread needs the built code.
const isSource = import.meta.url.endsWith('.ts');
const directory = new URL(isSource ? '../../dist/libs/rendering/' : './', import.meta.url);
const pathOf = (file: string): string => fileURLToPath(new URL(file, directory));

/** The files that threads run. */
export const threadFiles = {
  compile: pathOf('drawing/compile.js'),
  validate: pathOf('variables/validate.js'),
  types: pathOf('variables/typescript.js'),
  breakingChanges: pathOf('variables/breaking-changes.js'),
  translations: pathOf('translations/exchange.js'),
  check: pathOf('checks/check.js'),
  convert: pathOf('conversion/convert.js'),
};

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
