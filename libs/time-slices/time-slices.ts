import { performance } from 'node:perf_hooks';

// How long all tasks together may run in one iteration of the event loop. A request takes about ten iterations, and
// tasks may lengthen each of them by this much. With 2 ms, the median read took twice as long while emails were filled
// with a lot of data. With 0.5 ms, reads take as long as without that work.
const SLICE_MS = 0.5;
// Each slice has two parts. In the first part, new tasks run before started tasks, except in every second slice
// (`isStartedFirst`). In the second part, started tasks run before new tasks, however many new tasks arrive.
const FIRST_PART_MS = SLICE_MS / 2;
// How long a new task runs before it becomes a started task: enough for about 30 KiB of JSON. If no other
// task waits, a new task runs for the rest of the slice.
const FIRST_RUN_MS = 0.25;

interface SlicedTask {
  work: Generator<void, unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Tasks that have not run yet. Tasks that have run are in `startedTasks`. */
const newTasks: SlicedTask[] = [];
const startedTasks: SlicedTask[] = [];
/** When the slice of this iteration began; undefined if no task has run in this iteration yet. */
let sliceStartedAt: number | undefined;
let isStartedFirst = false;

/**
 * Runs work without blocking the event loop. Use it for work whose duration depends on the caller's input, such as the
 * check of a large document. All such tasks share one slice of each iteration. Up to half of the slice goes to new
 * tasks first, so that small documents do not wait for large ones. Started tasks run round-robin.
 *
 * @param work yields wherever it may be interrupted, about every 0.1 ms.
 * @returns the result itself if the work ends within this slice, as it nearly always does; otherwise a promise.
 */
export function runInSlices<T>(work: Generator<void, T>): T | Promise<T> {
  const isIdle = newTasks.length === 0 && startedTasks.length === 0;
  if (isIdle) {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (!hasTimeLeft()) break;
    }
  }
  return new Promise<T>((resolve, reject) => {
    (isIdle ? startedTasks : newTasks).push({
      work,
      resolve: resolve as SlicedTask['resolve'],
      reject,
    });
  });
}

/** Whether less than `budgetMs` of the slice has passed. Starts the slice if no task has run in this iteration yet. */
function hasTimeLeft(budgetMs = SLICE_MS): boolean {
  const now = performance.now();
  if (sliceStartedAt === undefined) {
    sliceStartedAt = now;
    setImmediate(runSlice);
  }
  return now < sliceStartedAt + budgetMs;
}

function runSlice(): void {
  sliceStartedAt = undefined;
  // In every second iteration, started tasks run first. Otherwise, they could wait forever: on a busy machine, a single
  // new task may use up a whole slice. Several started tasks may run, because many of them are nearly done.
  isStartedFirst = !isStartedFirst;
  while (isStartedFirst && startedTasks.length > 0 && hasTimeLeft(FIRST_PART_MS))
    runNext(startedTasks, FIRST_PART_MS);
  while (newTasks.length > 0 && hasTimeLeft(FIRST_PART_MS)) runNext(newTasks, FIRST_RUN_MS);
  while (startedTasks.length > 0 && hasTimeLeft()) runNext(startedTasks, SLICE_MS);
  while (newTasks.length > 0 && hasTimeLeft()) runNext(newTasks, FIRST_RUN_MS);
}

/** Runs the first task of a queue for `budgetMs`, and then moves an unfinished task to the end of `startedTasks`. */
function runNext(queue: SlicedTask[], budgetMs: number): void {
  const task = queue.shift() as SlicedTask;
  const { work, resolve, reject } = task;
  const deadline = performance.now() + budgetMs;
  try {
    do {
      const step = work.next();
      if (step.done) {
        resolve(step.value);
        return;
      }
    } while (hasTimeLeft() && performance.now() < deadline);
    startedTasks.push(task);
  } catch (error) {
    reject(error);
  }
}

/**
 * Joins buffers, and yields after each one. The buffers should be small (about 64 KiB). With 16 MiB, Buffer.concat
 * blocked the event loop for 60 ms, because memory has to be mapped when it is first written.
 */
export function* joinBuffers(buffers: readonly Buffer[]): Generator<void, Buffer> {
  const [first] = buffers;
  if (first !== undefined && buffers.length === 1) return first;
  const joined = Buffer.allocUnsafe(buffers.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const buffer of buffers) {
    offset += buffer.copy(joined, offset);
    yield;
  }
  return joined;
}
