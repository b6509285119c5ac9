import { texts } from '../texts.js';

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
// Shorter waits are not counted down, because the browser's clock and Galley's may differ.
const SOON = 10 * SECOND;

/** Formats a time relative to now, in the largest unit that fits: "in 5 minutes", "3 hours ago", "just now". */
export function formatRelative(milliseconds: number): string {
  for (const [unit, length] of UNITS) {
    if (Math.abs(milliseconds) >= length) {
      return relativeFormat.format(Math.trunc(milliseconds / length), unit);
    }
  }
  return milliseconds > 0 ? relativeFormat.format(0, 'second') : justNow;
}

/**
 * Formats a time in the past relative to now. If the time seems to be in the future because the browser's clock is
 * behind, the result is "just now".
 */
export const formatAgo = (milliseconds: number): string =>
  formatRelative(Math.min(0, milliseconds));

/** Formats the time until a scheduled action of Galley: "in a few seconds", "in 2 minutes". */
export const formatWait = (milliseconds: number): string =>
  milliseconds < SOON ? inAFewSeconds : formatRelative(milliseconds);

const numberFormat = new Intl.NumberFormat('en');

/** Formats a number with thousands separators: 1,204. */
export const formatNumber = (value: number): string => numberFormat.format(value);

const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Formats a duration in the largest unit that fits: "41 ms", "1.5 s", "5 min", "2 h". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < SECOND) return `${milliseconds} ms`;
  if (milliseconds < MINUTE) return `${round(milliseconds / SECOND)} s`;
  if (milliseconds < HOUR) return `${Math.round(milliseconds / MINUTE)} min`;
  return `${round(milliseconds / HOUR)} h`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

// Ids are UUIDs of version 7. They begin with a timestamp and end with random characters.
const SHORT_ID_LENGTH = 8;
export const shortId = (id: string): string => `…${id.slice(-SHORT_ID_LENGTH)}`;

/*
 * A `datetime-local` input holds the user's local time without a time zone. The API and the page's URLs use ISO 8601 in
 * UTC.
 */

/** @returns the value of the input, such as `2026-11-24T23:05`, or an empty string if there is no time. */
export function toLocalInput(time: string | undefined): string {
  if (time === undefined) return '';
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** @returns undefined if the input is empty or incomplete. */
export function fromLocalInput(value: string): string | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const KIBIBYTE = 1_024;

/** Formats the size of a text in UTF-8: "2.4 KiB". */
export function formatSize(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < KIBIBYTE) return `${bytes} B`;
  const kibibytes = bytes / KIBIBYTE;
  if (kibibytes < KIBIBYTE) return `${roundSize(kibibytes)} KiB`;
  return `${roundSize(kibibytes / KIBIBYTE)} MiB`;
}

const roundSize = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
