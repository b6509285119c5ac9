import { performance } from 'node:perf_hooks';

// Of each turn of the event loop. A request takes some ten turns, and each of them may be longer by this.
const SLICE_MS = 2;

interface Waiting {
  work: Generator<void, unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

const waiting: Waiting[] = [];
/** When the slice of this turn ends; undefined before anything has run in it. */
let sliceEnd: number | undefined;

/**
 * Runs work whose length callers decide, such as the check of a large document, without holding up the
 * event loop: all such work together gets one slice of each turn, and takes turns with each other.
 * @param work yields wherever it may be interrupted, about every 0.1 ms.
 * @returns the result itself if it is ready within this turn's slice, as it is for nearly all requests.
 */
export function inSlices<T>(work: Generator<void, T>): T | Promise<T> {
  if (waiting.length === 0) {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (!hasTime()) break;
    }
  }
  return new Promise<T>((resolve, reject) => {
    waiting.push({ work, resolve: resolve as Waiting['resolve'], reject });
  });
}

function hasTime(): boolean {
  const now = performance.now();
  if (sliceEnd === undefined) {
    sliceEnd = now + SLICE_MS;
    setImmediate(beginTurn);
  }
  return now < sliceEnd;
}

function beginTurn(): void {
  sliceEnd = undefined;
  while (waiting.length > 0 && hasTime()) {
    const next = waiting.shift() as Waiting;
    if (!runFor(next)) waiting.push(next);
  }
}

/** Whether the work is done. */
function runFor({ work, resolve, reject }: Waiting): boolean {
  try {
    do {
      const step = work.next();
      if (step.done) {
        resolve(step.value);
        return true;
      }
    } while (hasTime());
    return false;
  } catch (error) {
    reject(error);
    return true;
  }
}
