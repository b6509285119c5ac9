const DAY_MS = 86_400_000;
const SOON_MS = 7 * DAY_MS;

export const EXPIRIES = ['30', '90', '365', 'date', 'never'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/** The expiry time of a new key; null if it never expires. A date means the end of that day in the user's time zone. */
export function expiresAtOf(expiry: Expiry, date: string, now: Date): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'date') return endOfDay(date).toISOString();
  return new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString();
}

/** @param date the value of a `date` input, such as `2026-12-24`, or an empty string. */
export const isFutureDate = (date: string, now: Date): boolean => endOfDay(date) > now;

const endOfDay = (date: string): Date => new Date(`${date}T23:59:59.999`);

/** `soon` means within the next 7 days. */
export function expiryState(expiresAt: string | null, now: Date): 'valid' | 'soon' | 'expired' {
  if (expiresAt === null) return 'valid';
  const remaining = new Date(expiresAt).getTime() - now.getTime();
  if (remaining <= 0) return 'expired';
  return remaining < SOON_MS ? 'soon' : 'valid';
}
