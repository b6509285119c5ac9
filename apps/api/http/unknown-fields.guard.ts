import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MAX_DETAILS } from '#errors';
import type { FastifyRequest } from 'fastify';
import { operationOf } from './answer-headers.js';
import { invalid, recordOf, unknownField } from './dto.pipe.js';

/**
 * Refuses a query or body where a route takes none: what would be ignored may have been meant, as in
 * `?dryRun=true`. Public routes are asked by what nobody here can teach, such as a load balancer.
 */
@Injectable()
export class UnknownFieldsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (operationOf(request)?.isPublic) return true;
    const unknown = [
      ...(takes(context, RouteParamtypes.QUERY) ? [] : Object.keys(recordOf(request.query))),
      ...(takes(context, RouteParamtypes.BODY) ? [] : Object.keys(recordOf(request.body))),
    ];
    if (unknown.length > 0) throw invalid(unknown.slice(0, MAX_DETAILS).map(unknownField));
    return true;
  }
}

/** Nest has no public way to ask which parameters a handler has. */
function takes(context: ExecutionContext, type: RouteParamtypes): boolean {
  const handler = context.getHandler().name;
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler);
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${type}:`));
}
