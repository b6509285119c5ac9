const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The two largest units, rounded up so that a countdown ends when nothing is left: "1 day 3 h", "12 min". */
export function formatCountdown(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE_MS) * MINUTE_MS;
  const days = Math.floor(minutes / DAY_MS);
  const hours = Math.floor((minutes % DAY_MS) / HOUR_MS);
  const rest = Math.round((minutes % HOUR_MS) / MINUTE_MS);
  if (days > 0) return join(`${days} ${days === 1 ? 'day' : 'days'}`, hours, 'h');
  if (hours > 0) return join(`${hours} h`, rest, 'min');
  return `${rest} min`;
}

const join = (first: string, count: number, unit: string): string =>
  count === 0 ? first : `${first} ${count} ${unit}`;
