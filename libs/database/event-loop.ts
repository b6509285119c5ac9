import { performance } from 'node:perf_hooks';

// Of each turn of the event loop. A request takes some ten turns, and each of them may be longer by this.
const SLICE_MS = 2;
// New work comes first for half of each slice, so that work in progress goes on however much comes.
const NEW_WORK_MS = SLICE_MS / 2;
// New work comes first for so long: some 30 KiB of JSON. The rest of it takes turns with other work.
const FIRST_MS = 0.25;

interface Waiting {
  work: Generator<void, unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Work that has not run yet, and work that has. */
const fresh: Waiting[] = [];
const begun: Waiting[] = [];
/** When this turn's slice began; undefined before anything has run in it. */
let sliceStart: number | undefined;
let isOldFirst = false;

/**
 * Runs work whose length callers decide, such as the check of a large document, without holding up the
 * event loop: all such work together gets one slice of each turn. New work comes before more of old work, so
 * that small documents do not wait for large ones; old work takes turns.
 * @param work yields wherever it may be interrupted, about every 0.1 ms.
 * @returns the result itself if it is ready within this turn's slice, as it is for nearly all requests.
 */
export function inSlices<T>(work: Generator<void, T>): T | Promise<T> {
  const isAlone = fresh.length === 0 && begun.length === 0;
  if (isAlone) {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (!hasTime()) break;
    }
  }
  return new Promise<T>((resolve, reject) => {
    (isAlone ? begun : fresh).push({ work, resolve: resolve as Waiting['resolve'], reject });
  });
}

/** Whether so much of this turn's slice is not used yet. */
function hasTime(ms = SLICE_MS): boolean {
  const now = performance.now();
  if (sliceStart === undefined) {
    sliceStart = now;
    setImmediate(beginTurn);
  }
  return now < sliceStart + ms;
}

function beginTurn(): void {
  sliceStart = undefined;
  // In every other turn, since new work may take a whole slice when the process waits for a processor.
  isOldFirst = !isOldFirst;
  if (isOldFirst && begun.length > 0 && hasTime()) runNext(begun, FIRST_MS);
  while (fresh.length > 0 && hasTime(NEW_WORK_MS)) runNext(fresh, FIRST_MS);
  while (begun.length > 0 && hasTime()) runNext(begun, SLICE_MS);
  while (fresh.length > 0 && hasTime()) runNext(fresh, FIRST_MS);
}

/** Runs the first work of a queue for so long, and puts it behind the others if more of it is left. */
function runNext(queue: Waiting[], ms: number): void {
  const next = queue.shift() as Waiting;
  const { work, resolve, reject } = next;
  const end = performance.now() + ms;
  try {
    do {
      const step = work.next();
      if (step.done) {
        resolve(step.value);
        return;
      }
    } while (hasTime() && performance.now() < end);
    begun.push(next);
  } catch (error) {
    reject(error);
  }
}
