import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '#identity';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../http/address.js';
import { onceOf } from '../http/idempotency-key.js';

/** What is left on a request once its token is verified. */
export interface Caller {
  userId: string;
}

export type CallerRequest = FastifyRequest & { user?: Caller };

/** Who is calling, as the guard found out, and from where. */
export const CurrentActor = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Actor => {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: Caller }>();
    return {
      userId: request.user.userId,
      once: onceOf(request, request.user.userId),
      // Only what is audited asks for it.
      get address() {
        return addressOf(request);
      },
    };
  },
);
