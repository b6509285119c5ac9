import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from './postgres.js';

const flags = ['-c', 'fsync=off'];
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'galley-postgres-'));
});
afterEach(() => rm(dataDir, { recursive: true, maxRetries: 10 }));

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('data survives a restart, and PostgreSQL listens only on the loopback address', async () => {
  const first = await startPostgres({ dataDir, flags });
  await query(first.urlOf('postgres'), 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  await expect(query(first.urlOf('postgres'), 'SELECT')).rejects.toThrow('ECONNREFUSED');

  const second = await startPostgres({ dataDir, flags });
  const url = second.urlOf('postgres');
  await expect(query(url, 'SELECT answer FROM kept')).resolves.toEqual([{ answer: 42 }]);
  await expect(query(url, 'SHOW listen_addresses')).resolves.toEqual([
    { listen_addresses: '127.0.0.1' },
  ]);
  await expect(query(url, 'SHOW fsync')).resolves.toEqual([{ fsync: 'off' }]);
  await second.stop();
});

test('a connection requires the password', async () => {
  const postgres = await startPostgres({ dataDir, flags });
  const url = new URL(postgres.urlOf('postgres'));
  url.password = 'guess';
  await expect(query(url.href, 'SELECT')).rejects.toThrow('password authentication failed');
  await postgres.stop();
});

test('an interrupted first start is repeated', async () => {
  await mkdir(join(dataDir, 'postgres.new', 'data', 'base'), { recursive: true });
  const postgres = await startPostgres({ dataDir, flags });
  await expect(query(postgres.urlOf('postgres'), 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  await postgres.stop();
});

test('an orphaned server on the same data is stopped', async () => {
  const orphan = await startPostgres({ dataDir, flags });
  const restarted = await startPostgres({ dataDir, flags });
  await orphan.exited;
  await expect(query(restarted.urlOf('postgres'), 'SELECT 1 AS one')).resolves.toEqual([
    { one: 1 },
  ]);
  await restarted.stop();
});

test('an unrelated process with the process id of an earlier server keeps running', async () => {
  const stopped = await startPostgres({ dataDir, flags });
  const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const lines = (await readFile(pidFile, 'utf8')).split('\n');
  await stopped.stop();

  const unrelatedProcess = spawn('sleep', ['60']);
  await once(unrelatedProcess, 'spawn');
  await writeFile(pidFile, [String(unrelatedProcess.pid), ...lines.slice(1)].join('\n'));
  const restarted = await startPostgres({ dataDir, flags });
  expect(unrelatedProcess.exitCode ?? unrelatedProcess.signalCode).toBeNull();
  await restarted.stop();
  unrelatedProcess.kill();
});

test('`exited` resolves with the signal that ended the server', async () => {
  const postgres = await startPostgres({ dataDir, flags });
  const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid');
  process.kill(Number.parseInt(await readFile(pidFile, 'utf8')), 'SIGKILL');
  await expect(postgres.exited).resolves.toBe('SIGKILL');
});

test('the error of a failed start contains the log', async () => {
  const startup = startPostgres({ dataDir, flags: ['-c', 'no_such_setting=on'] });
  await expect(startup).rejects.toThrow('unrecognized configuration parameter "no_such_setting"');
});
