import { setImmediate as nextImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Coalescer } from './coalescer.js';

/** Creates a coalescer that records its statements. The result of each item is its key in upper case. */
function createTrackedCoalescer(shouldFail: (ids: string[]) => boolean = () => false) {
  const statements: string[][] = [];
  const coalescer = new Coalescer((items: { key: string }[]) => {
    const ids = items.map(({ key }) => key);
    statements.push(ids);
    if (shouldFail(ids)) return Promise.reject(new Error(`cannot handle ${ids.join()}`));
    return Promise.resolve(new Map(ids.map((id) => [id, id.toUpperCase()])));
  });
  return { statements, add: (id: string) => coalescer.add({ key: id }) };
}

it('combines concurrent items into one statement, and later items into the next', async () => {
  const statements: string[][] = [];
  const resolvers: (() => void)[] = [];
  const coalescer = new Coalescer((items: { key: string }[]) => {
    statements.push(items.map(({ key }) => key));
    return new Promise<Map<string, string>>((resolve) => resolvers.push(() => resolve(new Map())));
  });
  const first = [coalescer.add({ key: 'a' }), coalescer.add({ key: 'b' })];
  await nextImmediate();
  const later = [coalescer.add({ key: 'c' }), coalescer.add({ key: 'd' })];
  await nextImmediate();
  expect(statements).toEqual([['a', 'b']]);
  resolvers[0]?.();
  await Promise.all(first);
  expect(statements).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  resolvers[1]?.();
  await Promise.all(later);
});

it('never puts two items with the same key into one statement', async () => {
  const { statements, add } = createTrackedCoalescer();
  expect(await Promise.all([add('a'), add('a'), add('b')])).toEqual(['A', 'A', 'B']);
  expect(statements).toEqual([['a', 'b'], ['a']]);
});

it('puts at most 100 items into one statement', async () => {
  const { statements, add } = createTrackedCoalescer();
  await Promise.all(Array.from({ length: 250 }, (_, number) => add(`${number}`)));
  expect(statements.map((ids) => ids.length)).toEqual([100, 100, 50]);
});

it('fails only the item that cannot be handled', async () => {
  const { add } = createTrackedCoalescer((ids) => ids.includes('bad'));
  const results = await Promise.allSettled([add('a'), add('bad'), add('b')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
