import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { resizePicture } from './resize.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-resize-'));
});
afterAll(() => rm(folder, { recursive: true }));

const png = { type: 'image/png' } as const;
const resize = (source: Readable) => resizePicture(source, png, 160, join(folder, 'small.png'));

it('draws a smaller copy', async () => {
  const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } });
  await resize(Readable.from([await picture.png().toBuffer()]));
  expect(await sharp(join(folder, 'small.png')).metadata()).toMatchObject({ width: 160 });
});

it('ends if the storage fails, or stops in the middle', async () => {
  const failing = new Readable({ read: () => failing.destroy(new Error('connection reset')) });
  await expect(resize(failing)).rejects.toThrow('connection reset');
  const stopping = new Readable({ read: () => stopping.destroy() });
  await expect(resize(stopping)).rejects.toThrow();
});
