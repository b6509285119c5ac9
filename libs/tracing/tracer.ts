import {
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Link,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api';

let activeTracer: Tracer | undefined;

/**
 * Returns the tracer; undefined while tracing is off. Callers write `tracer()?.startSpan(…)`, so that attributes are
 * only built while tracing is on.
 */
export const tracer = (): Tracer | undefined => activeTracer;

export function setTracer(newTracer: Tracer): void {
  activeTracer = newTracer;
}

/**
 * Runs `work` in a span. Spans and events that `work` creates belong to this span.
 * @param createOptions returns the options of the span. It is not called while tracing is off.
 */
export function inSpan<T>(
  name: string,
  work: () => Promise<T>,
  createOptions: () => SpanOptions = () => ({}),
): Promise<T> {
  return activeTracer === undefined
    ? work()
    : activeTracer.startActiveSpan(name, createOptions(), (span) => endAfter(span, work));
}

async function endAfter<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    markFailed(span, findErrorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** @param errorType a word from a short list, never a message, because messages may quote input. */
export function markFailed(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function findErrorType(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return [code, name].find((word) => typeof word === 'string') ?? 'error';
}

/** The `traceparent` (W3C Trace Context) of a span. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

/** The `traceparent` that is stored with new events; null if tracing is off or no span is active. */
export function activeTraceparent(): string | null {
  if (activeTracer === undefined) return null;
  const span = trace.getActiveSpan();
  return span === undefined ? null : traceparentOf(span);
}

/**
 * Returns the context that a `traceparent` describes. If the `traceparent` is not valid, spans in this context begin a
 * new trace. `tracestate` is ignored, because it may contain anything, and collectors store it.
 */
export const parseContext = (traceparent: unknown): Context =>
  propagation.extract(ROOT_CONTEXT, { traceparent });

/**
 * Returns a link to each sampled span that a `traceparent` names, without duplicates. The values are not validated,
 * because `traceparentOf` has written them, and a single statement may have hundreds of them.
 */
export function linksTo(traceparents: readonly (string | null | undefined)[]): Link[] {
  return [...new Set(traceparents)].flatMap((traceparent) => {
    const [, traceId = '', spanId = '', traceFlags] = traceparent?.split('-') ?? [];
    if (traceFlags !== '01') return [];
    return [{ context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED } }];
  });
}
