import { DomainError } from '#errors';
import type { FastifyReply } from 'fastify';

/** Whether nobody will read the response. What waits for its `close` from then on may wait forever. */
export const isClientGone = ({ raw, request }: FastifyReply): boolean =>
  raw.destroyed || request.raw.socket.destroyed;

/** Ends such a request. Only the log tells of it, and it is no fault of this process. */
export const clientGone = () => new DomainError('timeout', 'The client has gone away.');
