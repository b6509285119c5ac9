export interface OutcomeCounts {
  attempts: number;
  delivered: number;
}

/**
 * The share of attempts that succeeded, such as "99.9 %"; undefined without attempts. "100 %" means that no
 * attempt failed, so a smaller share is never rounded up to "100 %".
 */
export function formatSuccessRate({ attempts, delivered }: OutcomeCounts): string | undefined {
  if (attempts === 0) return undefined;
  const percent = Math.round((delivered / attempts) * 1_000) / 10;
  const maximum = delivered < attempts ? 99.9 : 100;
  return `${Math.min(maximum, percent).toLocaleString('en')} %`;
}

/** Whether more attempts failed than succeeded, so that the rate needs attention although the webhook is active. */
export const isMostlyFailing = ({ attempts, delivered }: OutcomeCounts): boolean =>
  delivered < attempts / 2;
