import type { FastifyRequest } from 'fastify';

/** The caller of a request, as identified by `Authenticator`. */
export interface Caller {
  userId: string;
}

export type CallerRequest = FastifyRequest & { user?: Caller };
