import type { AttemptStage } from '../sending/attempt-errors.js';

export interface LastFailure {
  /** When the attempt ended. A status change that the attempt caused has about the same time. */
  at: Date;
  deliveryId: string;
  stage: AttemptStage;
  statusCode: number | null;
  error: string;
}

/**
 * Selects the last failed attempt to an endpoint as JSON, using two primary keys. Returns no row if no attempt has
 * failed, or if the attempt is no longer kept.
 */
export const selectLastFailure = (endpointId: string): string =>
  `SELECT json_build_object(
      'at', attempt.started_at + attempt.duration_ms * interval '1 ms', 'deliveryId', attempt.delivery_id,
      'stage', attempt.stage, 'statusCode', attempt.status_code, 'error', attempt.error
    ) AS "lastFailure"
    FROM webhook_traffic traffic CROSS JOIN LATERAL (
      SELECT * FROM webhook_attempts
      WHERE delivery_id = traffic.last_failed_delivery_id AND claim = traffic.last_failed_claim LIMIT 1
    ) attempt WHERE traffic.endpoint_id = ${endpointId}`;
