import { parseJsonTimes } from '#database';
import type { LastFailure } from '../traffic/last-failure.js';

const HOURS = 24;
const HOUR_MS = 60 * 60 * 1000;

interface RecentHour {
  at: Date;
  delivered: number;
  failed: number;
  retried: number;
}

/** The statistics of an endpoint for the current hour and the 23 hours before it. */
export interface RecentStatistics {
  attempts: number;
  delivered: number;
  failed: number;
  retried: number;
  /** Oldest hour first. Hours without attempts are included. */
  perHour: RecentHour[];
  /** The last failed attempt, however long ago; null if there is none, or if it is no longer kept. */
  lastFailure: LastFailure | null;
}

/** An hour with attempts, as PostgreSQL returns it in JSON. */
export interface RecentHourRow {
  at: string;
  attempts: number;
  delivered: number;
  failed: number;
  retried: number;
}

/** Returns the time at which the first of the recent hours begins. */
export const recentHoursSince = (now = new Date()): Date =>
  new Date((Math.floor(now.getTime() / HOUR_MS) - HOURS + 1) * HOUR_MS);

/**
 * Selects, as a JSON array, the hours in which an endpoint had attempts. Reads at most 288 rows, one for each 5
 * minutes.
 */
export const selectRecentHours = (endpointId: string, since: string): string =>
  `SELECT coalesce(json_agg(hour), '[]') AS hours FROM (
     SELECT date_bin('1 hour', interval_start, 'epoch') AS at, sum(attempts) AS attempts,
       sum(delivered) AS delivered, sum(failed) AS failed, sum(retried) AS retried
     FROM webhook_statistics WHERE subject_id = ${endpointId} AND interval_start >= ${since}
     GROUP BY 1
   ) hour`;

export function toRecentStatistics(
  since: Date,
  hours: readonly RecentHourRow[],
  lastFailure: LastFailure | null,
): RecentStatistics {
  const hoursByTime = new Map(hours.map((hour) => [new Date(hour.at).getTime(), hour]));
  const total = (count: Exclude<keyof RecentHourRow, 'at'>) =>
    hours.reduce((result, hour) => result + hour[count], 0);
  return {
    attempts: total('attempts'),
    delivered: total('delivered'),
    failed: total('failed'),
    retried: total('retried'),
    perHour: Array.from({ length: HOURS }, (_, index) => {
      const at = new Date(since.getTime() + index * HOUR_MS);
      const { delivered = 0, failed = 0, retried = 0 } = hoursByTime.get(at.getTime()) ?? {};
      return { at, delivered, failed, retried };
    }),
    lastFailure: lastFailure && parseJsonTimes(lastFailure, 'at'),
  };
}
