import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { migrate } from '#database';
import { JobQueue, migrateQueue } from '#queue';
import pg from 'pg';
import { Ledger } from '../chaos/ledger.js';
import { Programs } from '../chaos/programs.js';
import { expectTrueResponses } from '../chaos/true-responses.js';
import { Writers } from '../chaos/writers.js';
import { Client } from '../support/api/client.js';
import { eventually } from '../support/eventually.js';
import { AUDIENCE, Issuer } from '../support/identity/issuer.js';
import { hasNginx, Nginx } from '../support/network/nginx.js';
import { subscribe } from '../support/webhooks/subscriptions.js';
import { Containers, engineVersions, missingPackages } from './containers.js';
import { etcd, postgres, redis, untilWhole } from './engines.js';
import { OrderedChanges } from './ordered-changes.js';
import { describeRun, publish, type Recovery } from './report.js';

/** Only `npm run test:cluster` runs this test, which takes some ten minutes. */
const isWanted = process.env['CLUSTER'] === 'true';
const ROUNDS = Number(process.env['CLUSTER_ROUNDS'] ?? 10);
const PUBLISHED_ROUNDS = 10;
const ENDPOINTS = 2;
const ORDERED_RESOURCES = 4;
const RECOVERY_TIMEOUT_MS = 120_000;
const WARM_UP_DELIVERIES = 500;
const FREEZES = Math.min(3, ROUNDS);
// `npm run test:chaos` kills programs 200 times.
const PROGRAM_KILLS = Math.min(4, ROUNDS);

Logger.overrideLogger(false);

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function startEngines() {
  const folder = await mkdtemp(join(tmpdir(), 'galley-cluster-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const password = randomBytes(12).toString('hex');
  const containers = await Containers.prepare(folder, password);
  cleanUps.push(() => containers.stop());
  const engines = {
    etcd: etcd(containers),
    postgres: postgres(containers),
    redis: redis(containers),
  };
  await containers.start(...engines.etcd.services);
  await untilWhole('etcd', engines.etcd);
  await containers.start(...engines.postgres.services, 'postgres');
  await containers.start(...engines.redis.services, 'sentinel-1', 'sentinel-2', 'sentinel-3');
  await untilWhole('PostgreSQL', engines.postgres);
  await untilWhole('Redis', engines.redis);
  await eventually('the proxy of PostgreSQL', () => containers.isHealthy('postgres'));
  const databaseUrl = `postgres://galley:${password}@${containers.addressOf('postgres')}:5432/galley`;
  return { containers, engines, databaseUrl, redisUrl: containers.variable('api', 'REDIS_URL') };
}

/** Everything that runs: servers, programs, proxies, receivers and writers. */
async function startAll() {
  const { containers, engines, databaseUrl, redisUrl } = await startEngines();
  await migrate(databaseUrl);
  await migrateQueue(databaseUrl);
  const issuer = await Issuer.start();
  cleanUps.push(() => issuer.stop());
  const programs = await Programs.start({
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SECRETS_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    RATE_LIMIT_ADDRESS: '0',
    RATE_LIMIT_USER: '0',
  });
  cleanUps.push(() => programs.stop());
  const nginx = await Nginx.start(programs.apiUrls.map((url) => Number(new URL(url).port)));
  cleanUps.push(() => nginx.stop());
  const token = await issuer.token('ada');
  const ada = new Client(nginx.url, token);
  const { body } = await ada.post<{ id: string }>('/api/workspaces', { name: 'Cluster' });
  const workspaceId = body.id;
  const ledger = await Ledger.start(ENDPOINTS);
  cleanUps.push(() => ledger.cutReceivers());
  for (const url of ledger.urls) await subscribe(ada, workspaceId, { url }, ['template.created']);
  const signals = new JobQueue({ databaseUrl, prefix: 'galley', redisUrl });
  cleanUps.push(() => signals.onApplicationShutdown());
  // Another user, because an API handles few requests of one user at once.
  const otherToken = await issuer.token('grace');
  const grace = new Client(nginx.url, otherToken);
  const { body: other } = await grace.post<{ id: string }>('/api/workspaces', { name: 'Ordered' });
  const ordered = await OrderedChanges.start({
    apiUrl: nginx.url,
    token: otherToken,
    workspaceId: other.id,
    resources: ORDERED_RESOURCES,
  });
  cleanUps.push(() => ordered.close());
  const writers = new Writers({
    databaseUrl,
    workspaceId,
    token,
    programs: { apiUrls: [nginx.url] },
    ledger,
    signals,
  });
  cleanUps.push(() => writers.stop());
  return { containers, engines, programs, ledger, writers, ordered, databaseUrl };
}

type System = Awaited<ReturnType<typeof startAll>>;

interface Fault {
  name: string;
  times: number;
  /** Waits until the fault can be survived. */
  prepare: () => Promise<void>;
  run: () => Promise<void>;
  /** Brings back what has failed, as a platform does. */
  repair: () => Promise<void>;
}

function faultsOf({ containers, engines, programs }: System): Fault[] {
  const leaderFault = (
    name: string,
    times: number,
    engine: System['engines'][keyof System['engines']],
    { fail, repair }: Record<'fail' | 'repair', (service: string) => Promise<void>>,
  ): Fault => {
    let leader = '';
    return {
      name,
      times,
      prepare: () => untilWhole(name, engine),
      run: async () => {
        leader = (await engine.leader()) ?? '';
        await fail(leader);
      },
      repair: () => repair(leader),
    };
  };
  const killed = {
    fail: (service: string) => containers.kill(service),
    repair: (service: string) => containers.start(service),
  };
  const frozen = {
    fail: (service: string) => containers.signal(service, 'SIGSTOP'),
    repair: (service: string) => containers.signal(service, 'SIGCONT'),
  };
  // A PostgreSQL that wakes up again may take the leadership back: docs/run/high-availability.md.
  const frozenForGood = {
    fail: frozen.fail,
    repair: async (service: string) => {
      await containers.kill(service);
      await containers.start(service);
    },
  };
  const programFault = (name: string): Fault => ({
    name,
    times: PROGRAM_KILLS,
    prepare: () => programs.waitUntilReady(),
    run: () => programs.killNext(),
    repair: () => Promise.resolve(),
  });
  return [
    leaderFault(
      'the leading PostgreSQL with its Patroni is killed',
      ROUNDS,
      engines.postgres,
      killed,
    ),
    leaderFault('the Redis primary is killed', ROUNDS, engines.redis, killed),
    leaderFault('the etcd leader is killed', ROUNDS, engines.etcd, killed),
    {
      name: 'HAProxy is killed and started again',
      times: ROUNDS,
      prepare: () => Promise.resolve(),
      run: async () => {
        await containers.kill('postgres');
        await containers.start('postgres');
      },
      repair: () => Promise.resolve(),
    },
    programFault('an API is killed'),
    programFault('a worker is killed'),
    leaderFault(
      'the leading PostgreSQL with its Patroni freezes',
      FREEZES,
      engines.postgres,
      frozenForGood,
    ),
    leaderFault('the Redis primary freezes', FREEZES, engines.redis, frozen),
  ];
}

/** Causes a fault, and measures how long the system takes to recover from it. */
async function recoverFrom(fault: Fault, system: System): Promise<Recovery> {
  const { ledger, writers, ordered } = system;
  await fault.prepare();
  const from = Date.now();
  const since = () => (Date.now() - from) / 1_000;
  await fault.run();
  const timeout = { timeout: RECOVERY_TIMEOUT_MS };
  await eventually(
    `a change after: ${fault.name}`,
    () => writers.lastCreatedSentAt > from,
    timeout,
  );
  const writes = since();
  const writesAt = Date.now();
  await eventually(
    `all earlier events after: ${fault.name}`,
    () => ledger.hasAllUntil(writesAt),
    timeout,
  ).catch(async (error: unknown) => {
    throw new Error(await describeMissing(system), { cause: error });
  });
  const deliveries = since();
  await fault.repair();
  expect([
    fault.name,
    writers.wrongResponses,
    ledger.arrivedRolledBack,
    ordered.outOfOrder,
  ]).toEqual([fault.name, [], [], []]);
  process.stdout.write(
    `${fault.name}: changes after ${writes.toFixed(1)} s, all events after ${deliveries.toFixed(1)} s\n`,
  );
  return { writes, deliveries };
}

/** Says where the missing events are stored. */
async function describeMissing({ ledger, programs, databaseUrl }: System): Promise<string> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const ids = ledger.firstMissing;
  const found = [];
  for (const [table, where] of [
    ['documents', 'id = ANY ($1::uuid[])'],
    ['outbox', 'resource_id = ANY ($1::uuid[]) OR id = ANY ($1::uuid[])'],
    ['events', 'resource_id = ANY ($1::uuid[]) OR id = ANY ($1::uuid[])'],
    ['webhook_deliveries', 'resource_id = ANY ($1::uuid[]) OR event_id = ANY ($1::uuid[])'],
    ['webhook_traffic', 'cardinality($1::uuid[]) > 0'],
  ] as const) {
    const { rows } = await client.query<object>(`SELECT * FROM ${table} WHERE ${where}`, [ids]);
    found.push(table, ...rows.map((row) => JSON.stringify(row)));
  }
  await client.end();
  return [`Missing: ${ids.join()}`, ...found, programs.logs].join('\n');
}

/** Compares the ordered events that arrived with those that were committed. */
async function expectAllOrdered({ ordered, databaseUrl }: System): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const ids = [...ordered.arrived.keys()];
  const { rows } = await client.query<{ id: string; last: number }>(
    `SELECT resource_id AS id, max(sequence)::integer AS last FROM events
     WHERE resource_id = ANY ($1) GROUP BY resource_id`,
    [ids],
  );
  await client.end();
  expect(ids).toHaveLength(ORDERED_RESOURCES);
  await eventually('all ordered events', () =>
    rows.every(({ id, last }) => ordered.arrived.get(id) === last),
  );
  expect(ordered.outOfOrder).toEqual([]);
  return rows.reduce((sum, { last }) => sum + last, 0);
}

(isWanted ? describe : describe.skip)('a cluster of existing engines', () => {
  it('every leader fails again and again, and no event is lost', async () => {
    const missing = [...missingPackages(), ...(hasNginx ? [] : ['nginx-light'])];
    if (missing.length > 0) throw new Error(`Run apt-get install ${missing.join(' ')}.`);
    const system = await startAll();
    const { ledger, writers, programs, ordered } = system;
    // A webhook that has never had a response is not healthy, and gets lost jobs again after a minute.
    await eventually('the first deliveries', () => ledger.arrived > WARM_UP_DELIVERIES);
    const startedAt = Date.now();
    const recoveries = new Map<string, Recovery[]>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const fault of faultsOf(system).filter(({ times }) => round < times)) {
        const recovery = await recoverFrom(fault, system);
        recoveries.set(fault.name, [...(recoveries.get(fault.name) ?? []), recovery]);
      }
    }
    await writers.stop();
    await ordered.stop();
    await eventually('all events to arrive', () => ledger.backlog === 0, {
      timeout: RECOVERY_TIMEOUT_MS,
    });
    await programs.waitUntilReady();
    await untilWhole('PostgreSQL', system.engines.postgres);
    await expectTrueResponses(system);
    const orderedChanges = await expectAllOrdered(system);
    expect(ledger.arrivedRolledBack).toEqual([]);
    expect(programs.exits).toBe(0);
    const run = {
      minutes: (Date.now() - startedAt) / 60_000,
      versions: engineVersions(),
      deliveries: ledger.arrived,
      duplicates: ledger.duplicates,
      rolledBack: ledger.counts.rolledBack,
      orderedChanges,
      responses: writers.responses,
      recoveries,
    };
    process.stdout.write(`${describeRun(run)}\n`);
    if (ROUNDS >= PUBLISHED_ROUNDS) await publish(run);
  }, 2_400_000);
});
