type IsoDate = `${number}-${number}-${number}`;

/** The deprecation of an operation (docs/use/api-changes.md). Days are in UTC. */
export interface Deprecation {
  /** From this day on, new clients should not use the operation. */
  since: IsoDate;
  /** The day from which the operation may be removed, at least a year after `since`. */
  sunset: IsoDate;
  /** A sentence that says what to use instead. */
  replacement: string;
}

const MIN_NOTICE_MS = 365 * 24 * 60 * 60 * 1000;

/** @throws if the notice period is shorter than a year. */
export function checkNoticePeriod(id: string, { since, sunset }: Deprecation): void {
  if (Date.parse(sunset) - Date.parse(since) >= MIN_NOTICE_MS) return;
  throw new Error(
    `${id} must stay for a year after its deprecation on ${since}, and cannot be removed on ${sunset}.`,
  );
}

/**
 * The value of `Deprecation` is a structured-field Date (RFC 9745). The value of `Sunset` is an HTTP date (RFC 8594).
 */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
  Link: '</docs>; rel="deprecation"; type="text/html"',
});
