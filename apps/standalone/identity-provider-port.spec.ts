import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectory } from './data-directory.js';
import { identityProviderPort } from './identity-provider-port.js';
import { createSigningKeys, startIdentityProvider } from './identity-provider.js';

const API_PORT = 3000;
let path: string;
let directory: DataDirectory;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'galley-identity-provider-port-'));
  directory = new DataDirectory(path);
});
afterEach(async () => {
  directory.release();
  await rm(path, { recursive: true });
});

async function occupied<T>(port: number, action: () => Promise<T>): Promise<T> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await action();
  } finally {
    server.close();
    await once(server, 'close');
  }
}

test('is the same at every start, and with it the issuer', async () => {
  const signingKeys = await createSigningKeys();
  const start = async () =>
    startIdentityProvider({
      signingKeys,
      audience: 'galley',
      port: await identityProviderPort(directory, API_PORT),
    });
  const first = await start();
  await first.stop();
  directory.release();
  directory = new DataDirectory(path);
  const second = await start();
  await second.stop();
  expect(second.origin).toBe(first.origin);
});

test("is another one than the API's, from 3002 upwards", async () => {
  const free = await identityProviderPort(directory, API_PORT);
  expect(free).toBeGreaterThanOrEqual(3002);
  const other = await mkdtemp(join(tmpdir(), 'galley-identity-provider-port-'));
  const beside = new DataDirectory(other);
  expect(await identityProviderPort(beside, free)).toBeGreaterThan(free);
  beside.release();
  await rm(other, { recursive: true });
});

test('is kept when it is taken: what to do is said', async () => {
  const port = await identityProviderPort(directory, API_PORT);
  const later = () => identityProviderPort(directory, API_PORT);
  await expect(occupied(port, later)).rejects.toThrow(`Port ${port}, where the identity provider`);
  await expect(identityProviderPort(directory, port)).rejects.toThrow('set PORT to another one');
  await expect(later()).resolves.toBe(port);
});
