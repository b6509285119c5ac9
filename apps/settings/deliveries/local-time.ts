/*
 * An input of the type datetime-local holds the reader's local time without a time zone. The API and the
 * page's URLs use ISO 8601 in UTC.
 */

/** @returns the value of the input, such as `2026-11-24T23:05`; empty if there is no time. */
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
