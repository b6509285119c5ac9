import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { probePort } from '../../../apps/standalone/ports.js';
import { createDatabase } from '../../support/galley/database.js';
import { TcpProxy } from '../../support/network/tcp-proxy.js';
import { canRunFirstProcesses, FirstProcess } from '../../support/processes/first-process.js';
import { hasProgram } from '../../support/processes/required-program.js';

const MAX_MS = 3_000;
// As the first process, a program sees the signal only between two imports. On a busy machine these take seconds.
const MAX_IMPORT_MS = 15_000;

const database = await createDatabase();
const silent = await TcpProxy.to(database.url);
silent.silence();
const closedPort = await probePort(0);
const environment: Record<string, string> = {
  DATABASE_URL: `postgres://galley@127.0.0.1:${closedPort}/galley`,
  REDIS_URL: `redis://127.0.0.1:${closedPort}`,
  SECRETS_KEYS: randomBytes(32).toString('base64'),
  AUTH_ISSUER: 'https://identity.example.com',
  AUTH_AUDIENCE: 'galley',
  NODE_OPTIONS: '',
  LOG_LEVEL: 'info',
};

// Node itself has handlers of these signals from its start, which end no first process. This tells when the
// program has one.
const HAS_LISTENER = 'listens to SIGTERM';
const REPORT_LISTENER = `--import=data:text/javascript,${encodeURIComponent(
  `process.on('newListener', (name) => name === 'SIGTERM' && process.stderr.write('${HAS_LISTENER}'))`,
)}`;

const processes: FirstProcess[] = [];
afterAll(async () => {
  await silent.stop();
  await database.drop();
});
afterEach(() => {
  for (const first of processes.splice(0)) first.kill();
});

async function start(script: string, changes: Record<string, string> = {}, init: string[] = []) {
  const [PORT, WORKER_PORT] = [String(await probePort(0)), String(await probePort(0))];
  const first = new FirstProcess([...init, process.execPath, ...script.split(' ')], {
    ...environment,
    ...changes,
    PORT,
    WORKER_PORT,
  });
  processes.push(first);
  return first;
}

const PROGRAMS = [
  'dist/apps/api/main.js',
  'dist/apps/worker/main.js',
  'dist/apps/migrate/main.js',
  'dist/apps/doctor/main.js',
  'dist/apps/maintenance/backup.js -',
  'dist/apps/maintenance/restore.js -',
  'dist/apps/maintenance/erase-user.js ada@example.com',
  'dist/apps/maintenance/workspace.js export 0198c0de-0000-7000-8000-000000000000 /tmp/no-such-folder/export',
];

const itAsFirst = canRunFirstProcesses ? it : it.skip;

itAsFirst.each(PROGRAMS)('%s ends at SIGTERM from its first line', async (script) => {
  const first = await start(script, { DATABASE_URL: silent.url, NODE_OPTIONS: REPORT_LISTENER });
  await first.waitForOutput(HAS_LISTENER);
  const { code, ms } = await first.end('SIGTERM');
  expect(code).toBe(143);
  expect(ms).toBeLessThan(MAX_IMPORT_MS);
});

itAsFirst.each(
  ['api', 'worker'].flatMap((name) => [200, 500, 1_000].map((ms) => [name, ms] as const)),
)('the %s ends at SIGTERM %d ms after its start', async (name, startMs) => {
  const first = await start(`dist/apps/${name}/main.js`, { DATABASE_URL: database.url });
  await delay(startMs);
  const { code, ms } = await first.end('SIGTERM');
  expect([0, 143]).toContain(code);
  expect(ms).toBeLessThan(MAX_IMPORT_MS);
  expect(first.output).not.toContain('did not start');
});

const itWithInit =
  canRunFirstProcesses && hasProgram('tini', 'apt-get install tini') ? it : it.skip;

// The images start their programs so: even a signal that comes before Node.js listens ends the program.
itWithInit.each(
  ['api', 'worker', 'migrate'].flatMap((name) => [20, 300].map((ms) => [name, ms] as const)),
)('under an init, the %s ends at once at SIGTERM %d ms after its start', async (name, startMs) => {
  const first = await start(`dist/apps/${name}/main.js`, { DATABASE_URL: database.url }, [
    'tini',
    '-s',
    '--',
  ]);
  await first.waitForChild();
  await delay(startMs);
  const { code, ms } = await first.end('SIGTERM');
  expect(code).toBe(143);
  expect(ms).toBeLessThan(MAX_MS);
});

itAsFirst.each([
  ['api', 'SIGTERM', 143],
  ['worker', 'SIGINT', 130],
  ['migrate', 'SIGTERM', 143],
] as const)('the %s that waits for PostgreSQL ends at %s', async (name, signal, expected) => {
  const first = await start(`dist/apps/${name}/main.js`);
  await first.waitForOutput('"stage":"connect"');
  const { code, ms } = await first.end(signal);
  expect(code).toBe(expected);
  expect(ms).toBeLessThan(MAX_MS);
});

itAsFirst('a worker that waits for Redis ends at SIGTERM', async () => {
  const first = await start('dist/apps/worker/main.js', { DATABASE_URL: database.url });
  await first.waitForOutput('Cannot connect to Redis');
  const { code, ms } = await first.end('SIGTERM');
  expect(code).toBe(0);
  expect(ms).toBeLessThan(MAX_MS);
});
