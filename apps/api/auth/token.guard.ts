import { Injectable, Logger, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { DomainError } from '#errors';
import { ApiKeys, isApiKey } from '#identity';
import { decodeJwt } from 'jose';
import { ExtractJwt } from 'passport-jwt';
import type { Caller } from './actor.decorator.js';
import { IS_PUBLIC } from './public.decorator.js';
import { VerifiedTokens } from './verified-tokens.js';

const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

interface TokenRequest {
  headers: { authorization?: string };
  user?: Caller;
}

/** Stands before every route and lets only valid tokens and API keys in, but for the routes marked `@Public()`. */
@Injectable()
export class TokenGuard extends AuthGuard('jwt') {
  private readonly logger = new Logger(TokenGuard.name);
  private readonly verified = new VerifiedTokens();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeys,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<TokenRequest>();
    const token = bearerToken(request as Parameters<typeof bearerToken>[0]) ?? '';
    const userId = this.verified.userOf(token);
    if (userId === undefined) {
      return isApiKey(token) ? this.verifyKey(request, token) : this.verify(context, token);
    }
    request.user = { userId };
    return true;
  }

  private async verify(context: ExecutionContext, token: string): Promise<boolean> {
    await super.canActivate(context);
    const { user } = context.switchToHttp().getRequest<TokenRequest>();
    if (user !== undefined)
      this.verified.keep(token, user.userId, (decodeJwt(token).exp ?? 0) * 1000);
    return true;
  }

  private async verifyKey(request: TokenRequest, key: string): Promise<boolean> {
    const { userId, expiresAt } = await this.keys.userOf(key);
    this.verified.keep(key, userId, expiresAt?.getTime() ?? Infinity);
    request.user = { userId };
    return true;
  }

  /** `info` tells why passport refused a token: either the token is to blame, or the keys could not be had. */
  override handleRequest<User>(error: Error | null, user: User | false, info: unknown): User {
    if (error) throw error;
    if (info instanceof DomainError) throw info;
    if (!user) {
      // Only when asked for: anybody can send as many as they like.
      this.logger.debug({ stage: 'token', problem: info instanceof Error ? info.message : info });
      throw DomainError.unauthorized();
    }
    return user;
  }
}
