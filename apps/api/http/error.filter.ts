import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ReplayedResponse } from '#database';
import { errorCodeForStatus, DomainError, errorCodes } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBearerToken } from './bearer-token.js';
import { REQUEST_ID } from './connections.js';
import type { ApiErrorResponse } from './error.response.js';

const BEARER_CHALLENGE = 'Bearer realm="Galley"';

// The `Retry-After` of a 503 response if the error does not say when to retry.
const DEFAULT_RETRY_AFTER_S = 1;

/** The errors behind 5xx responses. The request log includes them. */
const failures = new WeakMap<FastifyRequest, unknown>();
export const findFailure = (request: FastifyRequest): unknown => failures.get(request);

/**
 * Turns the errors that handlers throw into responses. A `ReplayedResponse` is not an error: it becomes the stored
 * response of an earlier request with the same idempotency key.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (error instanceof ReplayedResponse) {
      const { status, headers, body } = error.response;
      void reply
        .status(status)
        .headers(headers)
        .send(body.length > 0 ? body : undefined);
      return;
    }
    void reply.header('cache-control', 'no-store');
    const body = errorBody(error, request);
    if (body.statusCode >= 500) failures.set(request, error);
    if (error instanceof DomainError) {
      const challenge = challengeOf(error, request);
      if (challenge) void reply.header('www-authenticate', challenge);
      const isUnavailable = error.code === 'unavailable';
      const { entityTag, retryAfterSeconds = isUnavailable ? DEFAULT_RETRY_AFTER_S : undefined } =
        error.hints;
      if (entityTag) void reply.header('etag', entityTag);
      if (retryAfterSeconds) void reply.header('retry-after', retryAfterSeconds);
    }
    void reply.status(body.statusCode).send(body);
  }
}

/**
 * Returns the value of `WWW-Authenticate` (RFC 6750, section 3). If the request has no token, the challenge names no
 * error.
 */
function challengeOf({ code, hints }: DomainError, request: FastifyRequest): string | undefined {
  if (code !== 'unauthorized' && code !== 'forbidden') return undefined;
  const error = code === 'forbidden' ? 'insufficient_scope' : 'invalid_token';
  if (!hasBearerToken(request)) return BEARER_CHALLENGE;
  const description = hints.reason && `, error_description="${hints.reason}"`;
  return `${BEARER_CHALLENGE}, error="${error}"${description ?? ''}`;
}

/** Sends an error that Fastify raises before the request reaches Nest and its `ErrorFilter`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const body = errorBody(error, request);
  void reply.headers({ [REQUEST_ID]: request.id, 'cache-control': 'no-store' });
  void reply.status(body.statusCode).send(body);
}

export function errorBody(error: unknown, request: FastifyRequest): ApiErrorResponse {
  if (error instanceof DomainError) {
    const { code, message, details } = error;
    return { statusCode: errorCodes[code].status, code, message, ...(details && { details }) };
  }
  const statusCode = statusOf(error);
  if (statusCode >= 500 || !(error instanceof Error)) {
    return { statusCode: 500, code: 'internal', message: errorCodes.internal.message };
  }
  const message = messageOfStatus(statusCode, request) ?? error.message;
  return { statusCode, code: errorCodeForStatus(statusCode), message };
}

/**
 * Returns a message for an error that Nest or Fastify raises before a request reaches a route. This message is more
 * helpful than the message of the error itself.
 */
function messageOfStatus(statusCode: number, { routeOptions }: FastifyRequest): string | undefined {
  const { not_found, too_large, unsupported_media_type } = errorCodes;
  if (statusCode === not_found.status) return not_found.message;
  if (statusCode === unsupported_media_type.status) return unsupported_media_type.message;
  return statusCode === too_large.status
    ? `The body is too large: the limit is ${formatBytes(routeOptions.bodyLimit)}.`
    : undefined;
}

const MIB = 1024 * 1024;
const formatBytes = (bytes: number) =>
  bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`;

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500;
  return typeof status === 'number' && status >= 400 ? status : 500;
}
