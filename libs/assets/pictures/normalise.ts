import { open, readFile, stat } from 'node:fs/promises';
import { DomainError } from '#errors';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { HEAD_BYTES, identify, type Picture, type PictureType } from './picture.js';
import { loadSharp } from './sharp.js';

/**
 * The largest number of pixels, of all frames together. Decoded, each pixel takes four bytes. A file of a few kilobytes
 * can declare billions of pixels, so the number is compared before anything is decoded.
 */
export const MAX_PIXELS = 40_000_000;

// An SVG is drawn at twice its size, so that it is sharp on screens with a high density.
const SVG_DENSITY = 144;
const MAX_SVG_BYTES = 1024 * 1024;
// The time limit of sharp does not end the drawing of an SVG. These elements and entities make a short SVG draw for
// hours, and the pictures of emails need none of them.
const ENDLESS_IN_SVG =
  /<!(?:ENTITY|DOCTYPE[^>]*\[)|<(?:[\w-]+:)?(?:filter|fe\w+|pattern|mask|use|image)\b/i;

// A picture of `MAX_PIXELS` takes about two seconds.
const MAX_SECONDS = 15;
// The default of 80 is visible in pictures that were compressed before.
const QUALITY = 90;

const OPTIONS: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: true };

/** A picture that is ready to be stored. */
export interface NormalisedPicture extends Picture {
  /** The path of the file: the uploaded file, or `output`. */
  file: string;
}

/**
 * Identifies an uploaded file and removes what must not be published, such as the place in which a photograph was taken
 * (EXIF). A file without such data stays as it is, byte for byte. An SVG becomes a PNG, because an SVG may contain
 * scripts.
 * @param output the path at which the function may write another file.
 * @param maxBytes the largest picture that may be stored.
 * @throws DomainError `invalid` if the file is not a picture of a known type, is damaged, has too many pixels, or becomes
 * larger than `maxBytes`.
 */
export async function normalisePicture(
  file: string,
  output: string,
  maxBytes: number,
): Promise<NormalisedPicture> {
  const picture = await normalise(file, output);
  if (picture.bytes <= maxBytes) return picture;
  const message = `file would take ${picture.bytes} bytes as ${picture.type}; at most ${maxBytes} are allowed`;
  throw DomainError.invalid('file', message);
}

async function normalise(file: string, output: string): Promise<NormalisedPicture> {
  const format = identify(await readHead(file));
  if (format === undefined) {
    throw DomainError.invalid('file', 'file must be a PNG, JPEG, GIF, WebP or SVG picture');
  }
  const sharp = await loadSharp();
  try {
    if (format === 'svg') {
      // From memory, because librsvg lets an SVG in a file include other files of the same folder.
      const source = await readSvg(file);
      return await write(sharp(source, { ...OPTIONS, density: SVG_DENSITY }).png(), output);
    }
    const picture = sharp(file, OPTIONS);
    const metadata = await picture.metadata();
    if (metadata.format !== format) throw new Error(`libvips found ${metadata.format}.`);
    if (!hasPrivateData(metadata)) {
      await decode(sharp(file, OPTIONS));
      const { size: bytes } = await stat(file);
      const { width, pageHeight: height = metadata.height } = metadata;
      return { file, type: `image/${format}`, width, height, bytes };
    }
    const isTurned = (metadata.orientation ?? 1) > 1;
    const upright = isTurned ? picture.autoOrient() : picture;
    return await write(encode(upright, metadata), output);
  } catch (error) {
    throw error instanceof DomainError ? error : explain(error);
  }
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readSvg(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > MAX_SVG_BYTES)
    throw DomainError.invalid('file', 'file must be an SVG of at most 1 MiB');
  const source = await readFile(file);
  if (!ENDLESS_IN_SVG.test(source.toString('latin1'))) return source;
  const names = 'filter, pattern, mask, use, image or entities';
  throw DomainError.invalid('file', `file must be an SVG without ${names}; send it as a PNG`);
}

/** Whether a file says more than how the picture looks. A GIF has no standard place for such data. */
const hasPrivateData = ({ format, exif, iptc, xmp, comments, orientation }: Metadata): boolean =>
  format !== 'gif' &&
  [exif, iptc, xmp, comments?.[0], (orientation ?? 1) > 1 || undefined].some(
    (data) => data !== undefined,
  );

/** Encodes without metadata, which sharp leaves out by default, in the colours of the web (sRGB). */
const encode = (picture: Sharp, { format, isPalette }: Metadata): Sharp =>
  format === 'png'
    ? picture.png({ compressionLevel: 9, palette: isPalette })
    : picture.toFormat(format, { quality: QUALITY });

async function write(picture: Sharp, output: string): Promise<NormalisedPicture> {
  const info = await picture.timeout({ seconds: MAX_SECONDS }).toFile(output);
  const type = `image/${info.format}` as PictureType;
  return {
    file: output,
    type,
    width: info.width,
    height: info.pageHeight ?? info.height,
    bytes: info.size,
  };
}

/** Decodes all pixels, because the header of a damaged file may be intact. */
async function decode(picture: Sharp): Promise<void> {
  await picture.resize({ width: 1 }).timeout({ seconds: MAX_SECONDS }).raw().toBuffer();
}

/** The messages of libvips name files of this machine, so callers do not get them. */
function explain(cause: unknown): DomainError {
  const { message = '' } = cause as Partial<Error>;
  const problem = message.includes('pixel limit')
    ? `file must have at most ${MAX_PIXELS / 1_000_000} million pixels, in all frames together`
    : message.includes('timeout')
      ? 'file takes too long to draw; send a simpler picture'
      : 'file must be a picture that is complete and not damaged';
  return Object.assign(DomainError.invalid('file', problem), { cause });
}
