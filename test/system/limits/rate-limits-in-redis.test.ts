import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import type { Program } from '../../support/processes/program.js';
import { readRateLimits } from '../../support/api/rate-limit-headers.js';
import { TcpProxy } from '../../support/network/tcp-proxy.js';
import { startReadyProgram } from '../../support/processes/galley-programs.js';

const USER_LIMIT = 30;
const ME_PATH = '/api/auth/me';
// Far longer than a request may wait for Redis, and far shorter than the wait for a missing response.
const MAX_UNBLOCKED_MS = 2_000;
const REDIS_LOST_LINE = 'Redis does not respond';
const REDIS_BACK_LINE = 'Redis is back';
const redisUrl = process.env['REDIS_URL'] ?? '';

(redisUrl ? describe : describe.skip)('requests that are counted in Redis', () => {
  let galley: Galley;
  let redis: Redis;
  let redisProxy: TcpProxy;
  const programs: Program[] = [];

  beforeAll(async () => {
    redis = new Redis(redisUrl);
    redisProxy = await TcpProxy.to(redisUrl);
    galley = await startGalley({ environment: { RATE_LIMIT_USER: String(USER_LIMIT) } });
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) {
      program.killGroup();
      await program.exited;
    }
  });
  afterAll(async () => {
    await galley.stop();
    await redisProxy.stop();
    redis.disconnect();
  });

  /** Starts another API process, as in production. */
  async function startApi(
    settings: Record<string, string> = {},
  ): Promise<{ program: Program; url: string }> {
    const environment = { ...galley.environment, LOG_LEVEL: 'info', ...settings };
    const { program, url } = await startReadyProgram('api', environment);
    programs.push(program);
    return { program, url };
  }

  const breakConnection = (fault: 'cut' | 'silent') =>
    fault === 'cut' ? redisProxy.cut() : redisProxy.silence();

  /** The key of an existing user's counter. */
  async function keyOf(name: string): Promise<string> {
    const [user] = await galley.database.query<{ id: string }>(
      'SELECT id FROM users WHERE subject = $1',
      [name],
    );
    return `${galley.environment['QUEUE_PREFIX']}:limits:user:${user?.id}`;
  }

  async function remainingFor(client: Client): Promise<number> {
    const response = await client.get(ME_PATH);
    expect(response.status).toBe(200);
    return Number(readRateLimits(response).remaining['user']?.['r']);
  }

  it('have one count for all processes', async () => {
    const { url } = await startApi();
    const ada = await galley.clientFor('ada');
    const clients = [ada, new Client(url, ada.token)];
    for (let remaining = USER_LIMIT - 1; remaining >= 0; remaining--) {
      expect(await remainingFor(clients[remaining % 2] as Client)).toBe(remaining);
    }
    for (const client of clients) expect((await client.get(ME_PATH)).status).toBe(429);
  });

  it('have one count for all processes without waiting for Redis while many requests are left', async () => {
    const userLimit = 1_050;
    const { url } = await startApi({ RATE_LIMIT_USER: String(userLimit) });
    const gil = new Client(url, await galley.issuer.token('gil'));
    for (let remaining = userLimit - 1; remaining >= userLimit - 20; remaining--)
      expect(await remainingFor(gil)).toBe(remaining);
    const key = await keyOf('gil');
    await eventually('Redis to have the count', async () => (await redis.get(key)) === '20');
    // Adds requests to the counter, as if other processes had counted them.
    await redis.incrby(key, 900);
    for (let served = 0; served < userLimit - 920; served++) await remainingFor(gil);
    expect((await gil.get(ME_PATH)).status).toBe(429);
  });

  it('are refused at once if other processes have used up the quota', async () => {
    const userLimit = 5_000;
    const { url } = await startApi({ RATE_LIMIT_USER: String(userLimit) });
    const hal = new Client(url, await galley.issuer.token('hal'));
    await remainingFor(hal);
    const { url: otherUrl } = await startApi({ RATE_LIMIT_USER: String(userLimit) });
    await redis.incrby(await keyOf('hal'), userLimit);
    expect((await new Client(otherUrl, hal.token).get(ME_PATH)).status).toBe(429);
  });

  it('cost Redis nothing once they are refused', async () => {
    const ivy = await galley.clientFor('ivy');
    for (let remaining = USER_LIMIT - 1; remaining >= 0; remaining--) await remainingFor(ivy);
    for (let refused = 0; refused < 5; refused++) {
      expect((await ivy.get(ME_PATH)).status).toBe(429);
    }
    expect(Number(await redis.get(await keyOf('ivy')))).toBe(USER_LIMIT + 1);
  });

  it('are counted again from zero when the announced time has come', async () => {
    const bob = await galley.clientFor('bob');
    for (let remaining = USER_LIMIT - 1; remaining > 0; remaining--) await remainingFor(bob);
    const { remaining } = readRateLimits(await bob.get(ME_PATH));
    const key = await keyOf('bob');
    const ttlMs = await redis.pttl(key);
    expect(remaining['user']).toEqual({ r: 0, t: expect.any(Number) });
    // A busy machine may have paused between the two reads.
    expect(Math.abs(Number(remaining['user']?.['t']) - ttlMs / 1000)).toBeLessThan(10);
    // Shortens the window, so that the test does not wait for the rest of the minute.
    await redis.pexpire(key, 5_000);
    const refused = await bob.get(ME_PATH);
    expect(refused.status).toBe(429);
    expect(readRateLimits(refused).retryAfter).toBeLessThanOrEqual(5);
    const served = await eventually('a new window', async () => {
      const response = await bob.get(ME_PATH);
      return response.status === 200 && response;
    });
    expect(readRateLimits(served).remaining).toEqual({ user: { r: USER_LIMIT - 1, t: 60 } });
  });

  it('are never counted for longer than a window', async () => {
    const carol = await galley.clientFor('carol');
    await remainingFor(carol);
    const key = await keyOf('carol');
    await redis.persist(key);
    await remainingFor(carol);
    expect(await redis.pttl(key)).toBeGreaterThan(50_000);
  });

  it.each(['cut', 'silent'] as const)(
    'are counted in memory while the connection is %s, even from the start of an API',
    async (fault) => {
      breakConnection(fault);
      const { program, url } = await startApi({ REDIS_URL: redisProxy.url });
      const clientOf = async (name: string) => new Client(url, await galley.issuer.token(name));
      const countLines = (text: string) => program.output.split(text).length - 1;
      let lostLinesBefore = 0;
      for (const round of ['first', 'second']) {
        const client = await clientOf(`${fault} the ${round} time`);
        let slowCount = 0;
        for (let remaining = USER_LIMIT - 1; remaining >= 0; remaining--) {
          const startedAt = performance.now();
          expect(await remainingFor(client)).toBe(remaining);
          if (performance.now() - startedAt > MAX_UNBLOCKED_MS) slowCount++;
        }
        // A busy machine may have paused once or twice.
        expect(slowCount).toBeLessThan(3);
        expect((await client.get(ME_PATH)).status).toBe(429);
        // All of these requests together cause one line in the log.
        expect(countLines(REDIS_LOST_LINE)).toBe(lostLinesBefore + 1);

        const backLinesBefore = countLines(REDIS_BACK_LINE);
        redisProxy.restore();
        await eventually('Redis to count again', async () => {
          const name = randomUUID();
          await remainingFor(await clientOf(name));
          return (await redis.get(await keyOf(name))) === '1';
        });
        await program.waitForOutput(REDIS_BACK_LINE, { times: backLinesBefore + 1 });
        if (round === 'second') break;
        lostLinesBefore = countLines(REDIS_LOST_LINE);
        breakConnection(fault);
      }
      program.signal('SIGTERM');
      expect(await program.exited).toEqual([0, null]);
    },
  );
});
