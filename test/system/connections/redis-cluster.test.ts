import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { examine } from '../../../apps/doctor/doctor.js';
import { Client } from '../../support/api/client.js';
import { readRateLimits } from '../../support/api/rate-limit-headers.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { RedisCluster } from '../../support/network/redis-cluster.js';
import { hasRedisServer } from '../../support/network/redis-server.js';
import {
  killPrograms,
  startProgram,
  waitUntilReady,
  type GalleyProgram,
} from '../../support/processes/galley-programs.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { NotifiedTemplates } from '../../support/webhooks/notified-templates.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

const PASSWORD = 'p@ss';
const REDIS_BACK_LINE = 'Redis is back and counts the requests of all APIs.';

(hasRedisServer ? describe : describe.skip)('a cluster of Redis', () => {
  let galley: Galley;
  let redis: RedisCluster;
  let receiver: Receiver;
  let workspaceId: string;
  let token: string;
  const programs: GalleyProgram[] = [];

  beforeAll(async () => {
    redis = await RedisCluster.start(PASSWORD);
    galley = await startGalley({ environment: { RATE_LIMIT_USER: '100000' } });
    receiver = await Receiver.start();
    token = await galley.issuer.token('ada');
    ({ id: workspaceId } = await galley.createWorkspaceFor('ada'));
    await subscribe(await galley.clientFor('ada'), workspaceId, receiver, ['template.created']);
  });
  afterEach(() => killPrograms(programs));
  afterAll(async () => {
    await receiver.stop();
    await galley.stop();
    await redis.stop();
  });

  const urlWith = (password: string) =>
    `redis+cluster://:${encodeURIComponent(password)}@${redis.hosts}`;

  async function start(name: 'api' | 'worker', settings = {}): Promise<GalleyProgram> {
    const started = await startProgram(name, {
      ...galley.environment,
      LOG_LEVEL: 'info',
      REDIS_URL: urlWith(PASSWORD),
      ...settings,
    });
    programs.push(started);
    return started;
  }

  async function diagnose(url: string): Promise<string[]> {
    const findings = await examine({ ...galley.environment, REDIS_URL: url }, []);
    return findings
      .filter(({ subject }) => subject === 'queue')
      .map(({ level, text }) => `${level}: ${text}`);
  }

  it('the doctor asks all masters', async () => {
    expect(await diagnose(urlWith(PASSWORD))).toEqual([
      expect.stringMatching(/^ok: Redis .* responds/),
    ]);
    expect(await diagnose(urlWith('wrong'))).toEqual([
      expect.stringMatching(/^problem: Cannot connect to Redis at .*: WRONGPASS/),
    ]);
  });

  it('has the queue, and the counters of two APIs, in one slot', async () => {
    const quota = { RATE_LIMIT_USER: '30' };
    const apis = [await start('api', quota), await start('api', quota)];
    await start('worker');
    await Promise.all(programs.map(waitUntilReady));
    const clients = apis.map(({ url }) => new Client(url, token)) as [Client, Client];
    await createResource(clients[0], '/api/templates', { name: 'Welcome', workspaceId });
    await eventually('the delivery', () => receiver.received.length === 1);
    const statuses: number[] = [];
    for (let sent = 1; sent < 30; sent++) {
      const response = await (clients[sent % 2] as Client).get('/api/auth/me');
      statuses.push(response.status);
      expect(readRateLimits(response).remaining['user']?.['r']).toBe(29 - sent);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const client of clients) expect((await client.get('/api/auth/me')).status).toBe(429);
    const tag = `{${galley.environment['QUEUE_PREFIX']}}:`;
    const keys = await redis.keys();
    expect(keys.filter((key) => !key.startsWith(tag))).toEqual([]);
    expect(keys).toContainEqual(expect.stringContaining(`${tag}limits:user:`));
    expect(keys).toContainEqual(expect.stringContaining(`${tag}due:`));
  });

  it.each(['is killed', 'falls silent'] as const)(
    'goes on after its master %s, and nothing is lost',
    async (fault) => {
      const [api, worker] = [await start('api'), await start('worker')];
      await Promise.all([api, worker].map(waitUntilReady));
      const ada = new Client(api.url, token);
      const templates = new NotifiedTemplates(ada, workspaceId, receiver);
      await templates.createUntil(
        'the first deliveries',
        () => templates.count > 20 && templates.undelivered.length < 5,
      );

      // A slow Redis on a busy machine makes the same line without a failover.
      const timesBack = () => api.program.output.split(REDIS_BACK_LINE).length - 1;
      const beforeFault = timesBack();
      const key = `{${galley.environment['QUEUE_PREFIX']}}`;
      const master = await redis.masterOf(key);
      if (fault === 'is killed') await master.kill();
      else master.fallSilent();
      await templates.createUntil(
        'the end of a failover',
        async () =>
          (await redis.masterOf(key, master)) !== master &&
          timesBack() > beforeFault &&
          (await worker.readiness()) === 200,
      );
      await templates.waitUntilDelivered();
      // Signals arrive: without them, the relay polls once a second.
      const startedAt = Date.now();
      for (let sent = 0; sent < 10; sent++) {
        await templates.create();
        await templates.waitUntilDelivered();
      }
      expect(Date.now() - startedAt).toBeLessThan(5_000);
      if (fault === 'is killed') await master.restart();
      else master.speakAgain();
      await redis.waitUntilWhole();
    },
  );

  it('programs stop while all servers are gone', async () => {
    const worker = await start('worker');
    await start('api');
    await Promise.all(programs.map(waitUntilReady));
    for (const server of redis.servers) await server.kill();
    await eventually('the worker not to be ready', async () => (await worker.readiness()) === 503);
    const late = await start('api');
    await waitUntilReady(late);
    // The signal for the workers cannot be sent.
    await createResource(new Client(late.url, token), '/api/templates', { name: 'A', workspaceId });
    for (const { program } of programs) program.signal('SIGTERM');
    for (const { program } of programs) expect(await program.waitForExit()).toEqual([0, null]);
  });
});
