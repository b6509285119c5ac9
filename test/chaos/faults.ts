import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from './ledger.js';
import type { Programs } from './programs.js';
import type { PostgresPair, RedisServer } from './servers.js';

export interface Fault {
  name: string;
  /** Why the fault cannot happen on this machine. */
  skipReason?: string | undefined;
  /** Causes the fault and ends it. */
  run: () => Promise<void>;
}

interface Cluster {
  postgres: PostgresPair;
  /** Undefined if the queue is in PostgreSQL. */
  redis: RedisServer | undefined;
  programs: Programs;
  ledger: Ledger;
}

const SECOND = 1_000;
const KILL_PAUSE_MS = 1_000;

/** A few faults in a row, for `npm run test:system`. There is one recovery, at the end. */
export function shortStory(cluster: Cluster, kills: number): Fault[] {
  const faults = [...emptyRedis(cluster), restartPostgres(cluster)];
  const steps = withKills(cluster, kills, faults);
  return [
    {
      name: steps.map(({ name }) => name).join(', '),
      run: async () => {
        for (const step of steps) await step.run();
      },
    },
  ];
}

/** All faults. The failover comes last, because there is one standby. */
export function fullStory(cluster: Cluster, kills: number): Fault[] {
  return withKills(cluster, kills, [
    ...emptyRedis(cluster),
    ...redisFaults(cluster),
    restartPostgres(cluster),
    ...postgresFaults(cluster),
    shiftedClock(cluster),
    cutReceivers(cluster),
    failover(cluster),
  ]);
}

/** Before each fault, and after the last one, programs are killed. */
function withKills({ programs }: Cluster, kills: number, faults: Fault[]): Fault[] {
  const rounds = faults.length + 1;
  const share = (round: number) =>
    Math.floor((kills * (round + 1)) / rounds) - Math.floor((kills * round) / rounds);
  const killsOf = (round: number): Fault => ({
    name: share(round) === 1 ? 'a program is killed' : `${share(round)} programs are killed`,
    run: async () => {
      for (let kill = 0; kill < share(round); kill++) {
        await programs.killNext();
        await delay(KILL_PAUSE_MS);
      }
    },
  });
  return [...faults.flatMap((fault, round) => [killsOf(round), fault]), killsOf(faults.length)];
}

const emptyRedis = ({ redis }: Cluster): Fault[] =>
  redis === undefined ? [] : [{ name: 'FLUSHALL in Redis', run: () => redis.empty() }];

const redisFaults = ({ redis }: Cluster): Fault[] =>
  redis === undefined
    ? []
    : [
        {
          name: 'Redis is stopped for 10 s, and starts empty',
          run: async () => {
            await redis.stop();
            await delay(10 * SECOND);
            await redis.startServer();
          },
        },
        {
          name: 'Redis is silent for 10 s',
          run: async () => {
            redis.pause();
            await delay(10 * SECOND);
            redis.resume();
          },
        },
        {
          name: 'Redis is replaced by an empty one',
          run: async () => {
            await redis.stop();
            await redis.startServer();
          },
        },
      ];

const restartPostgres = ({ postgres }: Cluster): Fault => ({
  name: 'PostgreSQL is restarted',
  run: () => postgres.restart(),
});

const postgresFaults = ({ postgres }: Cluster): Fault[] => [
  {
    name: 'PostgreSQL refuses connections for 10 s',
    run: async () => {
      await postgres.refuseConnections();
      await delay(10 * SECOND);
      await postgres.acceptConnections();
    },
  },
  {
    // Longer than a program waits for a statement.
    name: 'PostgreSQL is silent for 45 s',
    run: async () => {
      postgres.fallSilent();
      await delay(45 * SECOND);
      postgres.speakAgain();
    },
  },
  {
    name: 'the disk of PostgreSQL is full for 10 s',
    skipReason: postgres.diskProblem,
    run: async () => {
      await postgres.fillDisk();
      await delay(10 * SECOND);
      await postgres.freeDisk();
    },
  },
];

const shiftedClock = ({ programs }: Cluster): Fault => ({
  name: 'the clock of a worker is ten minutes ahead for 15 s',
  run: async () => {
    await programs.restartWorker('--import', './test/chaos/shifted-clock.js');
    await delay(15 * SECOND);
    await programs.restartWorker();
  },
});

const cutReceivers = ({ ledger }: Cluster): Fault => ({
  // Shorter than the first pause between two attempts. The second one is five minutes.
  name: 'all receivers are gone for 3 s',
  run: async () => {
    await ledger.cutReceivers();
    await delay(3 * SECOND);
    await ledger.connectReceivers();
  },
});

const failover = ({ postgres }: Cluster): Fault => ({
  name: 'PostgreSQL fails over to the standby',
  run: async () => {
    await postgres.failOver();
    // Connections to the former primary are not cut, so programs meet a read-only server.
    await delay(5 * SECOND);
    await postgres.stopFormerPrimary();
  },
});
