import { Logger } from '@nestjs/common';
import { SpanKind, type Span } from '@opentelemetry/api';
import type { Metrics, Sample } from '#metrics';
import { parseContext, linksTo, markFailed, tracer } from '#tracing';
import type { DueEndpoint } from '../traffic/endpoint-health.js';
import type { AttemptResult } from './attempt-recorder.js';
import type { ClaimedDelivery } from './claims.js';
import { HEALTHS_BY_PRIORITY, type Slots } from './slots.js';

/*
 * The metrics, spans and log lines of the pipeline. None of them contains a URL, a header or a body, because these may
 * contain secrets.
 */

const logger = new Logger('DeliveryPipeline');

export const watchSlots = (metrics: Metrics, slots: Slots): void =>
  metrics.watch(() => [
    ['galley_worker_slots', {}, slots.size],
    ['galley_worker_slots_in_use', {}, slots.inUse],
    ...HEALTHS_BY_PRIORITY.map((health): Sample => [
      'galley_worker_endpoints_waiting',
      { health },
      slots.waitingCount(health),
    ]),
  ]);

export function countAttempt(
  metrics: Metrics,
  { attempts, isReplay, occurredAt }: ClaimedDelivery,
  attempt: AttemptResult,
): void {
  const result = attempt.ok ? 'delivered' : attempt.localProblem ? 'not_sent' : 'failed';
  const stage = attempt.stage ?? 'none';
  metrics.add('galley_delivery_attempts_total', { result, stage });
  const seconds = attempt.durationMs / 1_000;
  metrics.observe('galley_delivery_attempt_duration_seconds', { result }, seconds);
  // The latency is measured at the first attempt. A delivery that was not sent has had no attempt yet, and a replay
  // delivers an old event.
  if (attempts > 0 || isReplay || occurredAt === null || result === 'not_sent') return;
  const latencyMs = attempt.startedAt.getTime() - occurredAt.getTime();
  // The clocks of the worker and of PostgreSQL may differ, so the difference may be negative.
  metrics.observe('galley_delivery_latency_seconds', {}, Math.max(0, latencyMs) / 1_000);
}

export function logAttempt(
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
  // The error text is left out, because it may name the host or quote the receiver. The delivery log contains the text.
  const isUnresolved = stage === 'dns' && code !== undefined;
  logger.warn(
    { ...logFields, stage, retryInMs },
    isUnresolved ? `attempt failed: name resolution (${code})` : 'attempt failed',
  );
}

/**
 * The deliveries of one claim belong to different traces. The span of the claim therefore starts a new trace, with
 * links to those traces.
 */
export const startClaimSpan = ({ endpointId, workspaceId }: DueEndpoint): Span | undefined =>
  tracer()?.startSpan('claim', {
    root: true,
    attributes: { 'galley.endpoint.id': endpointId, 'galley.workspace.id': workspaceId },
  });

export function endClaimSpan(span: Span | undefined, deliveries: ClaimedDelivery[]): void {
  // A claim without deliveries needs no span. A span that is not ended is never exported.
  if (!span?.isRecording() || deliveries.length === 0) return;
  span.setAttribute('galley.delivery.count', deliveries.length);
  span.addLinks(linksTo(deliveries.map(({ traceparent }) => traceparent))).end();
}

/** The span of an attempt continues the trace of the change that created the event. */
export function startAttemptSpan(delivery: ClaimedDelivery): Span | undefined {
  const span = tracer()?.startSpan(
    'attempt',
    { kind: SpanKind.CLIENT },
    parseContext(delivery.traceparent),
  );
  // The attributes are not passed to `startSpan`, which would also copy them for spans that are not sampled.
  if (span?.isRecording()) {
    span.setAttributes({
      'http.request.method': 'POST',
      'galley.delivery.id': delivery.id,
      'galley.endpoint.id': delivery.endpointId,
      'galley.workspace.id': delivery.workspaceId,
      'galley.event.id': delivery.eventId,
      'galley.event.kind': delivery.kind,
      'galley.attempt': delivery.attempts + 1,
    });
  }
  return span;
}

export function endAttemptSpan(span: Span | undefined, { statusCode, stage }: AttemptResult): void {
  if (span === undefined) return;
  if (statusCode !== null) span.setAttribute('http.response.status_code', statusCode);
  if (stage !== null) {
    span.setAttribute('galley.stage', stage);
    markFailed(span, stage === 'status' ? String(statusCode) : stage);
  }
  span.end();
}
