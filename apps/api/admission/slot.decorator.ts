import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { WaitingRequest } from '#rendering';
import type { AdmittedRequest } from './admission.js';

/** A request's slot. The request may give up its slot while it waits for a thread. */
export interface Slot extends WaitingRequest {
  /** Waits for a slot again if the request has given up its slot. */
  readonly takeAgain: () => Promise<void>;
}

export const CurrentSlot = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Slot => {
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest>();
    const reply = http.getResponse<FastifyReply>();
    return {
      beginWait: () => request.admission?.release(request),
      takeAgain: async () => request.admission?.admitAgain(request, reply),
      onDisconnect: (abandon) => {
        reply.raw.once('close', abandon);
        return () => reply.raw.off('close', abandon);
      },
    };
  },
);
