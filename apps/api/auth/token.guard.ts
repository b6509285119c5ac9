import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { DomainError } from '#errors';
import { IS_PUBLIC } from './public.decorator.js';

/** Stands before every route and lets only valid tokens in, but for the routes marked `@Public()`. */
@Injectable()
export class TokenGuard extends AuthGuard('jwt') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext) {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets)) return true;
    return super.canActivate(context);
  }

  /** `info` tells why passport refused a token: either the token is to blame, or the keys could not be had. */
  override handleRequest<User>(error: Error | null, user: User | false, info: unknown): User {
    if (error) throw error;
    if (info instanceof DomainError) throw info;
    if (!user) throw DomainError.unauthorized();
    return user;
  }
}
