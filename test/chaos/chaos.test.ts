import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { migrate } from '#database';
import { JobQueue, migrateQueue } from '#queue';
import { onPath } from '../bench/programs.js';
import { Client } from '../support/api/client.js';
import { eventually } from '../support/eventually.js';
import { AUDIENCE, Issuer } from '../support/identity/issuer.js';
import { subscribe } from '../support/webhooks/subscriptions.js';
import { fullStory, shortStory, type Fault } from './faults.js';
import { Ledger } from './ledger.js';
import { Programs } from './programs.js';
import { describeRun, publish, type Chapter, type Run } from './report.js';
import { PostgresPair, RedisServer } from './servers.js';
import { expectSearchToFollow, expectTrueResponses } from './true-responses.js';
import { Writers } from './writers.js';

/** Whether the test runs in full length, as in `npm run test:chaos`. */
const isFull = process.env['CHAOS'] === 'full';
const DELIVERIES = Number(process.env['CHAOS_DELIVERIES'] ?? (isFull ? 100_000 : 1_500));
const KILLS = isFull ? Math.ceil(DELIVERIES / 500) : 4;
const ENDPOINTS = isFull ? 4 : 2;
// Deliveries that are in flight when a worker is killed arrive twice.
const MOST_DUPLICATES = 0.1;
const RECOVERY_TIMEOUT_MS = 120_000;

// The queue of this process logs that its servers fail.
Logger.overrideLogger(false);

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Everything that runs: servers, programs, receivers and writers. */
async function startAll(queue: Run['queue']) {
  const directory = await mkdtemp(join(tmpdir(), 'galley-chaos-'));
  cleanUps.push(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const postgres = await PostgresPair.start(directory, { hasStandby: isFull });
  cleanUps.push(() => postgres.stop());
  const redis = queue === 'Redis' ? await RedisServer.start() : undefined;
  cleanUps.push(async () => redis?.stop());
  const databaseUrl = postgres.url;
  await migrate(databaseUrl);
  await migrateQueue(databaseUrl);
  const issuer = await Issuer.start();
  cleanUps.push(() => issuer.stop());
  const programs = await Programs.start({
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    SECRETS_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    RATE_LIMIT_ADDRESS: '0',
    RATE_LIMIT_USER: '0',
    ...(redis && { REDIS_URL: redis.url }),
  });
  cleanUps.push(() => programs.stop());
  const token = await issuer.token('ada');
  const ada = new Client(programs.apiUrls[0] ?? '', token);
  const { body } = await ada.post<{ id: string }>('/api/workspaces', { name: 'Chaos' });
  const ledger = await Ledger.start(ENDPOINTS);
  cleanUps.push(() => ledger.cutReceivers());
  for (const url of ledger.urls) await subscribe(ada, body.id, { url });
  const signals = new JobQueue({
    databaseUrl,
    prefix: 'galley',
    ...(redis && { redisUrl: redis.url }),
  });
  cleanUps.push(() => signals.onApplicationShutdown());
  const writers = new Writers({
    databaseUrl,
    workspaceId: body.id,
    token,
    programs,
    ledger,
    signals,
  });
  cleanUps.push(() => writers.stop());
  return { postgres, redis, programs, ledger, writers, databaseUrl };
}

type System = Awaited<ReturnType<typeof startAll>>;

/** Records every second what has arrived, until it is stopped. */
function startTimeline({ ledger }: System) {
  const timeline: Run['timeline'] = [];
  let last = 0;
  const timer = setInterval(() => {
    timeline.push({ arrived: ledger.arrived - last, backlog: ledger.backlog });
    last = ledger.arrived;
  }, 1_000);
  return { timeline, stop: () => clearInterval(timer) };
}

/** Causes a fault, and waits until the system has recovered from it. */
async function runChapter(system: System, fault: Fault, startedAt: number): Promise<Chapter> {
  const { ledger, writers } = system;
  const from = Date.now();
  await fault.run();
  const to = Date.now();
  const recovered = (what: string, condition: () => boolean) =>
    eventually(`${what} after: ${fault.name}`, condition, { timeout: RECOVERY_TIMEOUT_MS }).then(
      () => (Date.now() - to) / 1_000,
    );
  const [writesAfter, deliveredAfter] = await Promise.all([
    recovered('a change', () => writers.lastCreatedAt > to),
    recovered('all earlier events', () => ledger.hasAllUntil(to)),
  ]);
  expect([fault.name, writers.wrongResponses, ledger.arrivedRolledBack]).toEqual([
    fault.name,
    [],
    [],
  ]);
  const chapter = {
    name: fault.name,
    from: (from - startedAt) / 1_000,
    to: (to - startedAt) / 1_000,
    writesAfter,
    deliveredAfter,
  };
  process.stdout.write(
    `${fault.name}: ${((to - from) / 1_000).toFixed(1)} s, writes after ${writesAfter.toFixed(1)} s, delivered after ${deliveredAfter.toFixed(1)} s\n`,
  );
  return chapter;
}

const shortQueue = process.env['REDIS_URL'] ? 'Redis' : 'PostgreSQL';

it.each(isFull ? (['Redis', 'PostgreSQL'] as const) : ([shortQueue] as const))(
  'whatever fails, every committed event is delivered and no other (queue in %s)',
  async (queue) => {
    if (queue === 'Redis' && (await onPath('redis-server')) === undefined) {
      process.stdout.write('Skipped: this machine has no redis-server.\n');
      return;
    }
    const system = await startAll(queue);
    const { ledger, writers, programs } = system;
    const startedAt = Date.now();
    const { timeline, stop } = startTimeline(system);
    const story = (isFull ? fullStory : shortStory)(system, KILLS);
    const skipped: string[] = [];
    const chapters: Chapter[] = [];
    for (const fault of story) {
      if (fault.skipReason === undefined) {
        chapters.push(await runChapter(system, fault, startedAt));
      } else {
        skipped.push(`${fault.name} (${fault.skipReason})`);
        process.stdout.write(`Skipped: ${fault.name}, because ${fault.skipReason}.\n`);
      }
    }
    while (ledger.promisedDeliveries < DELIVERIES) await delay(100);
    await writers.stop();
    await eventually('all events to arrive', () => ledger.backlog === 0, {
      timeout: RECOVERY_TIMEOUT_MS,
    });
    stop();
    await programs.waitUntilReady();
    await expectTrueResponses(system);
    await expectSearchToFollow(system);
    expect(ledger.arrivedRolledBack).toEqual([]);
    expect(writers.wrongResponses).toEqual([]);
    const run: Run = {
      queue,
      date: new Date().toISOString().slice(0, 10),
      minutes: (Date.now() - startedAt) / 60_000,
      deliveries: ledger.arrived,
      duplicates: ledger.duplicates,
      rolledBack: ledger.counts.rolledBack,
      kills: programs.kills,
      exits: programs.exits,
      responses: writers.responses,
      skipped,
      chapters,
      timeline,
    };
    process.stdout.write(`${describeRun(run)}\n`);
    expect(run.duplicates / run.deliveries).toBeLessThan(MOST_DUPLICATES);
    if (isFull) await publish(run);
  },
  isFull ? 2_400_000 : 180_000,
);
