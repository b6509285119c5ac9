import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { Piscina } from 'piscina';
import { DomainError } from '#errors';
import { runInSlices } from '#time-slices';
import type { ThreadData } from './drawing/index.js';
import { costOf } from './cost.js';
import type { LaneName, Load } from './turns.js';

const logger = new Logger('Rendering');

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

const MAX_HEAP_MB = 256;
const IDLE_TIMEOUT_MS = 60_000;

// Other requests have priority over renderings, and quick renderings have priority over large ones. At niceness 5, a
// rendering thread gets a third of the CPU time that a request gets (weights in sched(7)). At niceness 10, the thread
// would get a tenth, and large documents would miss the deadline on a busy machine.
const NICENESS: Record<LaneName, number> = { quick: 1, large: 5 };

const MAX_COST_MS = 1_000;

/** @throws DomainError `invalid` for a document that would take too long to render, check or import. */
export async function loadOf({ content }: { content: string }, task = RENDER_TASK): Promise<Load> {
  const cost = await runInSlices(costOf(content));
  if (cost > MAX_COST_MS) throw task.refuse(task.tooExpensive);
  return { cost, characters: content.length };
}

/** Starts the threads of a lane. */
export function startPool(maxThreads: number, lane: LaneName): Piscina {
  const pool = new Piscina({
    // When a thread ends, Piscina starts another thread for the waiting documents only if `minThreads` is not 0.
    minThreads: 1,
    maxThreads,
    workerData: { niceness: NICENESS[lane] } satisfies ThreadData,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // Without a listener, a thread that cannot start would crash the process.
  pool.on('error', (error: Error) => logger.error({ err: error, stage: 'render thread' }));
  return pool;
}

/** The error for the caller if a thread has failed. */
export function toDomainError(error: unknown, { refuse }: ThreadTask): DomainError {
  const { code, message } = error as Error & { code?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return refuse(`it needs more than ${MAX_HEAP_MB} MB of memory.`);
  }
  if (/worker exited|Terminating worker/.test(message)) {
    return DomainError.unavailable(
      'The rendering of the document was interrupted. Retry in a moment.',
    );
  }
  throw error;
}
