import type { StatisticsTotals } from '#client';
import { formatDuration } from '../../controls/format.js';
import { words } from './texts.js';

/** The API estimates percentiles from a histogram. With fewer attempts, the estimates are unreliable. */
export const MIN_ATTEMPTS = 20;

type Percentiles = Pick<StatisticsTotals, 'p50' | 'p95'>;

/** The percentiles, or null if there were too few attempts for an estimate. */
export const reliablePercentiles = ({ attempts, p50, p95 }: StatisticsTotals): Percentiles =>
  attempts < MIN_ATTEMPTS ? { p50: null, p95: null } : { p50, p95 };

/** Formats an estimated response time: "≈ 45 ms". */
export const formatEstimate = (milliseconds: number): string =>
  words.responseTimes.estimate(formatDuration(milliseconds));

/** Formats both percentiles, or says how many attempts they need. */
export function formatPercentiles(totals: StatisticsTotals): string {
  const { totals: totalTexts } = words;
  const { attempts } = totals;
  const { p50, p95 } = reliablePercentiles(totals);
  if (attempts > 0 && attempts < MIN_ATTEMPTS) return totalTexts.tooFewAttempts(MIN_ATTEMPTS);
  if (p50 === null || p95 === null) return totalTexts.none;
  return `${formatEstimate(p50)} / ${formatDuration(p95)}`;
}
