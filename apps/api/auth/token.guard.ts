import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { DomainError } from '#errors';
import type { Actor } from '#identity';
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import { ExtractJwt } from 'passport-jwt';
import { IS_PUBLIC } from './public.decorator.js';

// At some 2 KB each, 20 MB at most.
const KEPT_TOKENS = 10_000;
// A key that the issuer has withdrawn serves no longer than this beyond its time in our key set.
const KEPT_FOR_MS = 60_000;

const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

interface TokenRequest {
  headers: { authorization?: string };
  user?: Actor;
}

/** Stands before every route and lets only valid tokens in, but for the routes marked `@Public()`. */
@Injectable()
export class TokenGuard extends AuthGuard('jwt') {
  /**
   * Who sent a token that was verified a moment ago: to do so anew for each request took about a
   * third of the reads that the API can serve. Whether the user is still welcome is not kept; every statement asks that anew.
   */
  private readonly verified = new LRUCache<string, Actor>({ max: KEPT_TOKENS, ttl: KEPT_FOR_MS });

  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<TokenRequest>();
    const token = bearerToken(request as Parameters<typeof bearerToken>[0]) ?? '';
    const actor = this.verified.get(token);
    if (actor === undefined) return this.verify(context, token);
    request.user = actor;
    return true;
  }

  private async verify(context: ExecutionContext, token: string): Promise<boolean> {
    await super.canActivate(context);
    const { exp = 0 } = decodeJwt(token);
    const { user } = context.switchToHttp().getRequest<TokenRequest>();
    const ttl = Math.min(KEPT_FOR_MS, exp * 1000 - Date.now());
    if (user !== undefined && ttl > 0) this.verified.set(token, user, { ttl });
    return true;
  }

  /** `info` tells why passport refused a token: either the token is to blame, or the keys could not be had. */
  override handleRequest<User>(error: Error | null, user: User | false, info: unknown): User {
    if (error) throw error;
    if (info instanceof DomainError) throw info;
    if (!user) throw DomainError.unauthorized();
    return user;
  }
}
