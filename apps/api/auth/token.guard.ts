import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { operationOf } from '../http/response-headers.js';
import type { CallerRequest } from './actor.decorator.js';
import { Authenticator } from './authenticator.js';
import { RequestLimits } from './request-limits.js';

/**
 * Lets only callers with a valid token or API key in, except for operations that are `isPublic`. `api.ts`
 * calls `check` before a body is read; as a guard, this class also protects routes that have no operation.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly requestLimits: RequestLimits,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    return this.check(http.getRequest<CallerRequest>(), http.getResponse<FastifyReply>());
  }

  /** @throws DomainError `unauthorized`, `too_many_requests` or `unavailable` */
  check(request: CallerRequest, reply: FastifyReply): boolean | Promise<boolean> {
    if (operationOf(request)?.isPublic) return true;
    // If the token was verified within the last minute, `countRequest` has set `request.user` and counted the request.
    return request.user !== undefined || this.checkCredentials(request, reply);
  }

  private async checkCredentials(request: CallerRequest, reply: FastifyReply): Promise<true> {
    const { userId } = await this.authenticator.authenticate(request);
    await this.requestLimits.countUser(reply, userId);
    return true;
  }
}
