import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Slots } from './slots.js';

it('gives what is free, and what is freed to whoever has waited longest', async () => {
  const slots = new Slots(5);
  const given: string[] = [];
  const ask = (name: string, most: number) =>
    slots.take(most).then((count) => given.push(`${name} ${count}`));
  await Promise.all([ask('a', 3), ask('b', 3)]);
  const later = [ask('c', 3), ask('d', 3)];
  await turn();
  expect(given).toEqual(['a 3', 'b 2']);
  slots.free(1);
  await later[0];
  expect(given).toEqual(['a 3', 'b 2', 'c 1']);
  slots.free(4);
  await later[1];
  expect(given.at(-1)).toBe('d 3');
  expect(await slots.take(3)).toBe(1);
});

it('closes when all are free, and sends away whoever waits or comes', async () => {
  const slots = new Slots(1);
  await slots.take(1);
  const waiting = slots.take(1);
  let closed = false;
  const closing = slots.close().then(() => (closed = true));
  expect(await waiting).toBe(0);
  expect(await slots.take(1)).toBe(0);
  expect(closed).toBe(false);
  slots.free(1);
  await closing;
});
