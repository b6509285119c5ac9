import { Injectable } from '@nestjs/common';
import { Database, parseJsonTimes } from '#database';
import { authorise, callerColumns, type Actor, type CallerRow } from '#workspaces';
import { FROM_ENDPOINT } from '../endpoints/endpoint.js';
import { selectLastFailure, type LastFailure } from '../traffic/last-failure.js';
import { selectTrafficReport, type TrafficReport } from '../traffic/traffic-report.sql.js';

/** Explains why the deliveries of an endpoint wait, and for how long. */
export interface HealthReport extends TrafficReport {
  /** Deliveries that wait or are in flight, counted up to 1,000. */
  pending: number;
  /** Deliveries that wait until the endpoint is enabled, counted up to 1,000. */
  held: number;
  /**
   * The earliest time of the next attempt; null if the endpoint is disabled, or if no delivery waits for an attempt.
   */
  nextAttemptAt: Date | null;
  /** The last failed attempt, however long ago; null if there is none, or if it is no longer kept. */
  lastFailure: LastFailure | null;
}

// Deliveries are counted only up to this number, because a backlog can be arbitrarily large.
const MAX_COUNTED = 1_000;

// `next` is the first delivery that is not in flight. The scan reads the deliveries in flight first, but the window
// limits their number.
const SELECT_REPORT = `SELECT ${callerColumns('endpoint.id')}, traffic.health,
    traffic."consecutiveFailures", traffic."failingSince", traffic."inFlight", traffic.concurrency,
    CASE WHEN is_enabled THEN traffic."pausedUntil" END AS "pausedUntil",
    CASE WHEN is_enabled THEN traffic."pauseReason" END AS "pauseReason",
    CASE WHEN is_enabled THEN backlog.size ELSE 0 END AS pending,
    CASE WHEN is_enabled THEN 0 ELSE backlog.size END AS held,
    CASE WHEN is_enabled AND next.due_at IS NOT NULL
      THEN greatest(next.due_at, traffic."pausedUntil", now()) END AS "nextAttemptAt",
    failure."lastFailure" ${FROM_ENDPOINT}
  LEFT JOIN LATERAL (SELECT endpoint.status <> 'disabled' AS is_enabled) status ON true
  LEFT JOIN LATERAL (${selectTrafficReport('endpoint.id')}) traffic ON true
  LEFT JOIN LATERAL (
    SELECT count(*)::integer AS size FROM (
      SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id LIMIT ${MAX_COUNTED}
    ) delivery
  ) backlog ON true
  LEFT JOIN LATERAL (
    SELECT due_at FROM webhook_deliveries
    WHERE endpoint_id = endpoint.id AND due_at > '-infinity' AND due_at < 'infinity'
      AND (claimed_until IS NULL OR claimed_until <= now())
    ORDER BY due_at LIMIT 1
  ) next ON true
  LEFT JOIN LATERAL (${selectLastFailure('endpoint.id')}) failure ON true
  WHERE caller.id = $1`;

@Injectable()
export class HealthReports {
  constructor(private readonly database: Database) {}

  async read(actor: Actor, id: string): Promise<HealthReport> {
    const [row] = await this.database.query<CallerRow & HealthReport>(SELECT_REPORT, [
      actor.userId,
      id,
    ]);
    const report = authorise(row, 'admin', 'webhook');
    return {
      ...report,
      lastFailure: report.lastFailure && parseJsonTimes(report.lastFailure, 'at'),
    };
  }
}
