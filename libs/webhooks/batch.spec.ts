import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Batch } from './batch.js';

/** A batch whose statements are noted, and give each item's name in capitals. */
function noted(fails: (ids: string[]) => boolean = () => false) {
  const statements: string[][] = [];
  const batch = new Batch((items: { id: string }[]) => {
    const ids = items.map(({ id }) => id);
    statements.push(ids);
    if (fails(ids)) return Promise.reject(new Error(`cannot handle ${ids.join()}`));
    return Promise.resolve(new Map(ids.map((id) => [id, id.toUpperCase()])));
  });
  return { statements, add: (id: string) => batch.add({ id }) };
}

it('makes one statement of what comes at once, and another of what comes meanwhile', async () => {
  const statements: string[][] = [];
  const ends: (() => void)[] = [];
  const batch = new Batch((items: { id: string }[]) => {
    statements.push(items.map(({ id }) => id));
    return new Promise<Map<string, string>>((resolve) => ends.push(() => resolve(new Map())));
  });
  const first = [batch.add({ id: 'a' }), batch.add({ id: 'b' })];
  await turn();
  const later = [batch.add({ id: 'c' }), batch.add({ id: 'd' })];
  await turn();
  expect(statements).toEqual([['a', 'b']]);
  ends[0]?.();
  await Promise.all(first);
  expect(statements).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  ends[1]?.();
  await Promise.all(later);
});

it('never puts two items of one id into one statement', async () => {
  const { statements, add } = noted();
  expect(await Promise.all([add('a'), add('a'), add('b')])).toEqual(['A', 'A', 'B']);
  expect(statements).toEqual([['a', 'b'], ['a']]);
});

it('takes a hundred at most', async () => {
  const { statements, add } = noted();
  await Promise.all(Array.from({ length: 250 }, (_, number) => add(`${number}`)));
  expect(statements.map((ids) => ids.length)).toEqual([100, 100, 50]);
});

it('fails nobody for the item that cannot be handled', async () => {
  const { add } = noted((ids) => ids.includes('bad'));
  const results = await Promise.allSettled([add('a'), add('bad'), add('b')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
