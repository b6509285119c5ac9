import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Picture } from './picture.js';
import { MAX_PIXELS } from './normalise.js';
import { loadSharp } from './sharp.js';

/**
 * The widths in which a picture can be requested, in pixels: for thumbnails, phones and emails, each also for screens
 * of twice the density. The list is fixed and short, so that nobody can fill the storage with sizes.
 */
export const widths = [160, 320, 640, 1200] as const;

const MAX_SECONDS = 15;
const QUALITY = 85;

/** Draws a smaller copy of a picture to `output`. All frames of an animation are kept. */
export async function resizePicture(
  source: Readable,
  { type }: Pick<Picture, 'type'>,
  width: number,
  output: string,
): Promise<void> {
  const sharp = await loadSharp();
  // sharp would collect the stream as well, and never end if the stream breaks.
  const picture = sharp(await buffer(source), {
    limitInputPixels: MAX_PIXELS,
    animated: true,
  }).resize({ width });
  const encoded =
    type === 'image/jpeg'
      ? picture.jpeg({ quality: QUALITY })
      : type === 'image/webp'
        ? picture.webp({ quality: QUALITY })
        : type === 'image/gif'
          ? picture.gif()
          : picture.png();
  await encoded.timeout({ seconds: MAX_SECONDS }).toFile(output);
}
