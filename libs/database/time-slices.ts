import { performance } from 'node:perf_hooks';

// The slice of each turn of the event loop. A request takes some ten turns, and each turn may be longer by
// this.
const SLICE_MS = 2;
// New work comes first for half of each slice, so that old work continues however much new work arrives.
const NEW_TASKS_MS = SLICE_MS / 2;
// New work comes first for this long: some 30 KiB of JSON. The rest of the work alternates with other work.
const FIRST_RUN_MS = 0.25;

interface SlicedTask {
  work: Generator<void, unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** New work has not run yet; old work has. */
const newTasks: SlicedTask[] = [];
const startedTasks: SlicedTask[] = [];
/** When this turn's slice began; undefined before any work has run in this turn. */
let sliceStartedAt: number | undefined;
let isStartedFirst = false;

/**
 * Runs work whose length callers decide, such as the check of a large document, without blocking the event
 * loop: all such work shares one slice of each turn. New work comes before old work, so that small
 * documents do not wait for large ones; old work runs round-robin.
 *
 * @param work yields wherever it may be interrupted, about every 0.1 ms.
 * @returns the result itself if it is ready within this turn's slice, as nearly always.
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

/** Whether this turn's slice has this much time left. */
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
  // In every other turn, because new work may take a whole slice when the process waits for a processor.
  isStartedFirst = !isStartedFirst;
  if (isStartedFirst && startedTasks.length > 0 && hasTimeLeft())
    runNext(startedTasks, FIRST_RUN_MS);
  while (newTasks.length > 0 && hasTimeLeft(NEW_TASKS_MS)) runNext(newTasks, FIRST_RUN_MS);
  while (startedTasks.length > 0 && hasTimeLeft()) runNext(startedTasks, SLICE_MS);
  while (newTasks.length > 0 && hasTimeLeft()) runNext(newTasks, FIRST_RUN_MS);
}

/** Runs the first work of a queue for this long, and moves it to the end of its queue if it is not done. */
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
