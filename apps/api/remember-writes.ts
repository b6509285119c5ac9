import type { Reads } from '#database';
import type { FastifyInstance } from 'fastify';
import { holdsSlot } from './admission/admission.js';
import type { CallerRequest } from './http/caller.js';

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Ensures that callers read their own writes, whichever API process handles the read. This applies to failed writes
 * too: a caller that gets 412 reads the resource again, and must see the state that caused the 412.
 */
export function rememberWrites(fastify: FastifyInstance, reads: Reads): void {
  if (!reads.hasReplica) return;
  fastify.addHook('onSend', async (request: CallerRequest) => {
    const { method, user } = request;
    const mayHaveWritten = holdsSlot(request) && !READ_METHODS.has(method);
    if (user !== undefined && mayHaveWritten) await reads.remember(user.userId);
  });
}
