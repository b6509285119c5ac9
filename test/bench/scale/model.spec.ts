import { expect, it } from '@jest/globals';
import { FLEET, simulateFleet, workspaceLoads } from './databases.js';
import {
  ASSUMPTIONS,
  costAtPace,
  eventsPerSecondOn,
  firstLimit,
  limitsOf,
  needsOf,
  paceFactor,
  paceRatio,
  perDay,
  postgresSpeed,
  type EventCost,
} from './model.js';

const cost: EventCost = {
  postgres: 0.7,
  redis: 0.035,
  redisThread: 0.035,
  api: 0.5,
  apiThread: 0.35,
  worker: 0.35,
  workerThread: 0.28,
  walBytes: 7_000,
};

it('a small load needs the fewest processes, a large one as many as their event loops allow', () => {
  expect(needsOf(cost, 10)).toMatchObject({ apis: 2, workers: 2 });
  // 9,900 × 0.35 ms are nearly 3.5 cores, which may be 70 % of those that run.
  expect(needsOf(cost, 9_900)).toMatchObject({ apis: 5, workers: 4 });
});

it('PostgreSQL needs more than twice the cores for twice the load', () => {
  expect(postgresSpeed(0.5)).toBe(0.5);
  expect(postgresSpeed(4)).toBeCloseTo(ASSUMPTIONS.speedupPerDoubling ** 2, 9);
  const [one, two] = [needsOf(cost, 2_000), needsOf(cost, 4_000)];
  expect(two.postgresCores).toBeGreaterThan(2 * one.postgresCores);
});

it('an event costs more processor time while the workers keep pace, and as much WAL', () => {
  const ratio = (median: number) => ({ median, lowest: median, highest: median });
  const check = { predicted: ratio(1_800), measured: ratio(1_000), processorRatio: ratio(0.5) };
  const atPace = costAtPace(cost, paceFactor(check));
  expect(atPace).toMatchObject({ postgres: 1.4, workerThread: 0.56, walBytes: 7_000 });
  expect(paceRatio(check)).toBeCloseTo(0.9, 9);
});

it('names the part that is used up first', () => {
  const { name, eventsPerSecond } = firstLimit(limitsOf(cost));
  expect(name).toBe('redis');
  expect(eventsPerSecond).toBeCloseTo(20_000, 6);
  expect(firstLimit(limitsOf({ ...cost, walBytes: 100_000 })).name).toBe('wal');
  expect(firstLimit(limitsOf(cost, 2)).name).toBe('postgres');
});

it('carries more with more cores, until a part that exists once is used up', () => {
  const [two, eight] = [eventsPerSecondOn(cost, 2), eventsPerSecondOn(cost, 8)];
  expect(needsOf(cost, two).cores).toBeCloseTo(2, 6);
  expect(eight).toBeGreaterThan(3 * two);
  expect(eventsPerSecondOn(cost, 10_000)).toBeCloseTo(20_000, 6);
});

it('counts the events of a day from its busiest hour', () => {
  expect(perDay(ASSUMPTIONS.peakToMean)).toBe(86_400);
});

it('the workspaces have all events together, and the second has half of the first', () => {
  const [first = NaN, second, ...others] = workspaceLoads();
  expect(second).toBeCloseTo(first / 2, 12);
  expect(first * 1.5 + others.reduce((sum, load) => sum + load, 0)).toBeCloseTo(1, 9);
});

it('one database has all workspaces, and carries what the model says', () => {
  const fleet = simulateFleet(cost, 1);
  expect(fleet.hashed.busiest).toBeCloseTo(1, 9);
  expect(fleet.moved.moves).toBe(0);
  expect(fleet.eventsPerSecond).toBeCloseTo(20_000, 3);
});

it('moves make several databases even, unless one workspace is larger than a database', () => {
  const four = simulateFleet(cost, 4);
  expect(four.hashed.busiest).toBeGreaterThan(four.moved.busiest);
  expect(four.moved.busiest).toBeLessThanOrEqual(FLEET.tolerance);
  expect(four.moved.moves).toBeGreaterThan(0);
  const [largest = NaN] = workspaceLoads();
  const many = simulateFleet(cost, 32);
  expect(many.moved.busiest).toBeCloseTo(largest * 32, 1);
  expect(many.eventsPerSecond).toBeCloseTo(20_000 / largest, -3);
});

it('is the same in every run', () => {
  expect(simulateFleet(cost, 8)).toEqual(simulateFleet(cost, 8));
});
