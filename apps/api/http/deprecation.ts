type Day = `${number}-${number}-${number}`;

/** How an operation goes (docs/api-changes.md). Days are in UTC. */
export interface Deprecation {
  /** From when on nobody should begin to use it. */
  since: Day;
  /** When it may be gone: a year later, or more. */
  sunset: Day;
  /** What to use instead, as a sentence. */
  instead: string;
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** @throws when there would be less than a year to leave. */
export function checkPeriod(id: string, { since, sunset }: Deprecation): void {
  if (Date.parse(sunset) - Date.parse(since) >= YEAR_MS) return;
  throw new Error(`${id} must stay for a year: from ${since} it cannot be gone on ${sunset}.`);
}

/** RFC 9745 has a structured field's date in `Deprecation`, and RFC 8594 HTTP's in `Sunset`. */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
  Link: '</docs>; rel="deprecation"; type="text/html"',
});
