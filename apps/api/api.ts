import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { build, createLogger, type ApiConfig } from '#config';
import { CompleteDatabase, Reads } from '#database';
import { Metrics } from '#metrics';
import { endInTime } from '#shutdown';
import { noteSignals } from '#signals';
import { Admission } from './admission/admission.js';
import { ApiModule } from './api.module.js';
import { serveAssets } from './assets/serve-assets.js';
import { admitCallers } from './auth/admit-callers.js';
import { RequestLimits } from './auth/request-limits.js';
import { TokenCheck } from './auth/token-check.js';
import { admitBodies } from './bodies/body-admission.js';
import { parseBodies } from './bodies/body-parser.js';
import { GracefulStop } from './graceful-stop.js';
import { requireCompleteDatabase } from './health/require-database.js';
import { allowOrigins } from './http/cors.js';
import { addResponseHeaders } from './operations/response-headers.js';
import { handleClientError, REQUEST_ID, limitPipelining } from './http/connections.js';
import { sendError } from './http/error.filter.js';
import { rememberWrites } from './remember-writes.js';
import { logRequests } from './http/request-log.js';
import { enterRequestSpans, startRequestSpans } from './request-spans.js';
import { servePages } from './pages/pages.js';
import { serveSettings } from './pages/settings.js';
import { measureRequests } from './request-metrics.js';
import { compressResponses } from './responses/compress-responses.js';
import { serializeJson } from './json/json-serializer.js';
import { limitUnreadResponses } from './responses/unread-responses.js';
import { refuseUnknownFields } from './validation/unknown-fields.js';

// The maximum time between the first and the last byte of a request. The response may take longer.
const REQUEST_TIMEOUT_MS = 30_000;

/** Creates the API with all its hooks and routes. The API does not listen yet. */
export async function createApi(config: ApiConfig): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: config.MAX_BODY_BYTES,
    trustProxy: config.TRUSTED_PROXIES,
    genReqId: requestIdOf,
    // Node's limit on the size of headers includes the path, so no parameter is longer than this limit. An overlong id
    // therefore reaches its route and gets 404 like any other unknown id.
    routerOptions: { maxParamLength: maxHeaderSize },
    // Fastify refuses a malformed path before it looks for a route, so `ErrorFilter` does not get the error.
    frameworkErrors: sendError,
    clientErrorHandler: handleClientError,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      // Equal to `requestTimeout`, because Node applies the longer of the two to the whole request.
      headersTimeout: REQUEST_TIMEOUT_MS,
      // Node checks the timeouts once in each interval. With the default interval of 30 s, a request could take twice
      // as long as `requestTimeout`.
      connectionsCheckingInterval: REQUEST_TIMEOUT_MS / 10,
    },
    // Requests that arrive during the shutdown are still handled.
    return503OnClosing: false,
  });
  const logger = createLogger(config);
  logger.log(`galley api ${build} starts.`);
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.forRoot(config), adapter, {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  // Without this option, Nest ends the process by re-raising the signal, and the exit code is not 0.
  app.enableShutdownHooks(undefined, { useProcessExit: true });
  noteSignals();
  endInTime(app);

  const fastify = adapter.getInstance();
  limitPipelining(fastify.server);
  measureRequests(fastify, app.get(Metrics));
  startRequestSpans(fastify);
  logRequests(fastify, logger);
  addResponseHeaders(fastify);
  // Installed before anything that can refuse a request, because web pages must be able to read errors too.
  await allowOrigins(fastify, config.CORS_ORIGINS);
  requireCompleteDatabase(fastify, app.get(CompleteDatabase));
  admitCallers(fastify, app.get(RequestLimits), app.get(TokenCheck));
  // Installed before `Admission`, because `rememberWrites` checks in `onSend` whether the request holds a slot. The
  // `onSend` hook of `Admission` then releases the slot.
  rememberWrites(fastify, app.get(Reads));
  admitBodies(fastify, config);
  app.get(Admission).install(fastify);
  // Compresses after the request has released its slot, and before the bytes of the response are counted.
  if (config.COMPRESS_RESPONSES) compressResponses(fastify);
  // Installed after `Admission`, so that the check before the handler includes the responses that have piled up while
  // the request waited for a slot.
  limitUnreadResponses(fastify);
  refuseUnknownFields(fastify);
  enterRequestSpans(fastify);
  app.get(GracefulStop).install(fastify);
  parseBodies(fastify, config);
  // Fastify also accepts a Buffer from the serializer, although its types allow only a string.
  fastify.setReplySerializer(serializeJson as (payload: unknown) => string);
  servePages(app);
  serveAssets(app);
  await serveSettings(app, config);
  return app;
}

/**
 * Returns the caller's `x-request-id`, or a new id if the header is missing or invalid. Sharing the id lets operators
 * match the caller's logs with Galley's.
 */
function requestIdOf({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const header = headers[REQUEST_ID];
  return typeof header === 'string' && /^[\w.-]{1,100}$/.test(header) ? header : randomUUID();
}
