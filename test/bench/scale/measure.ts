import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { now } from '../clock.js';
import { spread, type Spread } from '../figures.js';
import type { Harness } from '../harness.js';
import {
  fitCosts,
  predictedMs,
  predictedSeconds,
  usedMs,
  type Costs,
  type Round,
  type Work,
} from './costs.js';
import { FAN_OUTS, GrowingInstallation, type FanOut } from './installation.js';
import { Meters, QUANTITIES, type Reading } from './meters.js';
import { idleMs } from '../processor-time.js';

/** How much work each round has, and how often it is repeated. */
const FULL = { repetitions: 3, idleSeconds: 6, creates: 1_800 };
const QUICK = { repetitions: 1, idleSeconds: 3, creates: 480 };
// After a load, connections and statistics of the servers come to rest within this time.
const REST_MS = 1_000;
const LIGHT_RATE = 50;
const LIGHT_SECONDS = 6;
const MOST_PROCESSES = 4;
const MS = 1000;
const NOTHING: Work = { creates: 0, relays: 0, deliveries: 0 };

/** The costs with as many APIs, and as many workers. */
export interface CostsOfProcesses {
  processes: number;
  costs: Costs;
}

/** The prediction of the model for rounds that were not part of the fit, and the measurement. */
interface Check {
  /** Creates a second, each with one delivery, with one API and one worker. */
  predicted: Spread;
  measured: Spread;
  /** The predicted figure divided by the measured one, round by round. */
  ratio: Spread;
  /** The same of the processor time of all servers. */
  processorRatio: Spread;
  /** Cores that were left for the servers of the benchmark. */
  cores: Spread;
}

export interface Measurement {
  processes: CostsOfProcesses[];
  check: Check;
  lightRate: number;
  /** Milliseconds of processor time of one create with one delivery, at `lightRate` creates a second. */
  light: Record<'postgres' | 'redis' | 'api' | 'worker', Spread>;
  /** Cores that other programs of the machine used. */
  others: Spread;
}

interface MeasuredRound extends Round {
  /** Cores that were idle or used by the servers of the benchmark. */
  cores: number;
}

/** Measures one to four APIs with as many workers. */
export async function measureCosts(
  harness: Harness,
  log: (text: string) => void,
): Promise<Measurement> {
  const { repetitions, idleSeconds, creates: most } = harness.scale.quick ? QUICK : FULL;
  const installation = await GrowingInstallation.start(harness);
  const meters = await Meters.start(harness, installation);
  const all: MeasuredRound[] = [];

  const measure = async (work: Work, act: () => Promise<unknown>): Promise<MeasuredRound> => {
    const begin = { at: now(), idle: await idleMs(), reading: await meters.read() };
    await act();
    const used = difference(await meters.read(), begin.reading);
    const ms = now() - begin.at;
    const round = { ...work, seconds: ms / MS, used, cores: 0 };
    round.cores = (usedMs(round) + (await idleMs()) - begin.idle) / ms;
    all.push(round);
    return round;
  };
  const rest = async () => {
    await delay(REST_MS);
    return [await measure(NOTHING, () => delay(idleSeconds * MS))];
  };
  // The workers wait during the creates, and then find a backlog. So their statements and jobs carry as many
  // deliveries as at full load, however little processor time other programs leave.
  const createThenDeliver = async (fanOut: FanOut) => {
    const creates = most / Math.max(1, fanOut / 2);
    const deliveries = creates * fanOut;
    installation.pauseWorkers();
    const created = await measure({ ...NOTHING, creates }, () =>
      installation.create(fanOut, creates),
    );
    const delivered = await measure({ creates: 0, relays: creates, deliveries }, async () => {
      installation.resumeWorkers();
      await installation.drain(deliveries);
    });
    return [created, delivered];
  };
  const together = (creates: number, rate?: number) =>
    measure({ creates, relays: creates, deliveries: creates }, async () => {
      await installation.create(1, creates, rate);
      await installation.drain(creates);
    });
  const sides = [rest, ...FAN_OUTS.map((fanOut) => () => createThenDeliver(fanOut))];

  const processes: CostsOfProcesses[] = [];
  const heldOut: MeasuredRound[] = [];
  const light: MeasuredRound[] = [];
  for (let count = 1; count <= MOST_PROCESSES; count++) {
    if (count > 1) await installation.grow();
    const measured: Round[][] = [];
    // The first repetition only warms up.
    for (let repetition = 0; repetition <= repetitions; repetition++) {
      const first = repetition % sides.length;
      const rounds: Round[] = [];
      for (const side of [...sides.slice(first), ...sides.slice(0, first)]) {
        rounds.push(...(await side()));
      }
      if (repetition === 0) continue;
      measured.push(rounds);
      if (count > 1) continue;
      heldOut.push(await together(most));
      light.push(await together(LIGHT_RATE * LIGHT_SECONDS, LIGHT_RATE));
    }
    const costs = fitCosts(measured);
    processes.push({ processes: count, costs });
    log(`  ${count} of each: ${summary(costs)}`);
  }
  meters.stop();
  await installation.stop();

  const { costs } = processes[0] as CostsOfProcesses;
  return {
    processes,
    check: checkOf(costs, heldOut),
    lightRate: LIGHT_RATE,
    light: lightCosts(costs, light),
    others: spread(all.map(({ cores }) => availableParallelism() - cores)),
  };
}

function checkOf(costs: Costs, rounds: readonly MeasuredRound[]): Check {
  const measured = rounds.map(({ creates, seconds }) => creates / seconds);
  const predicted = rounds.map(
    (round) => round.creates / predictedSeconds(costs, round, round.cores),
  );
  return {
    predicted: spread(predicted),
    measured: spread(measured),
    ratio: spread(predicted.map((figure, round) => figure / (measured[round] ?? NaN))),
    processorRatio: spread(rounds.map((round) => predictedMs(costs, round) / usedMs(round))),
    cores: spread(rounds.map(({ cores }) => cores)),
  };
}

function lightCosts(costs: Costs, rounds: readonly Round[]): Measurement['light'] {
  const costOf = (server: keyof Measurement['light']) =>
    spread(
      rounds.map(
        ({ used, seconds, creates }) =>
          (used[server] - costs[server].idle.median * seconds) / creates,
      ),
    );
  return {
    postgres: costOf('postgres'),
    redis: costOf('redis'),
    api: costOf('api'),
    worker: costOf('worker'),
  };
}

const difference = (later: Reading, earlier: Reading): Reading =>
  Object.fromEntries(
    QUANTITIES.map((quantity) => [quantity, later[quantity] - earlier[quantity]]),
  ) as Reading;

const summary = (costs: Costs) =>
  (['postgres', 'redis', 'api', 'worker'] as const)
    .map((server) => {
      const { create, relay, delivery } = costs[server];
      const figures = [create, relay, delivery].map(({ median }) => median.toFixed(3));
      return `${server} ${figures.join(' + ')} ms`;
    })
    .join(', ');
