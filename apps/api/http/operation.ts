import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import type { ErrorCode } from '#errors';
import type { Role } from '#workspaces';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { checkNoticePeriod, type Deprecation } from './deprecation.js';

/** The options of a route: the work around its handler, and its description in the OpenAPI document. */
export interface OperationOptions {
  /** The `operationId`. Clients are generated from it, so it never changes. */
  id: string;
  summary: string;
  description?: string;
  /** The least role in the workspace that is required; none if every user may call the route. */
  role?: Role;
  /** Requires no token. */
  isPublic?: true;
  /** A sentence about the callers that may call the route, if the role alone does not say so. */
  accessDescription?: string;
  /** The status of success, 200 by default. */
  status?: number;
  /** The class of the response body; none if there is no body. */
  response?: Type;
  /**
   * Adds the resource's ETag to the response, and makes reads respond 304 to clients that have this state.
   */
  etag?: true;
  /** The path of the resource that was created. */
  location?: (created: never) => string;
  /**
   * Accepts `Idempotency-Key`. The service passes `actor.idempotencyKey` to the unit of work, and the route
   * returns the result of that.
   */
  idempotent?: true;
  /** Accepts `If-Match`. */
  ifMatch?: true;
  /** The body is optional. */
  optionalBody?: true;
  /** Descriptions of errors that do not follow from the other options, or need words of their own. */
  errors?: Partial<Record<ErrorCode, string>>;
  /** Passes on the body as raw bytes. */
  rawBody?: true;
  /** Accepts a larger body than other routes; the caller is known before the body is read. */
  isBatch?: true;
  /** Adds deprecation headers to all responses. */
  deprecated?: Deprecation;
}

/** By id. The OpenAPI document needs more than the decorators of @nestjs/swagger provide. */
export const operations = new Map<string, OperationOptions>();

/** Every route of the API has this decorator. */
export function Operation(operation: OperationOptions): MethodDecorator {
  const { id, summary, description, status = 200, response, deprecated } = operation;
  if (deprecated) checkNoticePeriod(id, deprecated);
  return applyDecorators(
    () => void operations.set(id, operation),
    RouteConfig({ operation }),
    HttpCode(status),
    ApiOperation({
      operationId: id,
      summary,
      ...(description && { description }),
      ...(deprecated && { deprecated: true }),
    }),
    ApiResponse({ status, description: summary, ...(response && { type: response }) }),
  );
}
