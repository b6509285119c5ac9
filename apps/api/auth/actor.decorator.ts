import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '#workspaces';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller.js';
import { ipAddressOf } from '../http/ip-address.js';
import { idempotencyKeyOf } from '../operations/idempotency-key.js';

/** Clients send this directive if they must not get a stale response (RFC 9111, section 5.2.1.4). */
const NO_CACHE = /(^|[\s,])no-cache($|[\s,])/i;

/** Injects the caller that `Authenticator` identified, with the idempotency key and the IP address of the request. */
export const CurrentActor = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Actor => {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: Caller }>();
    return {
      userId: request.user.userId,
      idempotencyKey: idempotencyKeyOf(request, request.user.userId),
      needsLatest: NO_CACHE.test(request.headers['cache-control'] ?? ''),
      // The IP address is parsed on demand, because only audited changes read it.
      get ipAddress() {
        return ipAddressOf(request);
      },
    };
  },
);
