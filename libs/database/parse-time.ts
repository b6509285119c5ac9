// Times must be in RFC 3339 format, so that the time zone is always explicit.
const RFC_3339_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const EARLIEST = Date.parse('2020-01-01T00:00:00Z');
const LATEST = Date.parse('2100-01-01T00:00:00Z');

/** Parses an RFC 3339 time in the years 2020 to 2099. Returns undefined for any other value. */
export function parseTime(value: unknown): Date | undefined {
  const [text, date] = (typeof value === 'string' && RFC_3339_TIME.exec(value)) || [];
  if (text === undefined) return undefined;
  // Date.parse accepts 30 February, and converts it to a day in March.
  const midnight = new Date(date ?? NaN);
  const isDay = midnight.getTime() > 0 && midnight.toISOString().slice(0, 10) === date;
  const time = isDay ? Date.parse(text) : NaN;
  return time >= EARLIEST && time < LATEST ? new Date(time) : undefined;
}
