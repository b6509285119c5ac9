import { widths } from '../pictures/resize.js';

/** The key of the copy with this width. */
export const variantKey = (storageKey: string, width: number): string => `${storageKey}.w${width}`;

/** The keys of all copies that a picture may have. */
export const variantKeys = (storageKey: string): string[] =>
  widths.map((width) => variantKey(storageKey, width));
