/*
 * The response times of attempts are stored as a histogram, because histograms can be added up and percentiles cannot.
 * Each bound is twice the previous one, so percentiles of any size have the same relative precision. The last bound is
 * the time limit of an attempt.
 */

/** The upper bounds of the buckets, in milliseconds. One more bucket counts everything above. */
export const RESPONSE_TIME_BOUNDS = [
  1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 15_000,
] as const;

/** The column of `webhook_statistics` for each bucket. */
export const HISTOGRAM_COLUMNS: readonly string[] = [
  ...RESPONSE_TIME_BOUNDS.map((bound) => `within_${bound}`),
  'longer',
];

/**
 * An SQL expression for the bucket of an attempt, from 0. The value is null if the attempt failed before it waited for
 * a response. Such attempts are not counted, because a receiver that is down refuses connections immediately and would
 * look fast.
 */
export const selectBucket = ({
  stage,
  durationMs,
}: {
  stage: string;
  durationMs: string;
}): string =>
  `CASE WHEN ${stage} IS NULL OR ${stage} IN ('first-byte', 'status')
    THEN width_bucket(${durationMs} - 1, '{${RESPONSE_TIME_BOUNDS.join(',')}}'::integer[]) END`;

/**
 * Estimates a percentile in milliseconds; null without attempts. The result lies in the same bucket as the exact
 * percentile. Within a bucket, times are assumed to be spread evenly on a logarithmic scale, like the bounds.
 */
export function estimatePercentile(histogram: readonly number[], fraction: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = fraction * total;
  let below = 0;
  for (const [bucket, count] of histogram.entries()) {
    if (count > 0 && below + count >= rank) return interpolate(bucket, (rank - below) / count);
    below += count;
  }
  return null;
}

function interpolate(bucket: number, position: number): number {
  const lower = RESPONSE_TIME_BOUNDS[bucket - 1] ?? 0;
  const upper = RESPONSE_TIME_BOUNDS[bucket] ?? lower;
  return Math.round(lower === 0 ? upper * position : lower * (upper / lower) ** position);
}

/** Adds up the counts of each bucket. */
export const sumHistograms = (histograms: readonly (readonly number[])[]): number[] =>
  HISTOGRAM_COLUMNS.map((_, bucket) =>
    histograms.reduce((sum, histogram) => sum + (histogram[bucket] ?? 0), 0),
  );
