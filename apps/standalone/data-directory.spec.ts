import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServiceUrls, DataDirectory } from './data-directory.js';

const urls = {
  api: 'http://127.0.0.1:3000',
  worker: 'http://127.0.0.1:3001',
  apiMetrics: 'http://127.0.0.1:9464/metrics',
  workerMetrics: 'http://127.0.0.1:9465/metrics',
  identityProvider: 'http://127.0.0.1:3002',
  sampleReceiver: 'http://127.0.0.1:4001/sample-receiver',
  mailCatcher: 'http://127.0.0.1:8025/emails',
  databaseUrl: 'postgres://galley:secret@127.0.0.1:5432/galley',
};
let path: string;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'galley-data-directory-'));
});
afterEach(() => rm(path, { recursive: true }));

test('only one process at a time can use the data directory', () => {
  const first = new DataDirectory(path);
  expect(() => new DataDirectory(path)).toThrow('Galley is already running with its data in');
  first.release();
  new DataDirectory(path).release();
});

test('the error names a data directory that cannot be used', async () => {
  const file = join(path, 'file');
  await writeFile(file, '');
  expect(() => new DataDirectory(file)).toThrow(`The data directory ${file} cannot be used`);
});

test('generated settings are stored, and only their owner can read them', async () => {
  const directory = new DataDirectory(path);
  await expect(directory.readOrCreate('key', () => 'first')).resolves.toBe('first');
  await expect(directory.readOrCreate('key', () => 'second')).resolves.toBe('first');
  expect((await stat(join(path, 'key'))).mode & 0o777).toBe(0o600);
  directory.release();
});

test('other programs can look up the URLs of a running Galley', async () => {
  await expect(readServiceUrls(path)).rejects.toThrow('No running Galley');
  const directory = new DataDirectory(path);
  await directory.markStarting();
  await expect(readServiceUrls(path)).rejects.toThrow('Galley is not ready yet');
  await directory.markReady(urls);
  await expect(readServiceUrls(path)).resolves.toEqual(urls);
  directory.release();
  await expect(readServiceUrls(path)).rejects.toThrow('No running Galley');
});

test('the next start detects an unclean shutdown', async () => {
  const directory = new DataDirectory(path);
  expect(directory.hadUncleanShutdown).toBe(false);
  await directory.markStarting();
  directory.release();
  await writeFile(join(path, 'standalone.json'), '{}');
  const next = new DataDirectory(path);
  expect(next.hadUncleanShutdown).toBe(true);
  next.release();
});
