import { SpanKind, type Span } from '@opentelemetry/api';
import { contextOf, linksTo, markFailed, tracer } from '#tracing';
import type { AttemptResult, ClaimedDelivery, DueEndpoint } from '#webhooks';

/**
 * The spans of the delivery pipeline. They have no URL, host, header or body: these may hold secrets. While
 * tracing is off, each of these functions returns at once.
 */

/** A claim takes deliveries of many traces, so its span has a trace of its own, with links to theirs. */
export const startClaimSpan = ({ endpointId, workspaceId }: DueEndpoint): Span | undefined =>
  tracer()?.startSpan('claim', {
    root: true,
    attributes: { 'galley.endpoint.id': endpointId, 'galley.workspace.id': workspaceId },
  });

export function endClaimSpan(span: Span | undefined, deliveries: ClaimedDelivery[]): void {
  // A span that does not end is not exported: a claim without deliveries tells nothing.
  if (!span?.isRecording() || deliveries.length === 0) return;
  span.setAttribute('galley.delivery.count', deliveries.length);
  span.addLinks(linksTo(deliveries.map(({ traceparent }) => traceparent))).end();
}

/** The span of an attempt continues the trace of the change that made the event. */
export function startAttemptSpan(delivery: ClaimedDelivery): Span | undefined {
  const span = tracer()?.startSpan(
    'attempt',
    { kind: SpanKind.CLIENT },
    contextOf(delivery.traceparent),
  );
  // As options of startSpan, the attributes would be copied for each span that is not sampled, too.
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
