import { extensions, type PictureType } from '../pictures/picture.js';

const MAX_LENGTH = 60;

/** The last part of the public URL: the name in ASCII, with the extension of the type. It never changes. */
export function fileNameOf(name: string, type: PictureType): string {
  const stem = name
    .replace(/\.(?:png|jpe?g|gif|webp|svg)$/i, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z\d]+/gi, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `${stem || 'picture'}.${extensions[type]}`;
}
