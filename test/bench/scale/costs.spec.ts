import { expect, it } from '@jest/globals';
import {
  fitCosts,
  modelCosts,
  predictedMs,
  predictedSeconds,
  usedMs,
  type Round,
} from './costs.js';
import { QUANTITIES, type Reading } from './meters.js';

const reading = (figure: number): Reading =>
  Object.fromEntries(QUANTITIES.map((quantity) => [quantity, figure])) as Reading;

/** Rounds in which every quantity costs the same. */
const roundsOf = (idle: number, create: number, relay: number, delivery: number): Round[] =>
  [
    [10, 0, 0, 0],
    [4, 1_200, 0, 0],
    [3, 600, 0, 0],
    [1, 0, 1_200, 0],
    [2, 0, 1_200, 1_200],
    [3, 0, 600, 2_400],
  ].map(([seconds = 0, creates = 0, relays = 0, deliveries = 0]) => ({
    seconds,
    creates,
    relays,
    deliveries,
    used: reading(idle * seconds + create * creates + relay * relays + delivery * deliveries),
  }));

it('fits each repetition, and takes medians', () => {
  const costs = fitCosts([
    roundsOf(5, 0.3, 0.02, 0.1),
    roundsOf(7, 0.5, 0.01, 0.2),
    roundsOf(6, 0.4, 0.03, 0.4),
  ]);
  const { idle, create, relay, delivery } = costs.postgres;
  expect(idle.median).toBeCloseTo(6, 6);
  expect(create.median).toBeCloseTo(0.4, 9);
  expect(create.lowest).toBeCloseTo(0.3, 9);
  expect(create.highest).toBeCloseTo(0.5, 9);
  expect(relay.median).toBeCloseTo(0.02, 9);
  expect(delivery.median).toBeCloseTo(0.2, 9);
});

it('the model takes medians over the numbers of processes', () => {
  const processes = [0.3, 0.5, 0.4].map((create) => ({
    costs: fitCosts([roundsOf(5, create, 0.02, 0.1)]),
  }));
  expect(modelCosts(processes).api.create.median).toBeCloseTo(0.4, 9);
});

it('predicts the processor time of a round', () => {
  const costs = fitCosts([roundsOf(5, 0.3, 0.02, 0.1)]);
  const [, , round] = roundsOf(5, 0.3, 0.02, 0.1);
  expect(round && predictedMs(costs, round)).toBeCloseTo(round ? usedMs(round) : NaN, 6);
});

it('predicts a duration from the cores of all, or from the busiest main thread', () => {
  const costs = fitCosts([roundsOf(0, 0.3, 0.02, 0.1)]);
  const work = { creates: 1_000, relays: 1_000, deliveries: 1_800 };
  // Each of five servers needs 500 ms.
  expect(predictedSeconds(costs, work, 2)).toBeCloseTo(1.25, 6);
  // Each main thread needs 500 ms as well, on a core of its own.
  expect(predictedSeconds(costs, work, 10)).toBeCloseTo(0.5, 6);
});
