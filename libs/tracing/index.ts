/*
 * Creates spans, and propagates the trace context from a request through the outbox to the subscriber. While tracing is
 * off, `tracer()` returns undefined and the OpenTelemetry SDK is not loaded. The code that starts a span chooses its
 * attributes.
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
