import { describe, expect, it } from '@jest/globals';
import { runInSlices } from './time-slices.js';

/** Keeps the processor busy for `ms` milliseconds in each of `steps` steps, and yields after each step. */
function* work(steps: number, ms: number, seen: string[] = [], name = ''): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    seen.push(name);
    yield;
  }
  return name;
}

/** Counts iterations of the event loop until the returned function is called. */
function countLoopTicks(): () => number {
  let ticks = 0;
  let isCounting = true;
  const count = () => {
    ticks++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    isCounting = false;
    return ticks;
  };
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];

const nextLoopTick = () => new Promise((resolve) => setImmediate(resolve));

describe('work in slices', () => {
  it('is done immediately if it is short', async () => {
    await nextLoopTick();
    expect(runInSlices(work(1, 0, [], 'short'))).toBe('short');
  });

  it('lets other work run if it is long', async () => {
    const countedTicks = countLoopTicks();
    expect(await runInSlices(work(20, 1, [], 'long'))).toBe('long');
    // A slice is shorter than a step.
    expect(countedTicks()).toBeGreaterThanOrEqual(19);
  });

  it('gets one slice per iteration of the event loop, however many tasks there are', async () => {
    const countedTicks = countLoopTicks();
    const seen: string[] = [];
    const all = NAMES.map(async (name) => runInSlices(work(4, 3, seen, name)));
    expect(await Promise.all(all)).toEqual(NAMES);
    expect(countedTicks()).toBeGreaterThanOrEqual(19);
    // The tasks alternate, although the first task had begun before the others arrived.
    expect(new Set(seen.slice(0, 10))).toEqual(new Set(NAMES));
  });

  it('is done soon if it is short, even if long work has begun earlier', async () => {
    const seen: string[] = [];
    const names = Array.from({ length: 20 }, (_, index) => `long ${index}`);
    const long = names.map(async (name) => runInSlices(work(20, 1, seen, name)));
    while (new Set(seen).size < names.length) await nextLoopTick();
    const before = seen.length;
    await runInSlices(work(1, 0, seen, 'short'));
    // The short task waits for about two slices of long work, and not for one slice of each long task.
    expect(seen.length - before).toBeLessThan(10);
    await Promise.all(long);
  });

  it('makes progress if it is long, even while short work keeps arriving', async () => {
    const finished = new AbortController();
    const long = runInSlices(work(20, 0.5, [], 'long'));
    const all: Promise<string>[] = [];
    let ticks = 0;
    void Promise.resolve(long).then(() => finished.abort());
    // Each iteration of the event loop adds more work than fits into a slice.
    for (; !finished.signal.aborted && ticks < 1_000; ticks++) {
      for (let count = 0; count < 10; count++) {
        all.push(Promise.resolve(runInSlices(work(1, 0.5, [], 'short'))));
      }
      await nextLoopTick();
    }
    expect(ticks).toBeLessThan(100);
    await Promise.all(all);
  });

  it('makes progress in every other iteration while new work takes whole slices', async () => {
    const finished = new AbortController();
    const long = runInSlices(work(10, 1, [], 'long'));
    void Promise.resolve(long).then(() => finished.abort());
    const others: Promise<string>[] = [];
    let ticks = 0;
    for (; !finished.signal.aborted && ticks < 1_000; ticks++) {
      others.push(Promise.resolve(runInSlices(work(1, 3, [], 'new'))));
      await nextLoopTick();
    }
    expect(ticks).toBeLessThan(100);
    await Promise.all(others);
  });

  it('may fail, immediately or later, without blocking other work', async () => {
    const fail = (steps: number) =>
      (function* () {
        yield* work(steps, 1);
        throw new Error('broken');
      })();
    // Work that fails in its first slice throws, and work that fails later rejects. The async function turns a throw
    // into a rejection too, so that a busy machine changes nothing.
    await expect((async () => runInSlices(fail(0)))()).rejects.toThrow('broken');
    const [failed, done] = [runInSlices(fail(10)), runInSlices(work(10, 1, [], 'done'))];
    await expect(failed).rejects.toThrow('broken');
    expect(await done).toBe('done');
  });
});
