import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import type { ErrorCode } from '#errors';
import type { Role } from '#identity';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { checkPeriod, type Deprecation } from './deprecation.js';

/** What a route does around its work, and what the OpenAPI document says of it. */
export interface Operation {
  /** `operationId` of the document. Clients are generated with it, so it stays as it is. */
  id: string;
  summary: string;
  description?: string;
  /** The least role in the workspace that may; none where every user may. */
  role?: Role;
  /** Needs no token. */
  isPublic?: true;
  /** Who may, in a sentence, where the role alone does not say it. */
  access?: string;
  /** Of success; 200 without one. */
  status?: number;
  /** The class that describes what it answers; none where it answers nothing. */
  answer?: Type;
  /** Answers with the entity tag of what it answers, and on reading with 304 to who has that state. */
  tagged?: true;
  /** Where what was made can be read. */
  location?: (made: never) => string;
  /**
   * Takes `Idempotency-Key`: its service hands `actor.once` to the unit of work, and the route
   * answers with what that gives.
   */
  once?: true;
  /** Takes `If-Match`. */
  conditional?: true;
  /** Its body may be left out. */
  optionalBody?: true;
  /** What errors mean here that do not follow from all the rest, or not in the words of all. */
  errors?: Partial<Record<ErrorCode, string>>;
  /** Hands on the bytes of the body as they came. */
  keepsBody?: true;
  /** Takes a body that is larger than others, of whoever is known before it is read. */
  isBatch?: true;
  /** All its answers say so. */
  deprecated?: Deprecation;
}

/** By id, for the OpenAPI document, of which the decorators of @nestjs/swagger make but a part. */
export const operations = new Map<string, Operation>();

/** Every route of the API has one. */
export function Operates(operation: Operation): MethodDecorator {
  const { id, summary, description, status = 200, answer, deprecated } = operation;
  if (deprecated) checkPeriod(id, deprecated);
  return applyDecorators(
    () => void operations.set(id, operation),
    RouteConfig({ operation }),
    HttpCode(status),
    ApiOperation({
      ...{ operationId: id, summary },
      ...(description && { description }),
      ...(deprecated && { deprecated: true }),
    }),
    ApiResponse({ status, description: summary, ...(answer && { type: answer }) }),
  );
}
