import { HISTOGRAM_COLUMNS, estimatePercentile, sumHistograms } from './response-times.js';
import { stepStarts, type StatisticsRange } from './statistics-range.js';

interface Counts {
  /** All attempts, including those that failed before a request was sent. */
  attempts: number;
  delivered: number;
  /** Deliveries that failed and get no further attempt. */
  failed: number;
  /** Failed attempts that are followed by a retry. */
  retried: number;
}

export interface StatisticsTotals extends Counts {
  /** Percentiles of the response time in milliseconds; null if no attempt reached the receiver. */
  p50: number | null;
  p95: number | null;
}

export interface StatisticsPoint extends StatisticsTotals {
  /** When the step begins. */
  at: Date;
}

/** All steps of a range, including steps without attempts, so that clients need not fill gaps in charts. */
export interface Statistics extends StatisticsRange {
  data: StatisticsPoint[];
  totals: StatisticsTotals;
}

/** A step that has attempts, as PostgreSQL returns it. */
export interface StepRow extends Counts {
  at: Date;
  histogram: number[];
}

const sum = (column: string) => `sum(${column})::float8`;

/**
 * Selects the steps in which an endpoint or a workspace had attempts. The arguments are SQL expressions. Reads at most
 * one row for each 5 minutes of the range.
 */
export const selectSteps = (subjectId: string, range: Record<'from' | 'to' | 'seconds', string>) =>
  `SELECT date_bin(${range.seconds} * interval '1 second', interval_start, 'epoch') AS at,
      ${sum('attempts')} AS attempts, ${sum('delivered')} AS delivered, ${sum('failed')} AS failed,
      ${sum('retried')} AS retried, ARRAY[${HISTOGRAM_COLUMNS.map(sum).join(', ')}] AS histogram
    FROM webhook_statistics
    WHERE subject_id = ${subjectId} AND interval_start >= ${range.from} AND interval_start < ${range.to}
    GROUP BY 1`;

export function toStatistics(range: StatisticsRange, rows: readonly StepRow[]): Statistics {
  const rowsByTime = new Map(rows.map((row) => [row.at.getTime(), row]));
  return {
    from: range.from,
    to: range.to,
    step: range.step,
    data: stepStarts(range).map((at) => {
      const row = rowsByTime.get(at.getTime());
      return { at, ...sumRows(row === undefined ? [] : [row]) };
    }),
    totals: sumRows(rows),
  };
}

function sumRows(rows: readonly StepRow[]): StatisticsTotals {
  const total = (count: keyof Counts) => rows.reduce((result, row) => result + row[count], 0);
  const histogram = sumHistograms(rows.map((row) => row.histogram));
  return {
    attempts: total('attempts'),
    delivered: total('delivered'),
    failed: total('failed'),
    retried: total('retried'),
    p50: estimatePercentile(histogram, 0.5),
    p95: estimatePercentile(histogram, 0.95),
  };
}
