import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { tryPort } from '../../apps/standalone/ports.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { Program } from '../support/process.js';
import { toldBy } from '../support/rate-limits.js';
import { RedisLine } from '../support/redis-line.js';

const USER = 30;
const ME = '/api/auth/me';
// Far above what a request may wait for Redis, and far below what one would that waited for an answer.
const NO_WAIT_MS = 2_000;
const AWAY = 'Redis does not answer';
const BACK = 'Redis is back';
const redisUrl = process.env['REDIS_URL'] ?? '';

(redisUrl ? describe : describe.skip)('requests that are counted in Redis', () => {
  let galley: Galley;
  let redis: Redis;
  let line: RedisLine;
  const programs: Program[] = [];

  beforeAll(async () => {
    redis = new Redis(redisUrl);
    line = await RedisLine.to(redisUrl);
    galley = await startGalley({ environment: { RATE_LIMIT_USER: String(USER) } });
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) {
      program.killGroup();
      await program.exited;
    }
  });
  afterAll(async () => {
    await galley.stop();
    await line.stop();
    redis.disconnect();
  });

  /** One more API, as it runs in production. */
  async function startApi(
    settings: Record<string, string> = {},
  ): Promise<{ program: Program; url: string }> {
    const port = await tryPort(0);
    const program = new Program(process.execPath, ['dist/apps/api/main.js'], {
      ...{ ...galley.environment, LOG_LEVEL: 'info', NODE_OPTIONS: '', PORT: String(port) },
      ...settings,
    });
    programs.push(program);
    const url = `http://127.0.0.1:${port}`;
    const ready = () => fetch(`${url}/health/ready`).then((answer) => answer.ok);
    await eventually('the API to be ready', () => ready().catch(() => false));
    return { program, url };
  }

  const breakLine = (fault: 'cut' | 'silent') => (fault === 'cut' ? line.cut() : line.silence());

  /** Where a user who has been here is counted. */
  async function keyOf(name: string): Promise<string> {
    const [user] = await galley.database.query<{ id: string }>(
      'SELECT id FROM users WHERE subject = $1',
      [name],
    );
    return `${galley.environment['QUEUE_PREFIX']}:limits:user:${user?.id}`;
  }

  async function leftTo(client: Client): Promise<number> {
    const answer = await client.get(ME);
    expect(answer.status).toBe(200);
    return Number(toldBy(answer).left['user']?.['r']);
  }

  it('are the same for all processes', async () => {
    const { url } = await startApi();
    const ada = await galley.as('ada');
    const clients = [ada, new Client(url, ada.token)];
    for (let left = USER - 1; left >= 0; left--) {
      expect(await leftTo(clients[left % 2] as Client)).toBe(left);
    }
    for (const client of clients) expect((await client.get(ME)).status).toBe(429);
  });

  it('are the same for all processes where nobody waits for Redis, having plenty left', async () => {
    const quota = 1_050;
    const { url } = await startApi({ RATE_LIMIT_USER: String(quota) });
    const gil = new Client(url, await galley.issuer.token('gil'));
    for (let left = quota - 1; left >= quota - 20; left--) expect(await leftTo(gil)).toBe(left);
    const key = await keyOf('gil');
    await eventually('Redis to know', async () => (await redis.get(key)) === '20');
    // As many as if others had counted them.
    await redis.incrby(key, 900);
    for (let served = 0; served < quota - 920; served++) await leftTo(gil);
    expect((await gil.get(ME)).status).toBe(429);
  });

  it('begin anew when the time has come that was told', async () => {
    const bob = await galley.as('bob');
    for (let left = USER - 1; left > 0; left--) await leftTo(bob);
    const { left } = toldBy(await bob.get(ME));
    const key = await keyOf('bob');
    const endsIn = await redis.pttl(key);
    expect(left['user']).toEqual({ r: 0, t: expect.any(Number) });
    // A busy machine may have paused between the two.
    expect(Math.abs(Number(left['user']?.['t']) - endsIn / 1000)).toBeLessThan(10);
    // So that nobody has to wait for the rest of the minute.
    await redis.pexpire(key, 5_000);
    const refused = await bob.get(ME);
    expect(refused.status).toBe(429);
    expect(toldBy(refused).retryAfter).toBeLessThanOrEqual(5);
    const served = await eventually('a new window', async () => {
      const answer = await bob.get(ME);
      return answer.status === 200 && answer;
    });
    expect(toldBy(served).left).toEqual({ user: { r: USER - 1, t: 60 } });
  });

  it('never stay counted for longer than a window', async () => {
    const carol = await galley.as('carol');
    await leftTo(carol);
    const key = await keyOf('carol');
    await redis.persist(key);
    await leftTo(carol);
    expect(await redis.pttl(key)).toBeGreaterThan(50_000);
  });

  it.each(['cut', 'silent'] as const)(
    'are counted in memory while the line to it is %s, be it from the start of an API',
    async (fault) => {
      breakLine(fault);
      const { program, url } = await startApi({ REDIS_URL: line.url });
      const clientOf = async (name: string) => new Client(url, await galley.issuer.token(name));
      const linesWith = (text: string) => program.output.split(text).length - 1;
      let linesBefore = 0;
      for (const time of ['first', 'second']) {
        const client = await clientOf(`${fault} the ${time} time`);
        let slow = 0;
        for (let left = USER - 1; left >= 0; left--) {
          const start = performance.now();
          expect(await leftTo(client)).toBe(left);
          if (performance.now() - start > NO_WAIT_MS) slow++;
        }
        // A busy machine may have paused once or twice.
        expect(slow).toBeLessThan(3);
        expect((await client.get(ME)).status).toBe(429);
        // One for all of these requests.
        expect(linesWith(AWAY)).toBe(linesBefore + 1);

        const linesBack = linesWith(BACK);
        line.mend();
        await eventually('Redis to count again', async () => {
          const name = randomUUID();
          await leftTo(await clientOf(name));
          return (await redis.get(await keyOf(name))) === '1';
        });
        await program.prints(BACK, { times: linesBack + 1 });
        if (time === 'second') break;
        linesBefore = linesWith(AWAY);
        breakLine(fault);
      }
      program.signal('SIGTERM');
      expect(await program.exited).toEqual([0, null]);
    },
  );
});
