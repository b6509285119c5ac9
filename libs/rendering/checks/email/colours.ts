/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [number, number, number];

/** The colour behind a text. */
export interface Background {
  /** Undefined if the colour cannot be known, for example on an image. */
  colour: Colour | undefined;
}

const UNKNOWN: Background = { colour: undefined };

// The colour names of CSS 2.1, and `grey`. Other names count as unknown colours and cause no findings.
const NAMES: Record<string, string> = {
  black: '#000',
  silver: '#c0c0c0',
  gray: '#808080',
  grey: '#808080',
  white: '#fff',
  maroon: '#800000',
  red: '#f00',
  purple: '#800080',
  fuchsia: '#f0f',
  green: '#008000',
  lime: '#0f0',
  olive: '#808000',
  yellow: '#ff0',
  navy: '#000080',
  blue: '#00f',
  teal: '#008080',
  aqua: '#0ff',
  orange: '#ffa500',
};
const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;
const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;
const MAX_LENGTH = 40;

/** Parses a CSS colour; undefined if the colour is transparent or unknown. */
export function parseColour(text: string): Colour | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const trimmed = text.trim().toLowerCase();
  const value = Object.hasOwn(NAMES, trimmed) ? (NAMES[trimmed] ?? '') : trimmed;
  if (HEX.test(value)) {
    const digits = value.length === 4 ? value.replace(/[\da-f]/g, '$&$&') : value;
    const number = Number.parseInt(digits.slice(1), 16);
    return [number >> 16, (number >> 8) & 255, number & 255];
  }
  const [, red, green, blue] = RGB.exec(value) ?? [];
  if (red === undefined) return undefined;
  const channels: Colour = [Number(red), Number(green), Number(blue)];
  return channels.every((channel) => channel <= 255) ? channels : undefined;
}

/** Returns the background of a node: the node's own image or colour, or else the background below the node. */
export function backgroundOn(
  below: Background,
  colour: string | undefined,
  picture?: string,
): Background {
  if (picture !== undefined && picture !== '') return UNKNOWN;
  if (colour === undefined || colour === '' || colour === 'transparent') return below;
  return { colour: parseColour(colour) };
}

/** The contrast ratio of two colours, from 1 to 21, as WCAG 2.2 defines it. */
export function contrastOf(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The relative luminance of a colour, as WCAG 2.2 defines it. */
function luminanceOf([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

export const hexOf = (colour: Colour): string =>
  `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
