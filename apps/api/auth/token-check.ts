import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { operationOf } from '../operations/response-headers.js';
import type { CallerRequest } from '../http/caller.js';
import { Authenticator } from './authenticator.js';
import { RequestLimits } from './request-limits.js';

/** Requires a valid token or API key for every operation that is not marked `isPublic`. */
@Injectable()
export class TokenCheck {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly requestLimits: RequestLimits,
  ) {}

  /**
   * @returns a promise only if the token must be verified. Public operations need no token. If the token was verified
   * within the last minute, `countRequest` has already set `request.user` and counted the request.
   * @throws DomainError `unauthorized`, `too_many_requests` or `unavailable`
   */
  check(request: CallerRequest, reply: FastifyReply): undefined | Promise<void> {
    if (operationOf(request)?.isPublic || request.user !== undefined) return undefined;
    return this.checkCredentials(request, reply);
  }

  private async checkCredentials(request: CallerRequest, reply: FastifyReply): Promise<void> {
    const { userId } = await this.authenticator.authenticate(request);
    await this.requestLimits.countUser(reply, userId);
  }
}
