/*
 * Spans, written by hand where they are useful, and the trace context that goes from a request through the outbox to
 * the subscriber. While tracing is off, `tracer()` is undefined and nothing of the OpenTelemetry SDK is loaded. The
 * code that starts a span chooses its attributes.
 */
export {
  activeTraceparent,
  parseContext,
  inSpan,
  linksTo,
  markFailed,
  traceparentOf,
  tracer,
} from './tracer.js';
export { TracingModule } from './tracing.module.js';
