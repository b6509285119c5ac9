import { markdownTable } from '../report.js';
import type { Spread } from '../figures.js';
import { STAGES, stagesOf, type Costs, type Stage } from './costs.js';
import { FLEET, simulateFleet, workspaceLoads } from './databases.js';
import type { CostsOfProcesses, Measurement } from './measure.js';
import type { Quantity } from './meters.js';
import {
  ASSUMPTIONS,
  firstLimit,
  limitsOf,
  MARGIN,
  needsOf,
  paceFactor,
  paceRatio,
  perDay,
  type EventCost,
} from './model.js';

const DATABASES = [1, 2, 4, 8, 16];
const POSTGRES_CORES = [2, 8, 32, 64];
const CONNECTIONS_OF_PROCESS = 10;
const SIZES = [
  { eventsPerSecond: 10, deliveries: 1 },
  { eventsPerSecond: 100, deliveries: 1 },
  { eventsPerSecond: 1_000, deliveries: 1 },
  { eventsPerSecond: 1_000, deliveries: 4 },
  { eventsPerSecond: 1_000, deliveries: 16 },
  { eventsPerSecond: 5_000, deliveries: 1 },
  { eventsPerSecond: 5_000, deliveries: 4 },
];

/** What one create and one delivery cost each server, and what a second of idling costs. */
export function costTable(costs: Costs): string {
  const row = (name: string, quantity: Quantity, unit: string, digits: number) => {
    const cost = costs[quantity];
    const figure = (stage: Stage) => `${spreadText(cost[stage], digits)} ${unit}`.trim();
    return [
      name,
      ...STAGES.map((stage) => (stagesOf(quantity).includes(stage) ? figure(stage) : '–')),
      `${number(cost.idle.median, unit === 'B' ? 0 : 1)} ${unit}`.trim(),
    ];
  };
  const ms = (name: string, quantity: Quantity) => row(name, quantity, 'ms', 3);
  return markdownTable(
    ['processor time of', 'create, 1 KB', 'relay of its event', 'delivery', 'each second'],
    [
      ms('PostgreSQL', 'postgres'),
      ms('Redis', 'redis'),
      ms('API', 'api'),
      ms('API, its event loop', 'apiThread'),
      ms('worker', 'worker'),
      ms('worker, its event loop', 'workerThread'),
      row('bytes of WAL', 'walBytes', 'B', 0),
      row('PostgreSQL statements', 'statements', '', 2),
      row('Redis commands', 'redisCommands', '', 2),
    ],
  );
}

/** How the costs change with the number of APIs and workers. */
export function processTable(processes: readonly CostsOfProcesses[]): string {
  const cell = (costs: Costs, quantity: Quantity) =>
    `${stagesOf(quantity)
      .map((stage) => number(costs[quantity][stage].median, 2))
      .join(' + ')} ms`;
  return markdownTable(
    ['APIs and workers', 'PostgreSQL', 'Redis', 'APIs', 'workers'],
    processes.map(({ processes: count, costs }) => [
      `${count} of each`,
      cell(costs, 'postgres'),
      cell(costs, 'redis'),
      cell(costs, 'api'),
      cell(costs, 'worker'),
    ]),
  );
}

// If other programs use more than this, the processor times are too high.
const BUSY_CORES = 0.2;
const BUSY =
  'Caches were cold and processes were interrupted, so **all processor times of this page are too high**, and the loads that the model derives from them are too low. Repeat the measurement before you rely on the figures.';

export function checkText({ check, light, lightRate, others, processes }: Measurement): string {
  const lightTotal = Object.values(light).reduce((sum, { median }) => sum + median, 0);
  const [first] = processes;
  const fullTotal = (['postgres', 'redis', 'api', 'worker'] as const).reduce((sum, server) => {
    const cost = first?.costs[server];
    return cost === undefined
      ? NaN
      : sum + cost.create.median + cost.relay.median + cost.delivery.median;
  }, 0);
  return [
    `- **Processor time.** The costs of a backlog are ${spreadText(check.processorRatio, 2)} times the processor time that these rounds used. So **an event costs ${number(paceFactor(check), 2)} times as much while the workers keep pace**, and the model multiplies all processor times by that.`,
    `- **Throughput**, which had no part in that factor. With it, the model predicts ${number(check.predicted.median / paceFactor(check), 0)} creates a second, each with its delivery, on the ${spreadText(check.cores, 2)} cores that other programs left. Measured: ${spreadText(check.measured, 0)}. The ratio of the medians is ${number(paceRatio(check), 2)}, and a test fails if it is off by more than ${percent(MARGIN)}. Without the factor it is ${spreadText(check.ratio, 2)}.`,
    `- **At ${lightRate} creates a second**, one create with its delivery costs all servers ${number(lightTotal, 2)} ms instead of ${number(fullTotal, 2)} ms, because statements and jobs carry fewer deliveries each.`,
    `- **Other load.** Other programs used ${spreadText(others, 2)} of the cores during the run.${others.median > BUSY_CORES ? ` ${BUSY}` : ''}`,
  ].join('\n');
}

export function assumptionList(): string {
  const { utilisation, peakToMean, speedupPerDoubling, postgresCores } = ASSUMPTIONS;
  return [
    `- Each resource is used to ${percent(utilisation)} at the peak. The rest is for garbage collection, vacuum, backups and a failed process.`,
    `- The busiest hour has ${peakToMean} times the mean rate of the day.`,
    `- PostgreSQL does ${speedupPerDoubling} times as much with twice as many cores, up to ${postgresCores} cores.`,
    `- The disk of PostgreSQL and its replicas take ${ASSUMPTIONS.walBytesPerSecond / 1e6} MB of WAL a second.`,
    `- At least ${ASSUMPTIONS.leastProcesses} APIs and ${ASSUMPTIONS.leastProcesses} workers run.`,
  ].join('\n');
}

/**
 * What each part carries, used as far as it may be.
 * @param costs an event with one delivery while workers keep pace and with a backlog, and the same with four.
 */
export function limitTable(costs: readonly EventCost[]): string {
  const limitOf = (name: 'redis' | 'wal', cost: EventCost) => limitsOf(cost)[name];
  const threadOf = (thread: 'apiThread' | 'workerThread', cost: EventCost) =>
    (1000 * ASSUMPTIONS.utilisation) / cost[thread];
  const line = (name: string, of: (cost: EventCost) => number, more: string) => [
    name,
    ...costs.map((cost) => `${rounded(of(cost))} events/s`),
    more,
  ];
  return markdownTable(
    [
      'part',
      'keeps pace, 1 delivery each',
      'with a backlog',
      'keeps pace, 4 deliveries each',
      'with a backlog',
      'when it is used up',
    ],
    [
      line('one API: its event loop', (cost) => threadOf('apiThread', cost), 'another API'),
      line(
        'one worker: its event loop',
        (cost) => threadOf('workerThread', cost),
        'another worker',
      ),
      ...POSTGRES_CORES.map((cores) =>
        line(
          `PostgreSQL with ${cores} cores`,
          (cost) => limitsOf(cost, cores).postgres,
          cores === ASSUMPTIONS.postgresCores ? 'several databases' : 'a larger machine',
        ),
      ),
      line('WAL', (cost) => limitOf('wal', cost), 'a faster disk, then several databases'),
      line('Redis: its thread', (cost) => limitOf('redis', cost), 'a Redis for each database'),
    ],
  );
}

/** How many processes and cores a load needs. */
export function sizeTable(costOf: (deliveries: number) => EventCost): string {
  return markdownTable(
    [
      'events/s at the peak',
      'deliveries each',
      'events a day',
      'APIs',
      'workers',
      'PostgreSQL cores',
      'WAL',
      'Redis thread',
    ],
    SIZES.map(({ eventsPerSecond, deliveries }) => {
      const cost = costOf(deliveries);
      const needs = needsOf(cost, eventsPerSecond);
      const isTooMuch = firstLimit(limitsOf(cost)).eventsPerSecond < eventsPerSecond;
      return [
        number(eventsPerSecond, 0),
        number(deliveries, 0),
        `${rounded(perDay(eventsPerSecond) / 1e6)} million`,
        number(needs.apis, 0),
        number(needs.workers, 0),
        isTooMuch ? 'more than one' : number(Math.ceil(needs.postgresCores), 0),
        `${number(needs.walBytesPerSecond / 1e6, 1)} MB/s`,
        percent(needs.redisThread),
      ];
    }),
  );
}

/** What several databases carry, and how evenly the workspaces lie on them. */
export function fleetTable(cost: EventCost): string {
  const [largest = NaN] = workspaceLoads();
  const fleets = DATABASES.map((databases) => simulateFleet(cost, databases));
  const table = markdownTable(
    [
      'databases',
      'busiest, by hash',
      'busiest, after moves',
      'moved workspaces',
      'events/s at the peak',
      'events a day',
      'APIs',
      'connections to each',
    ],
    fleets.map(({ databases, hashed, moved, eventsPerSecond }) => {
      const needs = needsOf(cost, eventsPerSecond);
      const workers = Math.ceil(needs.workers / databases);
      return [
        number(databases, 0),
        `${number(hashed.busiest, 2)} × mean`,
        `${number(moved.busiest, 2)} × mean`,
        number(moved.moves, 0),
        rounded(eventsPerSecond),
        `${rounded(perDay(eventsPerSecond) / 1e6)} million`,
        rounded(needs.apis),
        rounded((needs.apis + workers) * CONNECTIONS_OF_PROCESS),
      ];
    }),
  );
  return `${table}\n\nThe largest of the ${number(FLEET.workspaces, 0)} workspaces has ${percent(largest)} of all events.`;
}

const spreadText = ({ median, lowest, highest }: Spread, digits: number): string =>
  `${number(median, digits)} (${number(lowest, digits)} to ${number(highest, digits)})`;

/** What the model derives has no more than two digits that mean something. */
const rounded = (figure: number): string =>
  figure.toLocaleString('en', { maximumSignificantDigits: 2 });

const percent = (part: number): string => `${number(part * 100, part < 0.1 ? 1 : 0)} %`;

const number = (figure: number, digits: number): string =>
  figure.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    // Without a minus before a zero.
    signDisplay: 'negative',
  });
