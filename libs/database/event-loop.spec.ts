import { describe, expect, it } from '@jest/globals';
import { inSlices } from './event-loop.js';

/** Burns so much time between two checkpoints, so many times. */
function* work(steps: number, ms: number, seen: string[] = [], name = ''): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    seen.push(name);
    yield;
  }
  return name;
}

/** Turns of the event loop until it is called. */
function countTurns(): () => number {
  let turns = 0;
  let isCounting = true;
  const count = () => {
    turns++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    isCounting = false;
    return turns;
  };
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('work in slices', () => {
  it('is done at once if it is short', async () => {
    await nextTurn();
    expect(inSlices(work(1, 0, [], 'short'))).toBe('short');
  });

  it('lets others go on if it is long', async () => {
    const turns = countTurns();
    expect(await inSlices(work(20, 1, [], 'long'))).toBe('long');
    // A slice is 2 ms, and may be longer by a step.
    expect(turns()).toBeGreaterThanOrEqual(6);
  });

  it('gets one slice of each turn, however much of it there is', async () => {
    const turns = countTurns();
    const seen: string[] = [];
    const all = NAMES.map(async (name) => inSlices(work(4, 3, seen, name)));
    expect(await Promise.all(all)).toEqual(NAMES);
    expect(turns()).toBeGreaterThanOrEqual(19);
    // In turn, though the first one had begun before the others came.
    expect(new Set(seen.slice(0, 10))).toEqual(new Set(NAMES));
  });

  it('lets short work that comes later go before the rest of long work', async () => {
    const seen: string[] = [];
    const names = Array.from({ length: 20 }, (_, at) => `long ${at}`);
    const long = names.map(async (name) => inSlices(work(20, 1, seen, name)));
    while (new Set(seen).size < names.length) await nextTurn();
    const before = seen.length;
    await inSlices(work(1, 0, seen, 'short'));
    // Two slices, and not one for each of the others.
    expect(seen.length - before).toBeLessThan(10);
    await Promise.all(long);
  });

  it('goes on with long work while short work comes without end', async () => {
    const over = new AbortController();
    const long = inSlices(work(20, 0.5, [], 'long'));
    const all: Promise<string>[] = [];
    let turns = 0;
    void Promise.resolve(long).then(() => over.abort());
    // Each turn brings more than fits into a slice.
    for (; !over.signal.aborted && turns < 1_000; turns++) {
      for (let each = 0; each < 10; each++) {
        all.push(Promise.resolve(inSlices(work(1, 0.5, [], 'short'))));
      }
      await nextTurn();
    }
    expect(turns).toBeLessThan(100);
    await Promise.all(all);
  });

  it('may fail, at once or later, and holds up nothing then', async () => {
    const fail = (steps: number) =>
      (function* () {
        yield* work(steps, 1);
        throw new Error('broken');
      })();
    await nextTurn();
    expect(() => inSlices(fail(0))).toThrow('broken');
    const [failed, done] = [inSlices(fail(10)), inSlices(work(10, 1, [], 'done'))];
    await expect(failed).rejects.toThrow('broken');
    expect(await done).toBe('done');
  });
});
