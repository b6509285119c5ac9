import type sharpModule from 'sharp';

type Sharp = typeof sharpModule;

// The decoders of the formats that Galley accepts. The other decoders of libvips are blocked, so that a mistake in one
// of them cannot be reached.
const DECODERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Svg'].map((name) => `VipsForeignLoad${name}`);

let loaded: Promise<Sharp> | undefined;

/**
 * Loads sharp with its first use, because sharp takes 30 MB of memory, which a worker and an API without pictures do not
 * need.
 *
 * No thread of our own is necessary. Sharp decodes and encodes in the threads of libuv, and the event loop only waits:
 * while six photographs of 20 megapixels were cleaned on two busy cores, 99 % of its turns were at most 6 ms late. Files
 * and DNS use the four threads of libuv, too. `PictureQueues` therefore runs two pictures at a time, and each picture
 * has one thread.
 */
export function loadSharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    // The cache would keep decoded pictures of tenants in memory.
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: DECODERS });
    return sharp;
  });
  return loaded;
}
