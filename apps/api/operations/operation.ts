import { STATUS_CODES } from 'node:http';
import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import type { ErrorCode } from '#errors';
import type { Role } from '#workspaces';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtraModels, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { takenInputs } from '../validation/inputs.js';
import { checkNoticePeriod, type Deprecation } from './deprecation.js';

/** An alternative response body: an array of objects. */
interface AlternativeBody {
  mediaType: string;
  /** The class of the objects. */
  item: Type;
}

/** The options of a route. The hooks around the handler read them, and the OpenAPI document is derived from them. */
export interface OperationOptions {
  /** The `operationId`. It never changes, because generated clients contain it. */
  id: string;
  summary: string;
  description?: string;
  /** The lowest role in the workspace that may call the route; undefined if every user may call the route. */
  role?: Role;
  /** The route requires no token. */
  isPublic?: true;
  /** A sentence that says who may call the route, if `role` alone does not say so. */
  accessDescription?: string;
  /** The status of a successful response, 200 by default. */
  status?: number;
  /** The class of the response body; undefined if the response has no body. */
  response?: Type;
  /** An alternative response body. Callers get it if their `Accept` header prefers its media type to JSON. */
  alternative?: AlternativeBody;
  /**
   * Adds the ETag of the resource to the response. A `GET` gets 304 if the client already has the current state. A
   * resource without `updatedAt` needs a function that computes the ETag.
   */
  etag?: true | ((resource: never) => string);
  /** The media type of a response that is a text instead of JSON. */
  contentType?: 'text/html' | 'text/plain' | 'text/csv' | 'application/xliff+xml';
  /** Returns the path of the created resource, which becomes the `Location` header. */
  location?: (created: never) => string;
  /** A `PUT` that creates the resource if it does not exist. The status is then 201 (see `MarkCreated`). */
  mayCreate?: true;
  /**
   * Accepts `Idempotency-Key`. The service passes `actor.idempotencyKey` to the unit of work, and the route
   * returns the result of the unit of work.
   */
  idempotent?: true;
  /** Accepts `If-Match`. Writes without this option refuse the header. */
  ifMatch?: true;
  /** The OpenAPI document marks the body as optional. */
  optionalBody?: true;
  /** Descriptions of errors that do not follow from the other options, or that need their own description. */
  errors?: Partial<Record<ErrorCode, string>>;
  /** Passes the body to the handler as raw bytes. */
  rawBody?: true;
  /**
   * Accepts a larger body than other routes do. Public routes must not set this option, because their callers are
   * unknown.
   */
  isBatch?: true;
  /** The route is a `POST` that changes nothing (it is safe in the sense of RFC 9110, section 9.2.1). */
  isSafe?: true;
  /** A request may hold its slot for a long time. One caller therefore gets fewer slots for such requests. */
  mayTakeLong?: true;
  /** Adds deprecation headers to all responses. */
  deprecated?: Deprecation;
}

/**
 * The options of all operations, by id. The OpenAPI document needs more information than the decorators of
 * @nestjs/swagger can express.
 */
export const operations = new Map<string, OperationOptions>();

/** Declares the operation of a route. Every route of the API must have this decorator. */
export function Operation(operation: OperationOptions): MethodDecorator {
  const {
    id,
    summary,
    description,
    status = 200,
    response,
    alternative,
    deprecated,
    isPublic,
    mayCreate,
  } = operation;
  if (deprecated) checkNoticePeriod(id, deprecated);
  return applyDecorators(
    (controller: object, method?: string | symbol, handler?: TypedPropertyDescriptor<unknown>) => {
      operations.set(id, operation);
      if (method === undefined || handler === undefined) return;
      // Parameter decorators run before method decorators, so Nest already knows the inputs of the handler.
      const inputs = isPublic ? undefined : takenInputs(controller, method);
      RouteConfig({ operation, inputs })(controller, method, handler);
    },
    HttpCode(status),
    ApiOperation({
      operationId: id,
      summary,
      ...(description && { description }),
      ...(deprecated && { deprecated: true }),
    }),
    ...(alternative ? [ApiExtraModels(alternative.item)] : []),
    ApiResponse({
      status,
      description: STATUS_CODES[status] ?? summary,
      ...(response && { type: response }),
    }),
    ...(mayCreate && response
      ? [ApiResponse({ status: 201, description: 'Created', type: response })]
      : []),
  );
}
