import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { loadApiConfig, loadWorkerConfig } from '#config';
import { createApi } from '../../../apps/api/api.js';
import { examine } from '../../../apps/doctor/doctor.js';
import { createWorker } from '../../../apps/worker/worker.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { createDatabase, type TestDatabase } from '../../support/galley/database.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import {
  canDump,
  runMaintenance,
  startMaintenance,
  urlsOf,
} from '../../support/processes/maintenance.js';
import { Program } from '../../support/processes/program.js';

const withPgDump = (await canDump()) ? it : it.skip;
const UNFINISHED = 'A restore of this database has not finished';
const POSITION_GAP = 1_000_000_000;

let galley: Galley;
let folder: string;
let backup: string;
/** The position of the feed in the backup. */
let position: number;
let workspaceId: string;
let target: TestDatabase;

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  folder = await mkdtemp(join(tmpdir(), 'galley-restore-'));
  backup = join(folder, 'galley.backup');
  const ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  // More than a pipe holds, so that half of the backup is not all of it.
  const text = Array.from({ length: 60_000 }, () => Math.random().toString(36)).join(' ');
  for (const name of ['A', 'B', 'C']) {
    await createResource(ada, '/api/templates', { name, workspaceId, content: { text } });
  }
  await eventually('the relay', async () => (await galley.database.count('outbox')) === 0);
  const [feed] = await galley.database.query<{ position: string }>(
    'SELECT max(position) AS position FROM workspace_feeds',
  );
  position = Number(feed?.position);
  if (await canDump()) {
    const { code, output } = await runMaintenance('backup', [backup], galley.environment);
    if (code !== 0) throw new Error(output);
  }
});
afterAll(async () => {
  await galley.stop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  target = await createDatabase('template0');
});
afterEach(() => target.drop());

const environment = () => ({ ...galley.environment, ...urlsOf(target) });
const restore = (...args: string[]) => runMaintenance('restore', args, environment());

/** Sends half of the backup, and waits until the restore has begun to store rows. */
async function restoreHalf(): Promise<Program> {
  const program = startMaintenance('restore', ['-'], environment());
  const content = await readFile(backup);
  program.child.stdin.on('error', () => undefined);
  program.child.stdin.write(content.subarray(0, content.length / 2));
  await eventually('rows', () => countSessions(`state <> 'idle' AND query ILIKE 'COPY %'`));
  return program;
}

async function countSessions(condition: string): Promise<number> {
  const [row] = await target.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
  );
  return row?.count ?? 0;
}

const noSessions = () =>
  eventually(
    'the end of the session',
    async () => (await countSessions(`backend_type = 'client backend'`)) <= 1,
  );

async function readiness(): Promise<[status: number, message: string]> {
  const api = await createApi(loadApiConfig(environment()));
  try {
    await api.listen(0, '127.0.0.1');
    const url = await api.getUrl();
    const response = await fetch(`${url}/health/ready`);
    const { message = '' } = (await response.json()) as { message?: string };
    // A program that is not ready neither reads nor changes what is stored.
    const ada = new Client(url, await galley.issuer.token('ada'));
    const { status } = await ada.post('/api/workspaces', { name: 'Early' });
    expect([response.status, status]).toEqual(response.ok ? [200, 201] : [503, 503]);
    return [response.status, message];
  } finally {
    await api.close();
  }
}

const expectUnfinished = async (command: string) =>
  expect(await readiness()).toEqual([
    503,
    expect.stringMatching(new RegExp(`${UNFINISHED}.*npm run restore -- ${command}`)),
  ]);

async function expectRefusedByPrograms(): Promise<void> {
  const findings = await examine(environment(), []);
  expect(findings).toContainEqual({
    level: 'problem',
    subject: 'restore',
    text: expect.stringContaining(UNFINISHED) as unknown,
  });
  const worker = await createWorker(loadWorkerConfig(environment()));
  await worker.listen(0, '127.0.0.1');
  const health = await fetch(`${await worker.getUrl()}/health/ready`);
  expect([health.status, await health.text()]).toEqual([503, expect.stringContaining(UNFINISHED)]);
  await worker.close();
  const migration = new Program(process.execPath, ['dist/apps/migrate/main.js'], environment());
  expect((await migration.exited)[0]).toBe(1);
  expect(migration.output).toContain(UNFINISHED);
}

async function expectRestored(): Promise<void> {
  const feeds = await target.query<{ position: string }>('SELECT position FROM workspace_feeds');
  expect(feeds).toEqual([{ position: String(POSITION_GAP + position) }]);
  expect(await target.count('document_versions')).toBe(3);
  expect(await readiness()).toEqual([200, '']);
}

withPgDump.each(['SIGTERM', 'SIGKILL'] as const)(
  'after %s amid the data nothing is stored, programs are not ready, and the same command restores all',
  async (signal) => {
    const program = await restoreHalf();
    program.signal(signal);
    await program.exited;
    if (signal !== 'SIGKILL') expect(program.output).toContain(`Interrupted by ${signal}`);
    await noSessions();
    const tables = await target.query(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    expect(tables).toHaveLength(1);
    await expectUnfinished('FILE');
    if (signal === 'SIGKILL') await expectRefusedByPrograms();
    expect((await restore(backup)).output).toContain('The data is restored');
    await expectRestored();
  },
);

/** Keeps the first statement with this tag waiting. */
async function pauseAt(tag: string) {
  await target.query(`CREATE SCHEMA test
    CREATE TABLE pause ()`);
  await target.query(`CREATE FUNCTION test.pause() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN LOCK TABLE test.pause; END $$`);
  await target.query(`CREATE EVENT TRIGGER pause ON ddl_command_start WHEN TAG IN ('${tag}')
    EXECUTE FUNCTION test.pause()`);
  return target.holdLock('LOCK TABLE test.pause');
}

const waitForPause = () => eventually('the pause', () => countSessions(`wait_event_type = 'Lock'`));

withPgDump('a restore that is killed after the data is ended by the next one', async () => {
  const resume = await pauseAt('CREATE TRIGGER');

  const program = startMaintenance('restore', [backup], environment());
  await waitForPause();
  program.signal('SIGKILL');
  await program.exited;
  await expectUnfinished('FILE');
  // psql and its session still wait. Without them, the next restore would wait too.
  expect(await countSessions(`wait_event_type = 'Lock'`)).toBe(1);
  await target.query('ALTER EVENT TRIGGER pause DISABLE');
  const repeated = restore(backup);
  // ANALYZE, which comes after the data, waits for the table that the test has locked.
  await eventually('the data', () =>
    countSessions(`wait_event_type = 'Lock' AND query = 'ANALYZE'`),
  );
  await resume();
  expect((await repeated).output).toContain('The data is restored');
  await expectRestored();
});

withPgDump('a restore that is killed amid its last steps is finished by --finish', async () => {
  // ANALYZE needs this lock, and nothing else does.
  const resume = await target.holdLock('LOCK TABLE pg_largeobject IN SHARE UPDATE EXCLUSIVE MODE');
  const program = startMaintenance('restore', [backup], environment());
  await waitForPause();
  expect((await restore(backup)).output).toContain('Another restore of this database is running.');
  program.signal('SIGKILL');
  await program.exited;
  await expectUnfinished('--finish');
  expect(await backUp(target)).toMatchObject({
    code: 1,
    output: expect.stringContaining(UNFINISHED) as unknown,
  });
  await eventually(
    'the end of the session',
    async () => (await countSessions(`wait_event_type = 'Lock'`)) === 0,
  );
  const refused = await restore(backup);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('To run its last steps, run npm run restore -- --finish');
  await resume();
  expect((await restore('--finish')).output).toContain('The data is restored');
  await expectRestored();
  const again = await restore('--finish');
  expect(again).toEqual({
    code: 1,
    output: 'This database has no unfinished restore: there is nothing to do.\n',
  });
});

const backUp = (database: TestDatabase, path = join(folder, 'other.backup')) =>
  runMaintenance('backup', [path], { ...galley.environment, ...urlsOf(database) });

withPgDump('a damaged backup and a backup of another schema store nothing', async () => {
  const newer = join(folder, 'newer.backup');
  await galley.database.query(
    `INSERT INTO migrations (timestamp, name) VALUES (2000000000000, 'Later2000000000000')`,
  );
  expect((await backUp(galley.database, newer)).code).toBe(0);
  await galley.database.query(`DELETE FROM migrations WHERE name = 'Later2000000000000'`);
  const refused = await restore(newer);
  expect(refused.output).toBe(
    'The backup was made by a newer release of Galley: restore it with that release (Later2000000000000).\n',
  );
  expect(await target.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);

  const fromInput = startMaintenance('restore', ['-'], environment());
  fromInput.child.stdin.end(await readFile(newer));
  expect((await fromInput.exited)[0]).toBe(1);
  expect(fromInput.output).toContain('restore it with that release (Later2000000000000)');

  const earlier = join(folder, 'earlier.backup');
  await galley.database.query(
    `INSERT INTO migrations (timestamp, name) VALUES (1763683200000, 'Identity1763683200000')`,
  );
  // By pg_dump, because `backup` refuses this schema.
  const { status } = spawnSync('pg_dump', [
    '--format=custom',
    '--exclude-schema=bullmq',
    `--file=${earlier}`,
    galley.database.url,
  ]);
  await galley.database.query(`DELETE FROM migrations WHERE name = 'Identity1763683200000'`);
  expect(status).toBe(0);
  expect((await restore(earlier)).output).toMatch(/^The backup has the schema of Galley 0\.1\.0/);
  const earlierFromInput = startMaintenance('restore', ['-'], environment());
  earlierFromInput.child.stdin.end(await readFile(earlier));
  expect((await earlierFromInput.exited)[0]).toBe(1);
  expect(earlierFromInput.output).toContain('The backup has the schema of Galley 0.1.0');

  const damaged = startMaintenance('restore', ['-'], environment());
  const content = await readFile(backup);
  damaged.child.stdin.on('error', () => undefined);
  damaged.child.stdin.end(content.subarray(0, content.length / 2));
  expect((await damaged.exited)[0]).toBe(1);
  expect(damaged.output).toContain('pg_restore failed');
  expect(await target.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual(
    [{ tablename: 'unfinished_restore' }],
  );
  expect((await restore(backup)).code).toBe(0);
  await expectRestored();
});

withPgDump('a database without tables of Galley is neither saved nor opened', async () => {
  const path = join(folder, 'none.backup');
  const refuses = async (program: string, args: string[], sentence: string) => {
    const { code, output } = await runMaintenance(program, args, environment());
    expect([code, output]).toEqual([1, expect.stringMatching(new RegExp(`^${sentence}.*\n$`))]);
  };
  const commands: [string, string[]][] = [
    ['admin', ['backlog']],
    ['admin', ['webhooks', 'pause', randomUUID(), '--reason', 'x']],
    ['erase-user', ['ada@example.com']],
    ['workspace', ['export', workspaceId, path]],
    ['workspace', ['import', path, '--owner', 'ada@example.com']],
  ];
  await refuses('backup', [path], 'The database has no Galley tables');
  for (const [program, args] of commands) {
    await refuses(program, args, 'The database has no Galley tables');
  }
  await target.query(`
    CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);
    INSERT INTO migrations (timestamp, name) VALUES (1763683200000, 'Identity1763683200000')`);
  // TypeORM's table alone may be that of another application.
  await refuses('backup', [path], 'The database has no Galley tables');
  await target.query('CREATE TABLE workspace_members ()');
  for (const [program, args] of [['backup', [path]] as const, ...commands]) {
    await refuses(program, [...args], 'The database has the schema of Galley 0.1.0');
  }
  expect(await readiness()).toEqual([
    503,
    expect.stringContaining('The database has the schema of Galley 0.1.0'),
  ]);
  await target.query('CREATE TABLE unfinished_restore ()');
  for (const [program, args] of commands) await refuses(program, args, UNFINISHED);
});

const files = async () => (await readdir(folder)).filter((name) => name.startsWith('cut.')).sort();

it.each([
  ['backup', 'documents', (path: string) => [path]],
  ['workspace', 'document_versions', (path: string) => ['export', workspaceId, path]],
] as const)(
  'an interrupted %s leaves no file that looks complete',
  async (program, table, argumentsFor) => {
    if (program === 'backup' && !(await canDump())) return;
    const args = argumentsFor(join(folder, 'cut.file'));
    const start = async () => {
      const commit = await galley.database.holdLock(`LOCK TABLE ${table}`);
      const running = startMaintenance(program, args, galley.environment);
      await eventually('the file', async () => (await files()).length > 0);
      await eventually('the lock', async () => {
        const rows = await galley.database.query(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`,
        );
        return rows.length > 0;
      });
      return { running, commit };
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { running, commit } = await start();
      running.signal(signal);
      expect((await running.exited)[0]).toBe(signal === 'SIGTERM' ? 143 : 130);
      expect(await files()).toEqual([]);
      await commit();
    }
    const { running, commit } = await start();
    running.signal('SIGKILL');
    await running.exited;
    await commit();
    await eventually('the end of pg_dump', async () => {
      const sessions = await galley.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ('pg_dump', 'galley maintenance')`,
      );
      return sessions.length === 0;
    });
    expect(await files()).toEqual(['cut.file.partial']);
    const { code } = await runMaintenance(program, args, galley.environment);
    expect([code, await files()]).toEqual([0, ['cut.file']]);
    await rm(join(folder, 'cut.file'));
  },
);

it('a signal before a file is opened leaves no file', async () => {
  const path = join(folder, 'early.file');
  const command = `
    import { abortOnSignals, runCommand } from './dist/apps/maintenance/command.js';
    import { saveFile } from './dist/apps/maintenance/save-file.js';
    import { once } from 'node:events';
    await runCommand(async () => {
      const signal = abortOnSignals();
      process.stderr.write('Runs.');
      process.stdin.resume();
      await once(signal, 'abort');
      process.stdin.destroy();
      await saveFile(${JSON.stringify(path)}, (async function* () { yield 'x'; })(), signal);
    });`;
  const program = new Program(process.execPath, ['--input-type=module', '--eval', command]);
  await program.waitForOutput('Runs.');
  program.signal('SIGINT');
  expect(await program.exited).toEqual([130, null]);
  expect((await readdir(folder)).filter((name) => name.startsWith('early'))).toEqual([]);
});

const SLOW_COMMAND = `
  import { once } from 'node:events';
  import { abortOnSignals, runCommand } from './dist/apps/maintenance/command.js';
  await runCommand(async () => {
    const signal = abortOnSignals();
    process.stderr.write('Runs.');
    process.stdin.resume();
    await once(signal, 'abort');
    await once(process.stdin, 'end');
    process.stderr.write('Cleaned up.');
    signal.throwIfAborted();
  });`;

it('a second signal does not end a command that cleans up', async () => {
  const program = new Program(process.execPath, ['--input-type=module', '--eval', SLOW_COMMAND]);
  await program.waitForOutput('Runs.');
  // At Ctrl+C, npm passes on the signal that the terminal has sent to the command already.
  program.signal('SIGINT');
  await program.waitForOutput('Interrupted by SIGINT.');
  program.signal('SIGINT');
  program.child.stdin.end();
  expect(await program.exited).toEqual([130, null]);
  expect(program.output).toContain('Cleaned up.');
});
