import { spread, type Spread } from '../figures.js';
import { leastSquares } from './least-squares.js';
import { QUANTITIES, type Quantity, type Reading } from './meters.js';

/** One measurement: its duration, the work that was done, and what each server used for it. */
export interface Round {
  seconds: number;
  creates: number;
  /** Events that a worker took from the outbox. */
  relays: number;
  deliveries: number;
  used: Reading;
}

export type Work = Pick<Round, 'creates' | 'relays' | 'deliveries'>;

export const STAGES = ['create', 'relay', 'delivery'] as const;
export type Stage = (typeof STAGES)[number];

/** The stages in which a server takes part. In the other stages, the fit finds only noise. */
export const stagesOf = (quantity: Quantity): readonly Stage[] =>
  PARTIAL_STAGES[quantity] ?? STAGES;

const PARTIAL_STAGES: Partial<Record<Quantity, readonly Stage[]>> = {
  api: ['create'],
  apiThread: ['create'],
  worker: ['relay', 'delivery'],
  workerThread: ['relay', 'delivery'],
};

/** The growth of a quantity: for each second of idling, each create, each relayed event, each delivery. */
interface Cost {
  idle: Spread;
  create: Spread;
  relay: Spread;
  delivery: Spread;
}
export type Costs = Record<Quantity, Cost>;

/**
 * Fits `used = idle · seconds + create · creates + relay · relays + delivery · deliveries` to the rounds of
 * each repetition. The figures are medians over the repetitions, with the lowest and the highest.
 */
export function fitCosts(repetitions: readonly (readonly Round[])[]): Costs {
  const costOf = (quantity: Quantity): Cost => {
    const fits = repetitions.map((rounds) =>
      leastSquares(
        rounds.map(({ seconds, creates, relays, deliveries }) => [
          seconds,
          creates,
          relays,
          deliveries,
        ]),
        rounds.map(({ used }) => used[quantity]),
      ),
    );
    const spreadOf = (column: number) => spread(fits.map((fit) => fit[column] ?? NaN));
    return {
      idle: spreadOf(0),
      create: spreadOf(1),
      relay: spreadOf(2),
      delivery: spreadOf(3),
    };
  };
  return Object.fromEntries(QUANTITIES.map((quantity) => [quantity, costOf(quantity)])) as Costs;
}

/**
 * The costs of the model: medians over the numbers of APIs and workers, with the lowest and the highest of
 * these medians.
 */
export function modelCosts(processes: readonly { costs: Costs }[]): Costs {
  const pooled = (quantity: Quantity, of: keyof Cost) =>
    spread(processes.map(({ costs }) => costs[quantity][of].median));
  return Object.fromEntries(
    QUANTITIES.map((quantity) => [
      quantity,
      {
        idle: pooled(quantity, 'idle'),
        create: pooled(quantity, 'create'),
        relay: pooled(quantity, 'relay'),
        delivery: pooled(quantity, 'delivery'),
      },
    ]),
  ) as Costs;
}

const SERVERS = ['postgres', 'redis', 'api', 'worker', 'surroundings'] as const;
const THREADS = ['redisThread', 'apiThread', 'workerThread'] as const;
const MS = 1000;

/** Milliseconds of processor time that all servers need together for the work of a round. */
export const predictedMs = (costs: Costs, round: Round): number =>
  SERVERS.reduce(
    (sum, server) => sum + idleOf(costs, server) * round.seconds + workOf(costs, server, round),
    0,
  );

/**
 * The shortest time in which one API and one worker can do some work on `cores` cores that all servers
 * share: no server waits, and no main thread uses more than one core.
 */
export function predictedSeconds(costs: Costs, work: Work, cores: number): number {
  const total = (names: readonly Quantity[], limit: number) =>
    names.reduce((sum, name) => sum + workOf(costs, name, work), 0) /
    (limit * MS - names.reduce((sum, name) => sum + idleOf(costs, name), 0));
  return Math.max(total(SERVERS, cores), ...THREADS.map((thread) => total([thread], 1)));
}

/** Milliseconds of processor time that all servers used in a round. */
export const usedMs = ({ used }: Round): number =>
  SERVERS.reduce((sum, server) => sum + used[server], 0);

const idleOf = (costs: Costs, quantity: Quantity) => costs[quantity].idle.median;

function workOf(costs: Costs, quantity: Quantity, { creates, relays, deliveries }: Work): number {
  const { create, relay, delivery } = costs[quantity];
  return create.median * creates + relay.median * relays + delivery.median * deliveries;
}
