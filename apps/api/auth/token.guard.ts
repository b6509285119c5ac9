import { Injectable, Logger, type ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { AuthGuard } from '@nestjs/passport';
import { DomainError } from '#errors';
import { ApiKeys, isApiKey } from '#identity';
import type { FastifyReply } from 'fastify';
import { decodeJwt } from 'jose';
import { Admission } from '../admission/admission.js';
import { networkOf } from '../http/address.js';
import { operationOf } from '../http/answer-headers.js';
import type { Caller, CallerRequest } from './actor.decorator.js';
import { bearerToken, hasBearerToken } from './bearer-token.js';
import { RequestLimits } from './request-limits.js';
import { problemOf } from './token-problem.js';
import { VerifiedTokens } from './verified-tokens.js';

const MALFORMED = 'The Authorization header must be sent once, as Bearer and one token.';

interface Verified extends Caller {
  /** Milliseconds since 1970. */
  end: number;
}

/**
 * Lets only valid tokens and API keys in, but for operations that are `isPublic`. `api.ts` asks it before a
 * body is read; as a guard it also stands before routes that have no operation.
 */
@Injectable()
export class TokenGuard extends AuthGuard('jwt') {
  private readonly logger = new Logger(TokenGuard.name);
  private readonly keysBeingVerified = new Map<string, Promise<Verified>>();

  constructor(
    private readonly keys: ApiKeys,
    private readonly verified: VerifiedTokens,
    private readonly limits: RequestLimits,
    private readonly admission: Admission,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    return this.admit(http.getRequest<CallerRequest>(), http.getResponse<FastifyReply>());
  }

  /**
   * Finds out who sends a request, which it then knows.
   * @throws DomainError `unauthorized`
   */
  admit(request: CallerRequest, reply: FastifyReply): boolean | Promise<boolean> {
    if (operationOf(request)?.isPublic) return true;
    // Whose token was verified a moment ago was known, and counted, when the request arrived.
    return request.user !== undefined || this.verify(request, reply);
  }

  private async verify(request: CallerRequest, reply: FastifyReply): Promise<boolean> {
    const token = bearerToken(request);
    if (token === '') throw this.refusal(hasBearerToken(request) ? MALFORMED : undefined);
    const { userId, end } = isApiKey(token)
      ? await this.verifyKey(token, networkOf(request))
      : await this.verifyToken(new ExecutionContextHost([request, reply]), token);
    request.user = { userId };
    this.verified.keep(token, userId, end);
    await this.limits.countUser(reply, userId);
    return true;
  }

  /** Requests that send the same key at once share a statement. */
  private verifyKey(key: string, network: string): Promise<Verified> {
    let verified = this.keysBeingVerified.get(key);
    if (verified === undefined) {
      verified = this.lookUpKey(key, network).finally(() => this.keysBeingVerified.delete(key));
      this.keysBeingVerified.set(key, verified);
    }
    return verified;
  }

  private async lookUpKey(key: string, network: string): Promise<Verified> {
    // Anybody can send invalid keys, so nothing but the network tells callers apart.
    const { userId, expiresAt } = await this.admission.run(`keys from ${network}`, () =>
      this.keys.userOf(key),
    );
    return { userId, end: expiresAt?.getTime() ?? Infinity };
  }

  private async verifyToken(context: ExecutionContext, token: string): Promise<Verified> {
    await super.canActivate(context);
    const { user } = context.switchToHttp().getRequest<{ user: Caller }>();
    return { ...user, end: (decodeJwt(token).exp ?? 0) * 1000 };
  }

  /** `info` tells why passport refused a token: either the token is to blame, or the keys could not be had. */
  override handleRequest<User>(error: Error | null, user: User | false, info: unknown): User {
    if (error) throw error;
    if (info instanceof DomainError) throw info;
    if (!user) throw this.refusal(problemOf(info));
    return user;
  }

  private refusal(problem?: string): DomainError {
    // Only when asked for: anybody can send as many as they like.
    this.logger.debug({ stage: 'token', problem });
    return DomainError.unauthorized(problem);
  }
}
