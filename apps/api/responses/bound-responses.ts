import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { DomainError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerRequest } from '../auth/actor.decorator.js';
import { networkOf } from '../http/address.js';
import { errorBody } from '../http/error.filter.js';
import { isClientGone } from '../http/gone-client.js';
import { ResponseBudget, type ResponseQuotas } from './response-budget.js';

const MIB = 1024 * 1024;

export interface ResponseBounds {
  quotas: ResponseQuotas;
  /** A connection is closed if its client has read nothing of a response for one to two times this. */
  stalledMs: number;
  /** Bytes a second that a client must read on average, from `stalledMs` on. */
  leastRate: number;
}

/** An API with a heap of 512 MiB in a container of 1 GiB has room for these beside all else. */
export const RESPONSE_BOUNDS: ResponseBounds = {
  quotas: { caller: 32 * MIB, all: 128 * MIB },
  // The kernel tells of progress only when a third of its send buffer is free: of a slow client's, after
  // several seconds.
  stalledMs: 15_000,
  leastRate: 32 * 1024,
};

// The kernel takes a smaller response at once, so that it needs no memory here.
const LEAST_BYTES = 16 * 1024;
const RETRY_AFTER_SECONDS = 5;

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** A user or API key; where the route asks for none, a network. */
const callerOf = (request: CallerRequest) => request.user?.userId ?? networkOf(request);

/**
 * Bounds what responses that nobody reads cost this process: how many bytes of them there are, and for how
 * long. A read of a caller who is over the quota gets 429. A write has had its effect and gets its response;
 * older ones are closed for it.
 */
export function boundResponses(
  fastify: FastifyInstance,
  { quotas, stalledMs, leastRate }: ResponseBounds = RESPONSE_BOUNDS,
): void {
  const logger = new Logger('Responses');
  const budget = new ResponseBudget(quotas);
  closeStalled(fastify, stalledMs);

  // After it is known who asks, and before a statement is run for nothing.
  fastify.addHook('preHandler', (request, reply, done) => {
    if (!isRead(request.method) || budget.admits(callerOf(request))) done();
    else void reply.send(refusal(request, reply, quotas));
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesOf(payload);
    if (bytes < LEAST_BYTES || request.method === 'HEAD' || isClientGone(reply)) {
      done(null, payload);
      return;
    }
    const caller = callerOf(request);
    if (request.method === 'GET' && !budget.admits(caller)) {
      done(null, refusal(request, reply, quotas));
      return;
    }
    const close = () => {
      release();
      logger.warn(
        { stage: 'response', requestId: request.id },
        'Closed a connection: its client did not read the response in time.',
      );
      request.raw.socket.destroy();
    };
    const release = budget.hold(caller, { bytes, close });
    let deadline: NodeJS.Timeout | undefined;
    const begin = () => {
      deadline = setTimeout(close, stalledMs + (bytes / leastRate) * 1000).unref();
    };
    // A pipelined response gets the connection once all earlier responses have been written.
    if (reply.raw.socket === null) reply.raw.once('socket', begin);
    else begin();
    reply.raw.once('close', () => {
      clearTimeout(deadline);
      release();
    });
    // Node would make the same bytes of a text, and keep both.
    done(null, typeof payload === 'string' ? Buffer.from(payload) : payload);
  });
}

/**
 * Node times a connection out on which nothing moves, also while a request is being carried out. It counts as
 * a movement when the kernel has taken a part of what waits to be written.
 */
function closeStalled({ server }: FastifyInstance, stalledMs: number): void {
  server.setTimeout(stalledMs, (socket: Socket) => {
    const isKeptAlive = socket.timeout !== stalledMs;
    if (isKeptAlive || socket.writableLength > 0) socket.destroy();
  });
}

/** What a stream holds is little, whatever it brings. */
function bytesOf(payload: unknown): number {
  if (Buffer.isBuffer(payload)) return payload.length;
  if (typeof payload !== 'string' || payload.length < LEAST_BYTES / 3) return 0;
  return Buffer.byteLength(payload);
}

/** Makes an error of the response, also of one that is ready, and gives its body. */
function refusal(request: FastifyRequest, reply: FastifyReply, { caller }: ResponseQuotas): string {
  const message =
    `Too many responses are unread: one user or API key may have ${caller / MIB} MiB of them. ` +
    `Read them, or close their connections. Retry in ${RETRY_AFTER_SECONDS} seconds.`;
  const body = errorBody(new DomainError('too_many_requests', message), request);
  reply.removeHeader('etag');
  void reply
    .status(body.statusCode)
    .headers({ 'cache-control': 'no-store', 'retry-after': RETRY_AFTER_SECONDS })
    .type('application/json; charset=utf-8');
  return JSON.stringify(body);
}
