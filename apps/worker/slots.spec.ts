import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Slots } from './slots.js';

it('gives as many as there are, and each that is freed to whoever has waited longest', async () => {
  const slots = new Slots(2);
  const given: string[] = [];
  const ask = (name: string) => slots.take().then((slot) => given.push(`${name} ${slot}`));
  await Promise.all([ask('a'), ask('b')]);
  const later = [ask('c'), ask('d')];
  await turn();
  expect(given).toEqual(['a true', 'b true']);
  slots.free();
  await later[0];
  expect(given).toEqual(['a true', 'b true', 'c true']);
  slots.free();
  await later[1];
  expect(given).toHaveLength(4);
});

it('closes when all are free, and sends away whoever waits or comes', async () => {
  const slots = new Slots(1);
  await slots.take();
  const waiting = slots.take();
  let closed = false;
  const closing = slots.close().then(() => (closed = true));
  expect(await waiting).toBe(false);
  expect(await slots.take()).toBe(false);
  expect(closed).toBe(false);
  slots.free();
  await closing;
});
