import { expect, it } from '@jest/globals';
import { Cost, MAX_STEPS } from './cost.js';

it('data may cost at most 300,000 steps (about 30 ms)', () => {
  const cost = new Cost(true);
  expect(MAX_STEPS).toBe(300_000);
  cost.spend(299_999);
  cost.spend(1);
  expect(() => cost.spend(1)).toThrow(
    'The document cannot be rendered with this data: there are too many merge tags',
  );
});

it('a document without data may cost more', () => {
  const cost = new Cost(false);
  expect(() => cost.spend(MAX_STEPS + 1)).not.toThrow();
});

it('work yields every 1,000 steps (about 0.1 ms)', () => {
  const cost = new Cost(true);
  const passes = [999, 1, 0, 999, 1, 2_500, 0].map((steps) => {
    cost.spend(steps);
    return cost.passCheckpoint();
  });
  expect(passes).toEqual([false, true, false, false, true, true, false]);
});
