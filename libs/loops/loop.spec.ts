import { expect, it } from '@jest/globals';
import { Loop } from './loop.js';

/** The number of timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('a loop that waits does not keep the process alive', async () => {
  const before = timers();
  const loop = new Loop(() => Promise.resolve(60_000), { onFailure: () => undefined });
  await new Promise(setImmediate);
  expect(timers()).toBeLessThanOrEqual(before);
  await loop.stop();
});
