import { DomainError } from '#errors';
import type { FastifyReply } from 'fastify';

/** Whether the client has disconnected. If so, the `close` event of the response may never be emitted. */
export const isClientDisconnected = ({ raw, request }: FastifyReply): boolean =>
  raw.destroyed || request.raw.socket.destroyed;

/**
 * The error for the request of a client that has disconnected. The error appears only in the log. Its status is not
 * 5xx, because the cause is not in this process.
 */
export const clientDisconnectedError = () =>
  new DomainError('timeout', 'The client has disconnected.');
