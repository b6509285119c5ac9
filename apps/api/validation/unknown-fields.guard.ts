import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MAX_DETAILS } from '#errors';
import type { FastifyRequest } from 'fastify';
import { operationOf } from '../http/response-headers.js';
import { validationError, requireObject, unknownField } from './dto.pipe.js';

/**
 * Refuses a query or body on routes that take none. Otherwise, a caller could rely on input that has no
 * effect, such as `?dryRun=true`. Public routes accept any query and body, because their callers, such as
 * load balancers, cannot be changed.
 */
@Injectable()
export class UnknownFieldsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (operationOf(request)?.isPublic) return true;
    const findUnknown = (type: RouteParamtypes, value: unknown, isQuery: boolean) => {
      const names = hasParameter(context, type) ? [] : Object.keys(requireObject(value));
      return names.slice(0, MAX_DETAILS).map((name) => unknownField(name, isQuery));
    };
    const violations = [
      ...findUnknown(RouteParamtypes.QUERY, request.query, true),
      ...findUnknown(RouteParamtypes.BODY, request.body, false),
    ];
    if (violations.length > 0) throw validationError(violations);
    return true;
  }
}

/** Whether the handler takes the query or body. Reads metadata of Nest, which has no public API for this. */
function hasParameter(context: ExecutionContext, type: RouteParamtypes): boolean {
  const handler = context.getHandler().name;
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler);
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${type}:`));
}
