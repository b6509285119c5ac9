import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { tryPort } from '../../apps/standalone/ports.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { RedisLine } from '../support/redis-line.js';
import { make } from '../support/resources.js';
import { Program } from '../support/process.js';

let galley: Galley;
const running: Program[] = [];

beforeAll(async () => {
  galley = await startGalley();
  const { id: workspaceId } = await galley.workspaceOf('ada');
  const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
  await make(await galley.as('ada'), '/api/webhooks', webhook);
});
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.killGroup();
    await program.exited;
  }
});
afterAll(() => galley.stop());

type Health = [status: number, body: { statusCode?: number; message?: string; status?: string }];

/** @returns what asks the program for its readiness. */
async function start(name: 'api' | 'worker', settings: Record<string, string>) {
  const port = String(await tryPort(0));
  const environment = { ...galley.environment, ...settings, PORT: port, WORKER_PORT: port };
  running.push(new Program(process.execPath, [`dist/apps/${name}/main.js`], environment));
  const health = async (): Promise<Health> => {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
    return [response.status, (await response.json()) as Health[1]];
  };
  await eventually(`the ${name} to answer`, () => health().catch(() => false));
  return health;
}

const wellWith = (health: () => Promise<Health>) =>
  eventually('it to be ready', async () => (await health())[0] === 200);
const problemWith = (health: () => Promise<Health>) =>
  eventually('it not to be ready', async () => {
    const [status, { statusCode, message }] = await health();
    return status === 503 && statusCode === 503 && message;
  });

it('a worker needs the functions of a queue in PostgreSQL, and is ready again with them', async () => {
  const health = await start('worker', { REDIS_URL: '', LOG_LEVEL: 'error' });
  await wellWith(health);
  // A worker that has not taken its first job yet ends when its queue goes away.
  const { id: workspaceId } = await galley.workspaceOf('ada');
  const ada = await galley.as('ada');
  await make(ada, '/api/webhooks', {
    workspaceId,
    url: 'http://127.0.0.1:9/',
    events: ['module.created'],
  });
  await make(ada, '/api/modules', { workspaceId, name: 'Footer', content: {} });
  await eventually('a job', async () => (await galley.database.count('webhook_attempts')) > 0);
  await galley.database.query('ALTER SCHEMA bullmq RENAME TO elsewhere');
  expect(await problemWith(health)).toContain('queue');
  await galley.database.query('ALTER SCHEMA elsewhere RENAME TO bullmq');
  await wellWith(health);
  await galley.database.query('ALTER FUNCTION bullmq.move_to_active RENAME TO elsewhere');
  expect(await problemWith(health)).toContain('queue');
  // BullMQ tries again every 10 ms.
  const written = () => running[0]?.output.split('"stage":"queue"').length ?? 0;
  const before = written();
  const begun = Date.now();
  await eventually('another line', () => written() > before + 1);
  expect(Date.now() - begun).toBeGreaterThan(4_000);
  await galley.database.query('ALTER FUNCTION bullmq.elsewhere RENAME TO move_to_active');
  await wellWith(health);
});

const redisUrl = process.env['REDIS_URL'];
const withRedis = redisUrl ? it : it.skip;

withRedis('a worker needs its Redis; an API does without', async () => {
  const line = await RedisLine.to(redisUrl ?? '');
  const [worker, api] = await Promise.all([
    start('worker', { REDIS_URL: line.url }),
    start('api', { REDIS_URL: line.url }),
  ]);
  await wellWith(worker);
  for (const fail of [() => line.cut(), () => line.silence()]) {
    fail();
    expect(await problemWith(worker)).toBe('Redis does not answer.');
    expect((await api())[0]).toBe(200);
    line.mend();
    await wellWith(worker);
  }
  await line.stop();
});

it('the reason is in the body, and changes are logged once', async () => {
  const health = await start('worker', { REDIS_URL: '', LOG_LEVEL: 'error' });
  await wellWith(health);
  await galley.database.query(`UPDATE migrations SET name = 'old ' || name`);
  const problem = await problemWith(health);
  expect(problem).toBe('The database is not migrated: run `npm run migrate`.');
  await galley.database.query(`UPDATE migrations SET name = replace(name, 'old ', '')`);
  await wellWith(health);
  expect(running[0]?.output.split('"problem":"The database is not migrated').length).toBe(2);
});

it('one broken secret takes nothing out of service', async () => {
  const { id: workspaceId } = await galley.workspaceOf('ada');
  const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
  await make(await galley.as('ada'), '/api/webhooks', webhook);
  const edges = await galley.database.query<{ id: string; secret: string }>(
    `SELECT id, encrypted_secret AS secret FROM webhook_endpoints
     WHERE id IN (SELECT min(id::text)::uuid FROM webhook_endpoints
       UNION SELECT max(id::text)::uuid FROM webhook_endpoints) ORDER BY id`,
  );
  expect(edges).toHaveLength(2);
  const [oldest, newest] = edges;
  const health = await start('api', {});
  const store = (id = '', secret = '') =>
    galley.database.query('UPDATE webhook_endpoints SET encrypted_secret = $2 WHERE id = $1', [
      id,
      secret,
    ]);
  // The oldest secret has an unknown key, the newest one is damaged.
  await store(oldest?.id, `00000000${oldest?.secret.slice(8)}`);
  await store(newest?.id, newest?.secret.slice(0, -4));
  await start('api', {}).then(wellWith);
  await wellWith(health);
  for (const { id, secret } of edges) await store(id, secret);
});

// The last one: the worker encrypts anew what is stored.
it.each(['api', 'worker'] as const)('%s needs the SECRETS_KEY of what is stored', async (name) => {
  const oldKey = galley.environment['SECRETS_KEY'] ?? '';
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const broken = await start(name, { SECRETS_KEY });
  const problem = await problemWith(broken);
  expect(problem).toContain('SECRETS_KEY');
  for (const key of [oldKey, SECRETS_KEY]) expect(problem).not.toContain(key);
  await wellWith(await start(name, { SECRETS_KEY, SECRETS_KEYS_OLD: oldKey }));
});
