import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFauxqs, type FauxqsServer } from 'fauxqs';
import { createStorage } from './create-storage.js';
import type { Storage } from './storage.js';

let folder: string;
let server: FauxqsServer;
let storages: Record<'a folder' | 'a bucket', Storage>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-storages-'));
  server = await startFauxqs({ port: 0, logger: false });
  server.createBucket('pictures');
  storages = {
    'a folder': await createStorage({ folder: join(folder, 'storage') }),
    'a bucket': await createStorage(bucketAt(server.port)),
  };
});
afterAll(async () => {
  for (const storage of Object.values(storages)) storage.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

const bucketAt = (port: number) => ({
  endpoint: `http://127.0.0.1:${port}`,
  region: 'us-east-1',
  bucket: 'pictures',
  prefix: 'galley/',
  credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
});

const newKey = () => `${randomUUID()}/${randomUUID()}`;

async function createFile(content: Buffer): Promise<string> {
  const file = join(folder, randomUUID());
  await writeFile(file, content);
  return file;
}

describe.each(['a folder', 'a bucket'] as const)('%s', (name) => {
  it.each([0, 10, 12 * 2 ** 20])('stores, returns and deletes a file of %i bytes', async (size) => {
    const storage = storages[name];
    const content = Buffer.alloc(size, 'galley');
    const key = newKey();
    await storage.put(key, await createFile(content), 'image/png');
    const stored = await storage.get(key);
    expect(stored?.bytes).toBe(size);
    if (stored) expect((await buffer(stored.stream)).equals(content)).toBe(true);
    await storage.delete(key);
    expect(await storage.get(key)).toBeUndefined();
    await storage.delete(key);
  });

  it.each(['../x', '/etc/passwd', 'a/b', `${newKey()}/../../x`, `${newKey()}.w`, ''])(
    'refuses the key %s',
    async (key) => {
      const file = await createFile(Buffer.from('x'));
      await expect(storages[name].put(key, file, 'image/png')).rejects.toThrow('malformed');
      await expect(storages[name].get(key)).rejects.toThrow('malformed');
      await expect(storages[name].delete(key)).rejects.toThrow('malformed');
    },
  );

  it('keeps a copy beside its original', async () => {
    const key = newKey();
    await storages[name].put(`${key}.w320`, await createFile(Buffer.from('small')), 'image/png');
    expect(await storages[name].get(key)).toBeUndefined();
    const copy = await storages[name].get(`${key}.w320`);
    copy?.stream.destroy();
    expect(copy?.bytes).toBe(5);
  });
});

it('a folder has no file of a copy that failed', async () => {
  const storage = storages['a folder'];
  const key = newKey();
  await expect(storage.put(key, join(folder, 'missing'), 'image/png')).rejects.toThrow('ENOENT');
  expect(await storage.get(key)).toBeUndefined();
  expect(await readdir(storage.uploadFolder)).toEqual([]);
});

it('a folder that cannot be created stops the program with a sentence', async () => {
  const file = await createFile(Buffer.from('x'));
  await expect(createStorage({ folder: join(file, 'storage') })).rejects.toThrow(
    'The folder of ASSETS_STORAGE cannot be used',
  );
});

it('the objects of a bucket begin with the prefix, and keep their type', async () => {
  const key = newKey();
  await storages['a bucket'].put(key, await createFile(Buffer.from('x')), 'image/webp');
  const response = await fetch(`http://127.0.0.1:${server.port}/pictures/galley/${key}`);
  expect(response.headers.get('content-type')).toBe('image/webp');
});

it('a server that does not respond makes the storage unavailable', async () => {
  const lost = await createStorage(bucketAt(1));
  const file = await createFile(Buffer.from('x'));
  const refusal = {
    code: 'unavailable',
    message: 'The storage of pictures does not respond; retry later.',
  };
  await expect(lost.put(newKey(), file, 'image/png')).rejects.toMatchObject(refusal);
  await expect(lost.get(newKey())).rejects.toMatchObject(refusal);
  await expect(lost.delete(newKey())).rejects.toMatchObject(refusal);
  lost.close();
});
