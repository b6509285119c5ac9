import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { MAX_PIXELS, normalisePicture } from './normalise.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-normalise-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function normalise(content: Buffer | string, maxBytes = 100_000_000) {
  const file = join(folder, 'uploaded');
  await writeFile(file, content);
  const picture = await normalisePicture(file, join(folder, 'normalised'), maxBytes);
  return { ...picture, content: await readFile(picture.file) };
}

const red = { r: 200, g: 30, b: 30 };
const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red } });

/** Two frames, above each other. */
const animation = () =>
  sharp(Buffer.alloc(20 * 20 * 3, 120), {
    raw: { width: 20, height: 20, channels: 3, pageHeight: 10 },
  });

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG of some hundred bytes that declares a huge size. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = chunk('IDAT', deflateSync(Buffer.alloc(1000)));
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))]);
}

describe('a picture without metadata stays as it is', () => {
  it.each([
    ['png', () => draw(30, 20).png(), 20],
    ['jpeg', () => draw(30, 20).jpeg(), 20],
    ['webp', () => draw(30, 20).webp(), 20],
    ['gif', () => draw(30, 20).gif(), 20],
  ])('%s', async (format, create, height) => {
    const content = await create().toBuffer();
    const { type, width, ...picture } = await normalise(content);
    expect(picture.content.equals(content)).toBe(true);
    expect([type, width, picture.height, picture.bytes]).toEqual([
      `image/${format}`,
      30,
      height,
      content.length,
    ]);
  });

  it('an animated GIF has the size of one frame', async () => {
    const content = await animation().gif().toBuffer();
    expect(await normalise(content)).toMatchObject({ type: 'image/gif', width: 20, height: 10 });
  });
});

it.each(['png', 'jpeg', 'webp'] as const)('metadata of a %s are removed', async (format) => {
  const content = await draw(30, 20)
    .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
    .toFormat(format)
    .toBuffer();
  expect(content.includes('Ada')).toBe(true);
  const picture = await normalise(content);
  expect(picture.content.includes('Ada')).toBe(false);
  const { exif, xmp, width, height } = await sharp(picture.content).metadata();
  expect({ exif, xmp, width, height }).toEqual({ width: 30, height: 20 });
  expect(picture).toMatchObject({ type: `image/${format}`, width: 30, height: 20 });
});

it('a turned photograph is turned upright', async () => {
  const content = await draw(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await normalise(content)).toMatchObject({ width: 20, height: 30 });
});

it('an SVG becomes a PNG at twice its size, without its scripts', async () => {
  const svg = `\uFEFF<?xml version="1.0"?><!-- a logo -->
    <svg xmlns="http://www.w3.org/2000/svg" width="12" height="8"><script>alert(1)</script>
    <rect width="12" height="8" fill="#c81e1e"/></svg>`;
  const { content, ...picture } = await normalise(svg);
  expect(picture).toMatchObject({ type: 'image/png', width: 24, height: 16 });
  expect(content.includes('script')).toBe(false);
});

it('an SVG cannot include other pictures', async () => {
  const image = '<image href="other.png" width="12" height="8"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="12" height="8">${image}</svg>`;
  await expect(normalise(svg)).rejects.toThrow('without filter, pattern, mask, use, image');
});

describe('what is no picture is refused', () => {
  const cases: [title: string, create: () => Buffer | string | Promise<Buffer>, message: string][] =
    [
      ['nothing', () => '', 'must be a PNG, JPEG, GIF, WebP or SVG picture'],
      ['a page', () => '<html><svg-like></html>', 'must be a PNG'],
      ['a TIFF', () => draw(3, 2).tiff().toBuffer(), 'must be a PNG'],
      [
        'a PNG in name only',
        () => Buffer.from('\x89PNG\r\n\x1a\nhello', 'latin1'),
        'complete and not damaged',
      ],
      ['a bomb', () => bomb(50_000, 50_000), 'at most 40 million pixels'],
      ['a bomb of one row', () => bomb(MAX_PIXELS + 1, 1), ''],
      [
        'an SVG of a huge size',
        () => '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>',
        '',
      ],
      ['an SVG that is no XML', () => '<svg <svg', 'complete and not damaged'],
      ['an SVG of 2 MiB', () => `<svg>${' '.repeat(2 ** 21)}</svg>`, 'at most 1 MiB'],
      [
        'half of a JPEG',
        async () => {
          const noise = await sharp({
            create: {
              width: 300,
              height: 300,
              channels: 3,
              background: red,
              noise: { type: 'gaussian', mean: 128, sigma: 60 },
            },
          })
            .jpeg()
            .toBuffer();
          return noise.subarray(0, noise.length / 2);
        },
        'complete and not damaged',
      ],
    ];

  it.each(cases)('%s', async (_title, create, message) => {
    const content = await create();
    await expect(normalise(Buffer.from(content))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message),
    });
  });
});

describe('an SVG that would be drawn for hours is refused', () => {
  it.each(['<filter id="f"/>', '<svg:use href="#a"/>', '<feTurbulence/>', '<mask/>'])(
    '%s',
    (inside) =>
      expect(
        normalise(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`),
      ).rejects.toThrow('without filter, pattern, mask, use, image or entities'),
  );
});

it('a picture that becomes too large is refused', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="9" height="9"/></svg>';
  await expect(normalise(svg, 100)).rejects.toThrow('at most 100 are allowed');
});
