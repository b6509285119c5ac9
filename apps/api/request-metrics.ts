import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '#metrics';

// All other methods are counted as `other`. Clients can send any method that Node's parser knows, and most methods have
// no route.
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts and times requests by route. Does nothing if metrics are disabled. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  if (!metrics.isEnabled) return;
  const inFlight = new RequestsInFlight();
  metrics.watch(() => [['galley_http_requests_in_flight', {}, inFlight.count]]);
  fastify.addHook('onRequest', (request, _reply, done) => {
    inFlight.add(request);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    inFlight.delete(request);
    const method = METHODS.has(request.method) ? request.method : 'other';
    const route = request.routeOptions.url ?? 'unmatched';
    const status = String(reply.statusCode);
    metrics.add('galley_http_requests_total', { method, route, status });
    const seconds = reply.elapsedTime / 1_000;
    metrics.observe('galley_http_request_duration_seconds', { method, route }, seconds);
    done();
  });
}

/**
 * Counts the requests in flight. A response whose client has disconnected may never end. When a connection closes, all
 * its requests are therefore removed from the count.
 */
class RequestsInFlight {
  count = 0;
  private readonly requestsBySocket = new WeakMap<Socket, Set<FastifyRequest>>();

  add(request: FastifyRequest): void {
    const { socket } = request;
    let requests = this.requestsBySocket.get(socket);
    if (requests === undefined) {
      requests = new Set();
      this.requestsBySocket.set(socket, requests);
      socket.once('close', () => {
        this.count -= this.requestsBySocket.get(socket)?.size ?? 0;
        this.requestsBySocket.delete(socket);
      });
    }
    requests.add(request);
    this.count++;
  }

  delete(request: FastifyRequest): void {
    // Requests that Fastify refuses before it looks for a route were never added.
    if (this.requestsBySocket.get(request.socket)?.delete(request)) this.count--;
  }
}
