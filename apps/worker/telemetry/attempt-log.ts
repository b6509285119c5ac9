import type { Logger } from '@nestjs/common';
import type { AttemptResult, ClaimedDelivery } from '#webhooks';

/** The URL and the headers of an attempt may be secrets, so the log does not have them. */
export function logAttempt(
  logger: Logger,
  { id, endpointId, eventId, kind, attempts }: ClaimedDelivery,
  { ok, statusCode, durationMs, stage, code }: AttemptResult,
  retryInMs: number | undefined,
): void {
  const logFields = {
    deliveryId: id,
    endpointId,
    eventId,
    event: kind,
    attempt: attempts + 1,
    statusCode,
    durationMs,
  };
  if (ok) {
    logger.log(logFields, 'delivered');
    return;
  }
  // The error itself is left out: it may name the host, or quote the receiver. The delivery log has the
  // error.
  const isUnresolved = stage === 'dns' && code !== undefined;
  logger.warn(
    { ...logFields, stage, retryInMs },
    isUnresolved ? `attempt failed: name resolution (${code})` : 'attempt failed',
  );
}
