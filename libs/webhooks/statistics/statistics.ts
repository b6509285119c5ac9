import { HISTOGRAM_COLUMNS, estimatePercentile, sumHistograms } from './response-times.js';
import { stepStarts, type StatisticsRange } from './statistics-range.js';

interface Counts {
  /** Requests to the receiver, and attempts that failed before a request. */
  attempts: number;
  /** Deliveries that succeeded. */
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

/** All steps of a range, including steps without attempts, so that charts have no gaps to fill. */
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
 * SQL: the steps of an endpoint or a workspace that have attempts. The arguments are SQL expressions. For endpoints and
 * workspaces alike, the statement reads at most one row per five minutes.
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
