import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, type ApiConfig } from '#config';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from './admission/admission.js';
import { ApiModule } from './api.module.js';
import { RequestLimits } from './auth/request-limits.js';
import { TokenGuard } from './auth/token.guard.js';
import { admitBodies } from './bodies/body-admission.js';
import { parseBodies } from './bodies/body-parser.js';
import { addResponseHeaders, operationOf } from './http/response-headers.js';
import { handleClientError, REQUEST_ID, limitPipelining } from './http/connections.js';
import { errorBody } from './http/error.filter.js';
import { serializeJson } from './http/json-serializer.js';
import { rejectBeforeBody } from './http/reject-before-body.js';
import { logRequests } from './http/request-log.js';
import { servePages } from './pages/pages.js';
import { limitUnreadResponses } from './responses/unread-responses.js';

// From the first byte of the request to the last; the response may take longer.
const REQUEST_TIMEOUT_MS = 30_000;
// When the API shuts down, whatever is not done by then is cut off, such as idle connections.
const DRAIN_TIMEOUT_MS = 10_000;

/** Creates the API, ready to listen. */
export async function createApi(config: ApiConfig): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: config.MAX_BODY_BYTES,
    trustProxy: config.TRUSTED_PROXIES,
    genReqId: requestIdOf,
    // The limit on headers applies first; an id that is too long is like any other unknown id.
    routerOptions: { maxParamLength: maxHeaderSize },
    // Fastify refuses a path that is not a URL before it reaches the routes and their error filter.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const body = errorBody(error, request);
      void reply.headers({ [REQUEST_ID]: request.id, 'cache-control': 'no-store' });
      void reply.status(body.statusCode).send(body);
    },
    clientErrorHandler: handleClientError,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      // Node applies the longer of the two to the whole request.
      headersTimeout: REQUEST_TIMEOUT_MS,
      // By default Node looks for slow requests every 30 s.
      connectionsCheckingInterval: REQUEST_TIMEOUT_MS / 10,
    },
    // Requests that arrive during the shutdown are still handled.
    return503OnClosing: false,
  });
  const logger = createLogger(config);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.forRoot(config), adapter, {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  // Otherwise Nest ends the process by raising the signal again, and not with exit code 0.
  app.enableShutdownHooks(undefined, { useProcessExit: true });

  const fastify = adapter.getInstance();
  limitPipelining(fastify.server);
  logRequests(fastify, logger);
  addResponseHeaders(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID, request.id);
    done();
  });
  const requestLimits = app.get(RequestLimits);
  fastify.addHook('onRequest', (request, reply) => requestLimits.countRequest(request, reply));
  rejectBeforeBody(fastify);
  const tokenGuard = app.get(TokenGuard);
  // Before the body is read: only authenticated callers may make the API read and parse a body.
  fastify.addHook('onRequest', async (request, reply) => {
    if (operationOf(request)) await tokenGuard.check(request, reply);
  });
  admitBodies(fastify, config);
  app.get(Admission).install(fastify);
  // After the wait for a slot, so that responses that became unread meanwhile count.
  limitUnreadResponses(fastify);
  fastify.addHook('preClose', (done) => {
    setTimeout(() => fastify.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref();
    done();
  });
  parseBodies(fastify, config);
  // Fastify accepts bytes as well, although its types say otherwise.
  fastify.setReplySerializer(serializeJson as (payload: unknown) => string);
  servePages(app);
  return app;
}

/** The caller's own id of the request, if it is usable, so that the caller's logs match Galley's. */
function requestIdOf({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const header = headers[REQUEST_ID];
  return typeof header === 'string' && /^[\w.-]{1,100}$/.test(header) ? header : randomUUID();
}
