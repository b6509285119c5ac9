import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { examine } from '../../../apps/doctor/doctor.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { RedisSentinels } from '../../support/network/redis-sentinels.js';
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

const REDIS_BACK_LINE = 'Redis is back and counts the requests of all APIs.';

(hasRedisServer ? describe : describe.skip)('Redis behind sentinels', () => {
  let galley: Galley;
  let redis: RedisSentinels;
  let receiver: Receiver;
  const programs: GalleyProgram[] = [];

  beforeAll(async () => {
    redis = await RedisSentinels.start();
    galley = await startGalley({ environment: { RATE_LIMIT_USER: '100000' } });
    receiver = await Receiver.start();
  });
  afterEach(() => killPrograms(programs));
  afterAll(async () => {
    await receiver.stop();
    await galley.stop();
    await redis.stop();
  });

  async function start(name: 'api' | 'worker'): Promise<GalleyProgram> {
    const started = await startProgram(name, {
      ...galley.environment,
      LOG_LEVEL: 'info',
      REDIS_URL: redis.url,
    });
    programs.push(started);
    return started;
  }

  async function diagnose(url: string): Promise<string | undefined> {
    const findings = await examine({ ...galley.environment, REDIS_URL: url }, []);
    const own = findings.find(({ subject }) => subject === 'queue');
    return own && `${own.level}: ${own.text}`;
  }

  it('the doctor asks the primary, and says what the sentinels responded', async () => {
    expect(await diagnose(redis.url)).toMatch(/^ok: Redis .* responds/);
    expect(await diagnose(redis.url.replace('/mymaster', '/other'))).toMatch(
      /^problem: Cannot connect to Redis at 127\.0\.0\.1:\d+,.*No such master with that name\. Check the name of the primary in REDIS_URL\.$/,
    );
    expect(await diagnose(redis.url.replace('=watch', '=wrong'))).toMatch(/^problem: .*WRONGPASS/);
    expect(await diagnose(redis.url.replace('p%40ss', 'wrong'))).toMatch(/^problem: .*WRONGPASS/);
  });

  it('after each failover, changes and deliveries go on, and nothing is lost', async () => {
    const [api, worker] = [await start('api'), await start('worker')];
    await Promise.all([api, worker].map(waitUntilReady));
    const ada = new Client(api.url, await galley.issuer.token('ada'));
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    await subscribe(ada, workspaceId, receiver, ['template.created']);
    const templates = new NotifiedTemplates(ada, workspaceId, receiver);
    // The client finds the primary although the first sentinel of the URL is gone.
    await redis.stopSentinels(1);

    const first = await redis.primary();
    // A slow Redis on a busy machine makes the same line without a failover.
    const timesBack = () => api.program.output.split(REDIS_BACK_LINE).length - 1;
    const hasRecoveredAfter = async (earlier: number) =>
      timesBack() > earlier && (await worker.readiness()) === 200;
    await templates.createUntil(
      'the first deliveries',
      () => templates.count > 20 && templates.undelivered.length < 5,
    );

    const beforeKill = timesBack();
    await first.kill();
    await templates.createUntil(
      'the end of a failover',
      async () => (await redis.primary()) !== first && hasRecoveredAfter(beforeKill),
    );
    await templates.waitUntilDelivered();
    await first.restart();
    await redis.waitForReplica();

    const second = await redis.primary();
    const beforeSilence = timesBack();
    second.fallSilent();
    await templates.createUntil(
      'the end of a failover',
      async () => (await redis.primary()) === first && hasRecoveredAfter(beforeSilence),
    );
    await templates.waitUntilDelivered();
    // Signals arrive through the new primary: without them, the relay polls once a second.
    const startedAt = Date.now();
    for (let sent = 0; sent < 10; sent++) {
      await templates.create();
      await templates.waitUntilDelivered();
    }
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    second.speakAgain();
    // A sentinel is gone, and nothing but the lines of the log is printed.
    for (const { program } of programs) expect(program.output).not.toMatch(/^[^{]/m);
  });

  it('programs stop while all sentinels and servers are gone', async () => {
    const [api, worker] = [await start('api'), await start('worker')];
    await Promise.all([api, worker].map(waitUntilReady));
    await redis.stopSentinels(3);
    for (const server of redis.servers) await server.kill();
    await eventually('the worker not to be ready', async () => (await worker.readiness()) === 503);
    const { url } = api;
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const late = await start('api');
    await waitUntilReady(late);
    // The signal for the workers cannot be sent.
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const ada = new Client(late.url, await galley.issuer.token('ada'));
    await createResource(ada, '/api/templates', { name: 'A', workspaceId });
    for (const { program } of programs) program.signal('SIGTERM');
    for (const { program } of programs) expect(await program.waitForExit()).toEqual([0, null]);
  });
});
