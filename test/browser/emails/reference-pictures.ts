import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { SCREENSHOTS } from '../support/visitor.js';

const REFERENCES = 'test/browser/emails/references';
// Smooths the edges of letters, which each machine draws a little differently.
const SHRINK_FACTOR = 4;
// A difference of colour, from 0 to 1 (black and white).
const COLOUR_TOLERANCE = 0.1;

/**
 * Fonts with the widths of Helvetica and Georgia, so that lines break at the same words on every machine.
 */
const FONTS = [
  ['Helvetica', 'arimo'],
  ['Georgia', 'gelasio'],
].flatMap(([family = '', name = '']) =>
  ['400', '700'].flatMap((weight) =>
    ['normal', 'italic'].map((style) => {
      const file = `node_modules/@fontsource/${name}/files/${name}-latin-${weight}-${style}.woff2`;
      const url = `data:font/woff2;base64,${readFileSync(file, 'base64')}`;
      return `@font-face { font-family: ${family}; font-weight: ${weight}; font-style: ${style}; src: url(${url}); }`;
    }),
  ),
);
// Otherwise the hints of the fonts, which are settings of the machine, would round the widths of letters.
const STYLE = `${FONTS.join('\n')} * { text-rendering: geometricPrecision; }`;

/** Takes a small picture of an email in a window of this width. */
export async function pictureOf(page: Page, html: string, width: number): Promise<PNG> {
  await page.setViewportSize({ width, height: 600 });
  await page.setContent(html);
  await page.addStyleTag({ content: STYLE });
  await page.evaluate('document.fonts.ready');
  return shrink(PNG.sync.read(await page.screenshot({ fullPage: true })));
}

/** Averages squares of pixels. */
function shrink(large: PNG): PNG {
  const width = Math.floor(large.width / SHRINK_FACTOR);
  const small = new PNG({ width, height: Math.floor(large.height / SHRINK_FACTOR) });
  for (let index = 0; index < small.data.length; index++) {
    const [pixel, channel] = [Math.floor(index / 4), index % 4];
    const [left, top] = [
      (pixel % width) * SHRINK_FACTOR,
      Math.floor(pixel / width) * SHRINK_FACTOR,
    ];
    let sum = 0;
    for (let y = top; y < top + SHRINK_FACTOR; y++) {
      for (let x = left; x < left + SHRINK_FACTOR; x++) {
        sum += large.data[(y * large.width + x) * 4 + channel] ?? 0;
      }
    }
    small.data[index] = Math.round(sum / SHRINK_FACTOR ** 2);
  }
  return small;
}

/** The reference of this name. With `GENERATE=true`, the picture becomes the reference. */
export function referenceOf(name: string, picture?: PNG): PNG {
  const path = join(REFERENCES, `${name}.png`);
  if (picture && process.env['GENERATE'] === 'true') {
    mkdirSync(REFERENCES, { recursive: true });
    writeFileSync(path, PNG.sync.write(picture));
  }
  if (!existsSync(path)) throw new Error(`${path} is missing: run the test with GENERATE=true.`);
  return PNG.sync.read(readFileSync(path));
}

/** How much two pictures differ. */
export interface Difference {
  /** Of the height, in pixels of the email. */
  height: number;
  /** The share of the pixels that have another colour. */
  share: number;
}

/** Compares two pictures. The folder of the screenshots shows the differences. */
export function compare(picture: PNG, reference: PNG, name: string): Difference {
  const { width } = picture;
  const height = Math.min(picture.height, reference.height);
  const size = width * height * 4;
  const shown = new PNG({ width, height });
  const count = pixelmatch(
    picture.data.subarray(0, size),
    reference.data.subarray(0, size),
    shown.data,
    width,
    height,
    { threshold: COLOUR_TOLERANCE, includeAA: true },
  );
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(join(SCREENSHOTS, `email-${name}-difference.png`), PNG.sync.write(shown));
  return {
    height: Math.abs(picture.height - reference.height) * SHRINK_FACTOR,
    share: count / (width * height),
  };
}
