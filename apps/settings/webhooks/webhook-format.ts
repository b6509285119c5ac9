import type { Webhook } from '#client';

const MAX_NAME_LENGTH = 60;

/** The name of the webhook: the first line of its description, or else its URL. */
export function nameOfWebhook({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  const firstLine = description.trim().split('\n', 1)[0] ?? '';
  if (firstLine.length > MAX_NAME_LENGTH) return `${firstLine.slice(0, MAX_NAME_LENGTH - 1)}…`;
  return firstLine || shortenUrl(url);
}

/** Shortens a URL in the middle. The host and the end of the path tell URLs apart, so they are kept. */
export function shortenUrl(url: string, maxLength = MAX_NAME_LENGTH): string {
  const text = url.replace(/^https:\/\//, '');
  if (text.length <= maxLength) return text;
  const start = Math.ceil((maxLength - 1) * 0.6);
  return `${text.slice(0, start)}…${text.slice(start + 1 - maxLength)}`;
}

export interface OutcomeCounts {
  attempts: number;
  delivered: number;
}

/**
 * The share of attempts that succeeded, such as "99.9%"; undefined if there were no attempts. A smaller share is never
 * rounded up to "100%", so "100%" always means that no attempt failed.
 */
export function formatSuccessRate({ attempts, delivered }: OutcomeCounts): string | undefined {
  if (attempts === 0) return undefined;
  const percent = Math.round((delivered / attempts) * 1_000) / 10;
  const maximum = delivered < attempts ? 99.9 : 100;
  return `${Math.min(maximum, percent).toLocaleString('en')}%`;
}

/** Whether more attempts failed than succeeded. Such a webhook needs attention even if its status is active. */
export const isMostlyFailing = ({ attempts, delivered }: OutcomeCounts): boolean =>
  delivered < attempts / 2;
