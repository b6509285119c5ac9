import { texts } from '../texts/index.js';

const SECOND = 1_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
];
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const exactFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

export const formatExact = (time: string | Date): string => exactFormat.format(new Date(time));

const { justNow, inAFewSeconds } = texts.common;
// Waits below this are not counted down, because the clocks of the browser and of Galley may differ.
const SOON = 10 * SECOND;

/** Formats a distance from now in the largest unit that fits: "in 5 minutes", "3 hours ago", "just now". */
export function formatRelative(milliseconds: number): string {
  for (const [unit, length] of UNITS) {
    if (Math.abs(milliseconds) >= length) {
      return relativeFormat.format(Math.trunc(milliseconds / length), unit);
    }
  }
  return milliseconds > 0 ? relativeFormat.format(0, 'second') : justNow;
}

/** Formats the distance to a time that has passed. A time ahead of the page's clock is just now. */
export const formatAgo = (milliseconds: number): string =>
  formatRelative(Math.min(0, milliseconds));

/** Formats the time until Galley does something that it has announced: "in a few seconds", "in 2 minutes". */
export const formatWait = (milliseconds: number): string =>
  milliseconds < SOON ? inAFewSeconds : formatRelative(milliseconds);
