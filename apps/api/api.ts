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
import { addAnswerHeaders, operationOf } from './http/answer-headers.js';
import { refuseConnection, REQUEST_ID, watchConnections } from './http/connections.js';
import { errorBody } from './http/error.filter.js';
import { printJson } from './http/json-reply.js';
import { refuseHeads } from './http/refuse-heads.js';
import { logRequests } from './http/request-log.js';
import { servePages } from './pages/pages.js';
import { boundResponses } from './responses/bound-responses.js';

// From its first byte to its last; the answer may take longer.
const REQUEST_TIMEOUT_MS = 30_000;
// What is not done by then when the API is to leave is cut off, such as connections on which nothing comes.
const DRAIN_MS = 10_000;

/** The API, ready to listen. */
export async function createApi(config: ApiConfig): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: config.MAX_BODY_BYTES,
    trustProxy: config.TRUSTED_PROXIES,
    genReqId: requestId,
    // The limit on headers holds before; an id that is too long is that of nothing, like any other.
    routerOptions: { maxParamLength: maxHeaderSize },
    // A path that is not even a URL ends before the routes and their error filter.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const body = errorBody(error, request);
      void reply.headers({ [REQUEST_ID]: request.id, 'cache-control': 'no-store' });
      void reply.status(body.statusCode).send(body);
    },
    clientErrorHandler: refuseConnection,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      // Node takes the longer one of the two for the whole request.
      headersTimeout: REQUEST_TIMEOUT_MS,
      // It looks for requests that take too long every half minute, unless told.
      connectionsCheckingInterval: REQUEST_TIMEOUT_MS / 10,
    },
    // Whoever still asks while the API is leaving is answered.
    return503OnClosing: false,
  });
  const logger = createLogger(config);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.forRoot(config), adapter, {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  // Without it Nest ends a process that was asked to stop by raising the signal again, and not with 0.
  app.enableShutdownHooks(undefined, { useProcessExit: true });

  const fastify = adapter.getInstance();
  watchConnections(fastify.server);
  logRequests(fastify, logger);
  addAnswerHeaders(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID, request.id);
    done();
  });
  const limits = app.get(RequestLimits);
  fastify.addHook('onRequest', (request, reply) => limits.arrive(request, reply));
  refuseHeads(fastify);
  const guard = app.get(TokenGuard);
  // Before a body is read: to hold and to parse it is not for strangers.
  fastify.addHook('onRequest', async (request, reply) => {
    if (operationOf(request)) await guard.admit(request, reply);
  });
  admitBodies(fastify, config);
  app.get(Admission).install(fastify);
  // After the wait for a slot: what the caller left unread meanwhile counts.
  boundResponses(fastify);
  fastify.addHook('preClose', (done) => {
    setTimeout(() => fastify.server.closeAllConnections(), DRAIN_MS).unref();
    done();
  });
  parseBodies(fastify, config);
  // Fastify takes bytes as well, though its types do not say so.
  fastify.setReplySerializer(printJson as (payload: unknown) => string);
  servePages(app);
  return app;
}

/** The caller's own id of the request where it has a usable one, so that its logs and ours meet. */
function requestId({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const given = headers[REQUEST_ID];
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
}
