import { DomainError } from '#errors';
import type { FastifyReply } from 'fastify';

/**
 * Check this before waiting for the `close` event of a response: if the client has already disconnected, the event may
 * never be emitted.
 */
export const isClientDisconnected = ({ raw, request }: FastifyReply): boolean =>
  raw.destroyed || request.raw.socket.destroyed;

/**
 * The error that is logged for a request whose client has disconnected. The status is not 5xx, because the cause is not
 * in this process.
 */
export const clientDisconnectedError = () =>
  new DomainError('timeout', 'The client has disconnected.');
