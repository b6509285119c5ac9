import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '#workspaces';
import type { FastifyRequest } from 'fastify';
import { ipAddressOf } from '../http/ip-address.js';
import { idempotencyKeyOf } from '../http/idempotency-key.js';

/** The caller of a request, after `Authenticator` has identified the caller. */
export interface Caller {
  userId: string;
}

export type CallerRequest = FastifyRequest & { user?: Caller };

/** The caller that `Authenticator` found, and where the request came from. */
export const CurrentActor = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Actor => {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: Caller }>();
    return {
      userId: request.user.userId,
      idempotencyKey: idempotencyKeyOf(request, request.user.userId),
      // The IP address is parsed on demand, because only audited changes read it.
      get ipAddress() {
        return ipAddressOf(request);
      },
    };
  },
);
