import { context, SpanKind, trace, type Context } from '@opentelemetry/api';
import { parseContext, markFailed, tracer } from '#tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const contexts = new WeakMap<FastifyRequest, Context>();

/**
 * Starts a span for each request, except for health checks. The span continues the trace of the request's
 * `traceparent`. The span contains the route instead of the path, because clients may have put a secret into the path.
 */
export function startRequestSpans(fastify: FastifyInstance): void {
  const activeTracer = tracer();
  if (activeTracer === undefined) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    const { method, id, headers, routeOptions } = request;
    const route = routeOptions.url;
    if (!route?.startsWith('/health/')) {
      const parent = parseContext(headers['traceparent']);
      const span = activeTracer.startSpan(
        route === undefined ? method : `${method} ${route}`,
        { kind: SpanKind.SERVER },
        parent,
      );
      if (span.isRecording()) {
        span.setAttributes({
          'http.request.method': method,
          'http.route': route,
          'galley.request.id': id,
        });
      }
      contexts.set(request, trace.setSpan(parent, span));
      // Unlike `onResponse`, this event is also emitted if the client disconnects.
      reply.raw.once('close', () => {
        const { statusCode, writableFinished } = reply.raw;
        if (writableFinished) span.setAttribute('http.response.status_code', statusCode);
        if (!writableFinished) markFailed(span, 'disconnected');
        else if (statusCode >= 500) markFailed(span, String(statusCode));
        span.end();
      });
    }
    done();
  });
}

/**
 * Makes the span of a request the active span of its handler. This hook must come after all hooks that wait: another
 * request may resume a waiting request, and the context of that other request would then be active.
 */
export function enterRequestSpans(fastify: FastifyInstance): void {
  if (tracer() === undefined) return;
  fastify.addHook('preHandler', (request, _reply, done) => {
    const requestContext = contexts.get(request);
    if (requestContext === undefined) done();
    else context.with(requestContext, done);
  });
}
