import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '#database';
import { inSpan, linksTo } from '#tracing';
import { Coalescer } from './coalescer.js';
import type { EndpointHealth } from '../traffic/endpoint-health.js';
import { LOCK_TRAFFIC } from '../traffic/endpoint-traffic.js';
import type { EndpointStatus } from '../delivery/endpoint-status.js';
import { RECORD_ATTEMPTS } from './record-attempts.sql.js';
import type { SendResult } from '../sending/sender.js';
import type { ClaimedDelivery } from './claims.js';

export interface AttemptResult extends SendResult {
  startedAt: Date;
  durationMs: number;
  requestHeaders: Record<string, string> | null;
  /** The trace context of the attempt; undefined while tracing is off. */
  traceparent?: string | undefined;
}

interface PendingAttempt {
  /** The id of the delivery. */
  key: string;
  delivery: ClaimedDelivery;
  attempt: AttemptResult;
  retryInMs: number | undefined;
}

// The recorder tries to record an attempt for as long as a lease lasts. After that, another worker may already have
// sent the delivery again.
const RECORD_TIMEOUT_MS = 20_000;
const RECORD_RETRY_PAUSE_MS = 500;
// A receiver can pause its endpoint for at most this long with Retry-After. The delivery that got the response may wait
// longer.
const MAX_ENDPOINT_PAUSE_MS = 5 * 60_000;

/** The consequences of recorded attempts for their endpoint. */
export interface EndpointUpdate {
  /** Whether the caller must put the endpoint into the queue again. */
  shouldClaimNext: boolean;
  health: EndpointHealth;
  /** The new status; null if the status does not change. */
  newStatus: EndpointStatus | null;
  consecutiveFailures: number;
  failingSince: Date;
}

/** Records the results of attempts. Under load, one statement records many attempts. */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger(AttemptRecorder.name);
  private readonly coalescer = new Coalescer((records: PendingAttempt[]) =>
    this.recordChunk(records),
  );

  constructor(private readonly database: Database) {}

  /**
   * Records an attempt. Afterwards, the delivery counts as delivered, waits `retryInMs` for its next attempt, or has
   * failed. If the delivery has been claimed again in the meantime, a failure does not reschedule the delivery. A
   * success still finishes the delivery, because the receiver has the notification.
   *
   * Retries while PostgreSQL is unavailable: if an attempt is never recorded, Galley sends the delivery again after the
   * lease has expired. If several attempts of an endpoint are recorded together, only one caller receives the update of
   * the endpoint.
   */
  async record(
    delivery: ClaimedDelivery,
    attempt: AttemptResult,
    retryInMs: number | undefined,
  ): Promise<EndpointUpdate | undefined> {
    const pending = { key: delivery.id, delivery, attempt, retryInMs };
    const startedAt = Date.now();
    for (;;) {
      try {
        return await this.coalescer.add(pending);
      } catch (error) {
        if (Date.now() - startedAt > RECORD_TIMEOUT_MS) throw error;
        this.logger.warn(
          { err: error, stage: 'record', deliveryId: delivery.id },
          'The attempt could not be recorded; the worker will try to record it again.',
        );
      }
      await setTimeout(RECORD_RETRY_PAUSE_MS);
    }
  }

  private async recordChunk(records: PendingAttempt[]): Promise<Map<string, EndpointUpdate>> {
    const record = () =>
      this.database.pipeline<EndpointUpdate & { endpointId: string }>(
        [LOCK_TRAFFIC, [records.map(({ delivery }) => delivery.endpointId)]],
        [RECORD_ATTEMPTS, toColumns(records)],
      );
    // The attempts of one statement belong to different traces. The span of the statement therefore starts a new trace,
    // with links to those traces.
    const rows = await inSpan('record', record, () => ({
      root: true,
      links: linksTo(records.map(({ attempt }) => attempt.traceparent)),
      attributes: { 'galley.attempt.count': records.length },
    }));
    const deliveryIdByEndpoint = new Map(
      records.map(({ key, delivery }) => [delivery.endpointId, key]),
    );
    return new Map(rows.map((row) => [deliveryIdByEndpoint.get(row.endpointId) ?? '', row]));
  }
}

const toColumns = (records: PendingAttempt[]) => [
  records.map(({ delivery }) => delivery.endpointId),
  records.map(({ delivery }) => delivery.id),
  records.map(({ delivery }) => delivery.claimNumber),
  records.map(({ attempt, retryInMs }) =>
    attempt.ok ? 'delivered' : retryInMs === undefined ? 'failed' : 'pending',
  ),
  records.map(({ attempt }) => attempt.startedAt),
  records.map(({ attempt }) => attempt.durationMs),
  records.map(({ attempt }) => attempt.statusCode),
  records.map(({ attempt }) => attempt.stage),
  records.map(({ attempt }) => attempt.error),
  records.map(({ attempt }) => attempt.requestHeaders && JSON.stringify(attempt.requestHeaders)),
  records.map(({ attempt }) => attempt.responseHeaders && JSON.stringify(attempt.responseHeaders)),
  records.map(({ attempt }) => attempt.responseBody),
  records.map(({ retryInMs }) => (retryInMs === undefined ? null : Math.round(retryInMs))),
  records.map(({ attempt: { retryAfterMs } }) =>
    retryAfterMs === undefined ? null : Math.min(retryAfterMs, MAX_ENDPOINT_PAUSE_MS),
  ),
  records.map(({ delivery, attempt }) => (attempt.requestHeaders === null ? null : delivery.url)),
  records.map(({ delivery }) => delivery.workspaceId),
];
