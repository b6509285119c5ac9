import type { FastifyRequest } from 'fastify';

/** The caller of a request, after `Authenticator` has identified the caller. */
export interface Caller {
  userId: string;
}

export type CallerRequest = FastifyRequest & { user?: Caller };
