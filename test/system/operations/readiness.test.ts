import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { TcpProxy } from '../../support/network/tcp-proxy.js';
import { createResource } from '../../support/galley/resources.js';
import type { Program } from '../../support/processes/program.js';
import { startProgram } from '../../support/processes/galley-programs.js';

let galley: Galley;
const programs: Program[] = [];
const urls: string[] = [];

beforeAll(async () => {
  galley = await startGalley();
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
  await createResource(await galley.clientFor('ada'), '/api/webhooks', webhook);
});
afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.killGroup();
    await program.exited;
  }
});
afterAll(() => galley.stop());

interface LogLine {
  level: number;
  method: string;
  path: string;
  statusCode: number;
  err: { message: string; code?: string; stack?: string };
}

type HealthResponse = [
  status: number,
  body: { statusCode?: number; message?: string; status?: string },
  retryAfter: string | null,
];

/** @returns a function that requests the program's readiness. */
async function start(name: 'api' | 'worker', settings: Record<string, string>) {
  const { program, url } = await startProgram(name, { ...galley.environment, ...settings });
  programs.push(program);
  urls.push(url);
  const getHealth = async (): Promise<HealthResponse> => {
    const response = await fetch(`${url}/health/ready`);
    const body = (await response.json()) as HealthResponse[1];
    return [response.status, body, response.headers.get('retry-after')];
  };
  await eventually(`the ${name} to respond`, () => getHealth().catch(() => false));
  return getHealth;
}

const waitUntilReady = (getHealth: () => Promise<HealthResponse>) =>
  eventually('the program to be ready', async () => (await getHealth())[0] === 200);
const waitForProblem = (getHealth: () => Promise<HealthResponse>) =>
  eventually('the program not to be ready', async () => {
    const [status, { statusCode, message }, retryAfter] = await getHealth();
    return status === 503 && statusCode === 503 && retryAfter === '1' && message;
  });

it('a worker is not ready without the functions of a queue in PostgreSQL, and ready again with them', async () => {
  const getHealth = await start('worker', { REDIS_URL: '', LOG_LEVEL: 'error' });
  await waitUntilReady(getHealth);
  // A worker that has not handled its first job yet exits when its queue becomes unavailable.
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const ada = await galley.clientFor('ada');
  await createResource(ada, '/api/webhooks', {
    workspaceId,
    url: 'http://127.0.0.1:9/',
    events: ['module.created'],
  });
  await createResource(ada, '/api/modules', { workspaceId, name: 'Footer', content: {} });
  await eventually('a job', async () => (await galley.database.count('webhook_attempts')) > 0);
  await galley.database.query('ALTER SCHEMA bullmq RENAME TO elsewhere');
  expect(await waitForProblem(getHealth)).toContain('queue');
  await galley.database.query('ALTER SCHEMA elsewhere RENAME TO bullmq');
  await waitUntilReady(getHealth);
  await galley.database.query('ALTER FUNCTION bullmq.move_to_active RENAME TO elsewhere');
  expect(await waitForProblem(getHealth)).toContain('queue');
  // BullMQ retries every 10 ms, but the worker logs these errors at most once in 5 s.
  const countQueueErrors = () => programs[0]?.output.split('"stage":"queue"').length ?? 0;
  const before = countQueueErrors();
  const startedAt = Date.now();
  await eventually('another line', () => countQueueErrors() > before + 1);
  expect(Date.now() - startedAt).toBeGreaterThan(4_000);
  await galley.database.query('ALTER FUNCTION bullmq.elsewhere RENAME TO move_to_active');
  await waitUntilReady(getHealth);
});

const redisUrl = process.env['REDIS_URL'];
const itWithRedis = redisUrl ? it : it.skip;

itWithRedis('a worker needs its Redis; an API does without', async () => {
  const redisProxy = await TcpProxy.to(redisUrl ?? '');
  const [getWorkerHealth, getApiHealth] = await Promise.all([
    start('worker', { REDIS_URL: redisProxy.url }),
    start('api', { REDIS_URL: redisProxy.url }),
  ]);
  await waitUntilReady(getWorkerHealth);
  for (const breakConnection of [() => redisProxy.cut(), () => redisProxy.silence()]) {
    breakConnection();
    expect(await waitForProblem(getWorkerHealth)).toBe('Redis does not respond.');
    expect((await getApiHealth())[0]).toBe(200);
    redisProxy.restore();
    await waitUntilReady(getWorkerHealth);
  }
  await redisProxy.stop();
});

it('a failed request of an outage is one line of the log, with its cause', async () => {
  const proxy = await TcpProxy.to(galley.database.url);
  const getHealth = await start('api', { DATABASE_URL: proxy.url, LOG_LEVEL: 'info' });
  await waitUntilReady(getHealth);
  const { token } = await galley.clientFor('ada');
  proxy.cut();
  const url = `${urls.at(-1)}/api/workspaces`;
  const headers = { authorization: `Bearer ${token}` };
  const ids: string[] = [];
  for (let index = 0; index < 12; index++) {
    const response = await fetch(url, { headers });
    expect(response.status).toBe(503);
    ids.push(response.headers.get('x-request-id') ?? '');
  }
  await eventually('the last line', () => programs[0]?.output.includes(ids.at(-1) ?? ''));
  const lines = programs[0]?.output.split('\n') ?? [];
  const failures = ids.map((id) => lines.filter((line) => line.includes(id)));
  for (const [line = '', ...others] of failures) {
    expect(others).toEqual([]);
    const { level, method, path, statusCode, err } = JSON.parse(line) as LogLine;
    expect({ level, method, path, statusCode }).toEqual({
      level: 50,
      method: 'GET',
      path: '/api/workspaces',
      statusCode: 503,
    });
    expect(err.message).toMatch(/Connection terminated|ECONNRESET/);
  }
  const errors = failures.map(([line = '']) => (JSON.parse(line) as LogLine).err);
  const causes = new Set(errors.map(({ code, message }) => `${code} ${message}`));
  expect(errors.filter(({ stack }) => stack !== undefined).length).toBeLessThanOrEqual(causes.size);
  expect(failures.at(-1)?.[0]?.length).toBeLessThan(500);
  await proxy.stop();
});

it('the reason is in the body, and changes are logged once', async () => {
  const getHealth = await start('worker', { REDIS_URL: '', LOG_LEVEL: 'error' });
  await waitUntilReady(getHealth);
  await galley.database.query(`UPDATE migrations SET name = 'old ' || name`);
  const problem = await waitForProblem(getHealth);
  expect(problem).toBe('The database is not migrated: run `npm run migrate`.');
  await galley.database.query(`UPDATE migrations SET name = replace(name, 'old ', '')`);
  await waitUntilReady(getHealth);
  expect(programs[0]?.output.split('"problem":"The database is not migrated').length).toBe(2);
});

it('one broken secret does not make a program unready', async () => {
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
  await createResource(await galley.clientFor('ada'), '/api/webhooks', webhook);
  const oldestAndNewest = await galley.database.query<{ id: string; secret: string }>(
    `SELECT id, encrypted_secret AS secret FROM webhook_endpoints
     WHERE id IN (SELECT min(id::text)::uuid FROM webhook_endpoints
       UNION SELECT max(id::text)::uuid FROM webhook_endpoints) ORDER BY id`,
  );
  expect(oldestAndNewest).toHaveLength(2);
  const [oldest, newest] = oldestAndNewest;
  const getHealth = await start('api', {});
  const storeSecret = (id = '', secret = '') =>
    galley.database.query('UPDATE webhook_endpoints SET encrypted_secret = $2 WHERE id = $1', [
      id,
      secret,
    ]);
  // The oldest secret is encrypted with an unknown key, which PostgreSQL would refuse; the newest one is damaged.
  await galley.database.query('ALTER TABLE webhook_endpoints DISABLE TRIGGER USER');
  await storeSecret(oldest?.id, `00000000${oldest?.secret.slice(8)}`);
  await storeSecret(newest?.id, newest?.secret.slice(0, -4));
  await start('api', {}).then(waitUntilReady);
  await waitUntilReady(getHealth);
  for (const { id, secret } of oldestAndNewest) await storeSecret(id, secret);
  await galley.database.query('ALTER TABLE webhook_endpoints ENABLE TRIGGER USER');
});

// This test comes last, because its worker encrypts the stored secrets with a new key.
it.each(['api', 'worker'] as const)(
  '%s is not ready without the key of stored secrets',
  async (name) => {
    const oldKey = galley.environment['SECRETS_KEYS'] ?? '';
    const newKey = randomBytes(32).toString('base64');
    const getBrokenHealth = await start(name, { SECRETS_KEYS: newKey });
    const problem = await waitForProblem(getBrokenHealth);
    expect(problem).toContain('SECRETS_KEYS lacks the key that encrypts new data: add that key');
    for (const key of [oldKey, newKey]) expect(problem).not.toContain(key);
    await waitUntilReady(await start(name, { SECRETS_KEYS: `${newKey},${oldKey}` }));
  },
);
