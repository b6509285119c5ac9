import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { probePort } from '../../../apps/standalone/ports.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { hasRedisServer, RedisServer } from '../../support/network/redis-server.js';
import {
  killPrograms,
  startProgram,
  waitUntilReady,
  type GalleyProgram,
} from '../../support/processes/galley-programs.js';

const PASSWORD = 'correct';

(hasRedisServer ? describe : describe.skip)('Redis that is absent at the start', () => {
  let galley: Galley;
  let redis: RedisServer;
  const programs: GalleyProgram[] = [];

  beforeAll(async () => {
    galley = await startGalley();
    redis = await RedisServer.start([`requirepass ${PASSWORD}`]);
    await redis.kill();
  });
  afterEach(async () => {
    await killPrograms(programs);
    await redis.kill();
  });
  afterAll(async () => {
    await galley.stop();
    await redis.stop();
  });

  const urlWith = (password: string, host = redis.host) => `redis://:${password}@${host}`;

  async function start(name: 'api' | 'worker', settings: Record<string, string>) {
    const program = await startProgram(name, {
      ...galley.environment,
      LOG_LEVEL: 'info',
      ...settings,
    });
    programs.push(program);
    return program;
  }

  const problemOf = async ({ url }: GalleyProgram) => {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    const { message } = ((await response?.json()) ?? {}) as { message?: string };
    return message;
  };

  const waitForProblem = (program: GalleyProgram, problem: RegExp) =>
    eventually(`the problem ${problem.source}`, async () => {
      if (program.program.child.exitCode !== null) throw new Error(program.program.output);
      return problem.test((await problemOf(program)) ?? '');
    });

  async function expectOrderlyEnd({ program }: GalleyProgram) {
    program.signal('SIGTERM');
    const [code, signal] = await program.waitForExit();
    if (code !== 0) throw new Error(`${code ?? signal ?? ''}\n${program.output}`);
  }

  const linesAbout = ({ program }: GalleyProgram, text: string) =>
    program.output.split('\n').filter((line) => line.includes(text));

  it('a worker waits, says why, and begins when Redis comes; an API is ready without', async () => {
    const REDIS_URL = urlWith(PASSWORD);
    const [worker, api] = await Promise.all([
      start('worker', { REDIS_URL }),
      start('api', { REDIS_URL }),
    ]);
    await waitUntilReady(api);
    await waitForProblem(worker, /^Redis does not respond/);
    const reason = `Cannot connect to Redis at ${redis.host}: connect ECONNREFUSED`;
    await worker.program.waitForOutput(reason);
    // The worker used to end after two seconds. A line stands for all failures of five seconds.
    await worker.program.waitForOutput(reason, { times: 2 });
    expect(await problemOf(worker)).toMatch(/^Redis does not respond/);
    expect(linesAbout(worker, reason).length).toBeLessThan(4);
    const isWithoutMessage = (line: string) => line.startsWith('{') && !line.includes('"msg"');
    expect(linesAbout(worker, '"context":"Queue"')).toEqual([]);
    expect(linesAbout(worker, '"err"').filter(isWithoutMessage)).toEqual([]);
    await redis.restart();
    await waitUntilReady(worker);
  });

  /** A worker that has sent a delivery, and then lost Redis while the webhook was due again. */
  async function startWorkerThatLosesRedis() {
    await redis.restart();
    const worker = await start('worker', { REDIS_URL: urlWith(PASSWORD) });
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const ada = await galley.clientFor('ada');
    const webhook = { workspaceId, url: 'http://127.0.0.1:9/', events: ['template.created'] };
    await createResource(ada, '/api/webhooks', webhook);
    const attemptsBefore = await galley.database.count('webhook_attempts');
    await createResource(ada, '/api/templates', { name: 'A', workspaceId });
    const attempts = () => galley.database.count('webhook_attempts');
    await eventually('a job', async () => (await attempts()) > attemptsBefore);
    await redis.kill();
    await waitForFailedSteps(worker, 1);
    return worker;
  }

  const waitForFailedSteps = (worker: GalleyProgram, count: number) =>
    eventually(`failed step ${count}`, async () => {
      await galley.database.query('UPDATE webhook_traffic SET wake_at = now()');
      return linesAbout(worker, 'A step failed').length >= count;
    });

  it('a worker that cannot queue deliveries names Redis and no option of its client', async () => {
    const worker = await startWorkerThatLosesRedis();
    expect(linesAbout(worker, 'A step failed')[0]).toMatch(
      /"message":"(Redis does not respond\.|connect ECONNREFUSED)/,
    );
    expect(linesAbout(worker, 'max retries per request')).toEqual([]);
  });

  it('a worker that cannot queue deliveries tries again in a second', async () => {
    await startWorkerThatLosesRedis();
    await galley.database.query(`UPDATE webhook_traffic SET wake_at = now() - interval '1 hour'`);
    // A sweep takes the webhook, whose job would otherwise be missed only after 20 seconds or a minute.
    const isSoonAgain = `webhook_traffic WHERE wake_at BETWEEN now() - interval '30 s' AND now() + interval '1 s'`;
    const flows = await galley.database.count('webhook_traffic');
    await eventually(
      'the next try of all webhooks',
      async () => (await galley.database.count(isSoonAgain)) === flows,
      { timeout: 10_000 },
    );
  });

  it('a worker that cannot queue deliveries ends soon after SIGTERM', async () => {
    const worker = await startWorkerThatLosesRedis();
    // The queue of BullMQ was opened again after the first step.
    await waitForFailedSteps(worker, 2);
    await expectOrderlyEnd(worker);
  });

  it('an API says at most every five seconds that Redis is away, and what follows', async () => {
    const api = await start('api', { REDIS_URL: urlWith(PASSWORD) });
    await waitUntilReady(api);
    const owner = new Client(api.url, await galley.issuer.token('ada'));
    const line = `Cannot connect to Redis at ${redis.host}: connect ECONNREFUSED ${redis.host}. Check REDIS_URL, and that Redis is running. Until Galley can connect again, events wait in PostgreSQL.`;
    const { id } = await galley.createWorkspaceFor('ada');
    await eventually('the second line', async () => {
      await createResource(owner, '/api/templates', { name: 'A', workspaceId: id });
      return linesAbout(api, line).length >= 2;
    });
    const lines = linesAbout(api, '"stage":"queue"').map(
      (text) => JSON.parse(text) as { time: number; count: number; msg: string },
    );
    const [first, second] = lines;
    expect(lines.map(({ msg }) => msg)).toEqual(lines.map(() => line));
    expect((second?.time ?? 0) - (first?.time ?? 0)).toBeGreaterThan(4_900);
    expect(second?.count).toBeGreaterThan(1);
    expect(linesAbout(api, 'max retries per request')).toEqual([]);
    expect(api.program.output).not.toContain(`:${PASSWORD}@`);
  });

  it.each([
    ['redis://:p@redis.invalid:6379', 'redis.invalid:6379: getaddrinfo'],
    ['redis+sentinel://:p@redis.invalid/mymaster', 'redis.invalid:26379: '],
    ['redis+cluster://:p@redis.invalid', 'redis.invalid:6379: '],
  ])('a worker waits for the unknown host of %s', async (REDIS_URL, reason) => {
    const worker = await start('worker', { REDIS_URL });
    await waitForProblem(worker, /^Redis does not respond/);
    const line = `Cannot connect to Redis at ${reason}`;
    await worker.program.waitForOutput(line, { times: 2 });
    expect(await problemOf(worker)).toMatch(/^Redis does not respond/);
    expect(worker.program.output).not.toContain(':p@');
    await expectOrderlyEnd(worker);
  });

  it('a worker waits for a password that Redis accepts', async () => {
    await redis.restart();
    const worker = await start('worker', { REDIS_URL: urlWith('other') });
    await waitForProblem(worker, /^Redis refuses the login/);
    await worker.program.waitForOutput('Check the user and the password in REDIS_URL');
    const client = new Redis(redis.port, '127.0.0.1', { password: PASSWORD });
    await client.config('SET', 'requirepass', 'other');
    client.disconnect();
    await waitUntilReady(worker);
  });

  it.each(['PostgreSQL', 'Redis'])(
    'a worker without both begins after %s came first',
    async (first) => {
      const port = await probePort(0);
      const DATABASE_URL = Object.assign(new URL(galley.database.url), {
        host: `127.0.0.1:${port}`,
      }).href;
      const worker = await start('worker', { DATABASE_URL, REDIS_URL: urlWith(PASSWORD) });
      await worker.program.waitForOutput('"stage":"connect"');
      let proxy: PostgresProxy | undefined;
      const startPostgres = async () => {
        proxy = await PostgresProxy.to(galley.database.url, 'galley', port);
      };
      if (first === 'Redis') await redis.restart();
      else {
        await startPostgres();
        await waitForProblem(worker, /^Redis does not respond/);
      }
      await (first === 'Redis' ? startPostgres() : redis.restart());
      await waitUntilReady(worker);
      await proxy?.stop();
    },
  );
});
