import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '#identity';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../http/address.js';

/** What the guard leaves on a request. */
export interface Caller {
  userId: string;
}

/** Who is calling, as the guard found out, and from where. */
export const CurrentActor = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Actor => {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: Caller }>();
    return {
      userId: request.user.userId,
      // Only what is audited asks for it.
      get address() {
        return addressOf(request);
      },
    };
  },
);
