import type { Spread } from '../figures.js';
import { stagesOf, type Costs } from './costs.js';

/** All that the model takes for granted and this machine cannot measure. */
export const ASSUMPTIONS = {
  /** The part of each resource that is used at the peak. The rest is for garbage collection and failures. */
  utilisation: 0.7,
  /** The rate of the busiest hour divided by the mean rate of the day. */
  peakToMean: 3,
  /** How much more PostgreSQL does with twice as many cores. With 2, it would scale without any loss. */
  speedupPerDoubling: 1.8,
  /** The cores of the largest machine for PostgreSQL. */
  postgresCores: 64,
  /** Bytes of WAL that PostgreSQL's disk and its replicas take in a second. */
  walBytesPerSecond: 200e6,
  /** APIs, and workers, that run at least, so that one of them may fail. */
  leastProcesses: 2,
} as const;

const MS = 1000;
const SECONDS_PER_DAY = 86_400;
const { utilisation, speedupPerDoubling, leastProcesses } = ASSUMPTIONS;

/** The needs of one event with its deliveries: milliseconds of processor time, and bytes of WAL. */
export type EventCost = Record<
  | 'postgres'
  | 'redis'
  | 'redisThread'
  | 'api'
  | 'apiThread'
  | 'worker'
  | 'workerThread'
  | 'walBytes',
  number
>;

/** The cost of one create of a template and of its deliveries. */
export function eventCost(costs: Costs, deliveries: number): EventCost {
  // A fit may put a cost of nearly nothing slightly below zero.
  const counts = { create: 1, relay: 1, delivery: deliveries };
  const of = (quantity: keyof EventCost) =>
    stagesOf(quantity).reduce(
      (sum, stage) => sum + Math.max(0, costs[quantity][stage].median) * counts[stage],
      0,
    );
  return {
    postgres: of('postgres'),
    redis: of('redis'),
    redisThread: of('redisThread'),
    api: of('api'),
    apiThread: of('apiThread'),
    worker: of('worker'),
    workerThread: of('workerThread'),
    walBytes: of('walBytes'),
  };
}

/** By how much the throughput that the model predicts may differ from the measured one. */
export const MARGIN = 0.2;

/** What the model needs to know of the rounds in which workers kept pace. */
interface PaceCheck {
  predicted: Spread;
  measured: Spread;
  processorRatio: Spread;
}

/**
 * How much more processor time an event takes while the workers keep pace with the changes. The costs are fitted
 * with a backlog, where a statement or a job carries many deliveries.
 */
export const paceFactor = ({ processorRatio }: PaceCheck): number => 1 / processorRatio.median;

/** The throughput that the model predicts for workers that keep pace, divided by the measured one. */
export const paceRatio = (check: PaceCheck): number =>
  check.predicted.median / paceFactor(check) / check.measured.median;

/** The cost of an event while the workers keep pace. The bytes of WAL were not measured in this state. */
export const costAtPace = (cost: EventCost, factor: number): EventCost => ({
  postgres: cost.postgres * factor,
  redis: cost.redis * factor,
  redisThread: cost.redisThread * factor,
  api: cost.api * factor,
  apiThread: cost.apiThread * factor,
  worker: cost.worker * factor,
  workerThread: cost.workerThread * factor,
  walBytes: cost.walBytes,
});

/** The needs of an installation at its peak. */
export interface Needs {
  apis: number;
  workers: number;
  postgresCores: number;
  /** The part of Redis' only thread that is used. */
  redisThread: number;
  walBytesPerSecond: number;
  /** The cores of all servers together. */
  cores: number;
}

export function needsOf(cost: EventCost, eventsPerSecond: number): Needs {
  const coresOf = (ms: number) => (ms * eventsPerSecond) / MS / utilisation;
  const processes = (threadMs: number) => Math.max(leastProcesses, Math.ceil(coresOf(threadMs)));
  const postgresCores = postgresCoresFor(coresOf(cost.postgres));
  return {
    apis: processes(cost.apiThread),
    workers: processes(cost.workerThread),
    postgresCores,
    redisThread: (cost.redisThread * eventsPerSecond) / MS,
    walBytesPerSecond: cost.walBytes * eventsPerSecond,
    cores: postgresCores + coresOf(cost.redis) + coresOf(cost.api) + coresOf(cost.worker),
  };
}

/** The parts that exist once, with the events a second at which each is used as far as it may be. */
export interface Limits {
  postgres: number;
  redis: number;
  wal: number;
}

export function limitsOf(cost: EventCost, cores: number = ASSUMPTIONS.postgresCores): Limits {
  return {
    postgres: (postgresSpeed(cores) * MS * utilisation) / cost.postgres,
    redis: (MS * utilisation) / cost.redisThread,
    wal: (ASSUMPTIONS.walBytesPerSecond * utilisation) / cost.walBytes,
  };
}

/** The part that is used up first. */
export function firstLimit(limits: Limits): { name: keyof Limits; eventsPerSecond: number } {
  const [first] = (Object.keys(limits) as (keyof Limits)[])
    .map((name) => ({ name, eventsPerSecond: limits[name] }))
    .toSorted((one, other) => one.eventsPerSecond - other.eventsPerSecond);
  return first ?? { name: 'postgres', eventsPerSecond: NaN };
}

/** The events a second at the peak that `cores` cores carry, if each server has as many as it needs. */
export function eventsPerSecondOn(cost: EventCost, cores: number): number {
  let [low, high] = [0, firstLimit(limitsOf(cost)).eventsPerSecond];
  if (needsOf(cost, high).cores <= cores) return high;
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (needsOf(cost, middle).cores <= cores) low = middle;
    else high = middle;
  }
  return low;
}

/** Events a day, if the busiest hour has this rate. */
export const perDay = (eventsPerSecondAtPeak: number): number =>
  (eventsPerSecondAtPeak * SECONDS_PER_DAY) / ASSUMPTIONS.peakToMean;

// Each halves the interval, so the result is exact to a billionth of the limit.
const BISECTIONS = 30;

/** How many times as much as on one core PostgreSQL does on `cores` cores. */
export const postgresSpeed = (cores: number): number =>
  cores <= 1 ? cores : cores ** Math.log2(speedupPerDoubling);

const postgresCoresFor = (speed: number): number =>
  speed <= 1 ? speed : speed ** (1 / Math.log2(speedupPerDoubling));
