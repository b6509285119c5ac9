import {
  Catch,
  HttpException,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { DomainError, type ErrorCode, type ErrorDetail } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface ErrorBody {
  statusCode: number;
  message: string;
  details?: readonly ErrorDetail[];
}

const STATUS: Record<ErrorCode, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 412,
  unavailable: 503,
};

// What is found before a request reaches a route, in words that say what to mend.
const MESSAGES: Record<number, string> = {
  413: 'The body is too large; 1 MiB is allowed.',
  415: 'The body must be sent as application/json, and not compressed.',
};

/** The only place where an error becomes an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const body = errorBody(error);
    if (body.statusCode >= 500) {
      const { method, routeOptions, id } = request;
      const stage = `${method} ${routeOptions.url ?? 'unknown route'}`;
      this.logger.error({ err: error, stage, requestId: id });
    }
    if (error instanceof DomainError && error.entityTag) void reply.header('etag', error.entityTag);
    void reply.status(body.statusCode).send(body);
  }
}

export function errorBody(error: unknown): ErrorBody {
  if (error instanceof DomainError) {
    const { code, message, details } = error;
    return { statusCode: STATUS[code], message, ...(details && { details }) };
  }
  const statusCode = statusOf(error);
  if (statusCode >= 500 || !(error instanceof Error)) {
    return {
      statusCode: 500,
      message: 'Something went wrong here. Try again; if it stays, tell us the x-request-id.',
    };
  }
  return { statusCode, message: MESSAGES[statusCode] ?? error.message };
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500;
  return typeof status === 'number' && status >= 400 ? status : 500;
}
