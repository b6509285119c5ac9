import {
  Catch,
  HttpException,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { Replayed } from '#database';
import { codeOfStatus, DomainError, errorCodes } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBearerToken } from '../auth/bearer-token.js';
import type { ApiErrorAnswer } from './error.answer.js';

const CHALLENGE = 'Bearer realm="Galley"';

// What a 503 says unless it knows better.
const SOON_S = 1;

/** The only place where an error becomes an answer, and where an earlier answer is sent again. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (error instanceof Replayed) {
      const { status, headers, body } = error.answer;
      void reply
        .status(status)
        .headers(headers)
        .send(body.length > 0 ? body : undefined);
      return;
    }
    void reply.header('cache-control', 'no-store');
    const body = errorBody(error, request);
    if (body.statusCode >= 500) {
      const { method, routeOptions, id } = request;
      const stage = `${method} ${routeOptions.url ?? 'unknown route'}`;
      this.logger.error({ err: error, stage, requestId: id });
    }
    if (error instanceof DomainError) {
      const challenge = challengeOf(error, request);
      if (challenge) void reply.header('www-authenticate', challenge);
      const isUnavailable = error.code === 'unavailable';
      const { entityTag, retryAfterSeconds = isUnavailable ? SOON_S : undefined } = error.hints;
      if (entityTag) void reply.header('etag', entityTag);
      if (retryAfterSeconds) void reply.header('retry-after', retryAfterSeconds);
    }
    void reply.status(body.statusCode).send(body);
  }
}

/** `WWW-Authenticate` of RFC 6750, section 3. A caller who sent no token gets no error. */
function challengeOf({ code, hints }: DomainError, request: FastifyRequest): string | undefined {
  if (code !== 'unauthorized' && code !== 'forbidden') return undefined;
  const error = code === 'forbidden' ? 'insufficient_scope' : 'invalid_token';
  if (!hasBearerToken(request)) return CHALLENGE;
  const description = hints.reason && `, error_description="${hints.reason}"`;
  return `${CHALLENGE}, error="${error}"${description ?? ''}`;
}

export function errorBody(error: unknown, request: FastifyRequest): ApiErrorAnswer {
  if (error instanceof DomainError) {
    const { code, message, details } = error;
    return { statusCode: errorCodes[code].status, code, message, ...(details && { details }) };
  }
  const statusCode = statusOf(error);
  if (statusCode >= 500 || !(error instanceof Error)) {
    return { statusCode: 500, code: 'internal', message: errorCodes.internal.message };
  }
  const message = inOwnWords(statusCode, request) ?? error.message;
  return { statusCode, code: codeOfStatus(statusCode), message };
}

/** What Nest and Fastify find before a request reaches a route, in words that say more than theirs. */
function inOwnWords(statusCode: number, { routeOptions }: FastifyRequest): string | undefined {
  const { not_found, too_large, unsupported_media_type } = errorCodes;
  if (statusCode === not_found.status) return not_found.message;
  if (statusCode === unsupported_media_type.status) return unsupported_media_type.message;
  return statusCode === too_large.status
    ? `The body is too large: at most ${sizeOf(routeOptions.bodyLimit)} may be sent here.`
    : undefined;
}

const MIB = 1024 * 1024;
const sizeOf = (bytes: number) => (bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`);

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500;
  return typeof status === 'number' && status >= 400 ? status : 500;
}
