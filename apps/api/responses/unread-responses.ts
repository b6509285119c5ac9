import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { DomainError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerRequest } from '../http/caller.js';
import { networkOf } from '../http/ip-address.js';
import { errorBody } from '../http/error.filter.js';
import { isClientDisconnected } from '../http/client-disconnect.js';
import { isRead, operationOf } from '../operations/response-headers.js';
import { ResponseBudget, type ResponseQuotas } from './response-budget.js';

const MIB = 1024 * 1024;

export interface UnreadResponseLimits {
  quotas: ResponseQuotas;
  /** How long a client may stop reading a response. Its connection is closed after twice this time at the latest. */
  stallTimeoutMs: number;
  /** A client has `stallTimeoutMs` to read a response, plus one second for each `minBytesPerSecond` bytes. */
  minBytesPerSecond: number;
}

/**
 * With these limits, an API with a heap of 512 MiB in a container of 1 GiB has room for the unread responses in
 * addition to everything else.
 */
export const UNREAD_RESPONSE_LIMITS: UnreadResponseLimits = {
  quotas: { perCaller: 32 * MIB, total: 128 * MIB },
  // The kernel reports progress only when a third of its send buffer is free. With a slow client, that takes
  // several seconds.
  stallTimeoutMs: 15_000,
  minBytesPerSecond: 32 * 1024,
};

// The kernel buffers smaller responses immediately, so they take up no memory of this process.
const MIN_COUNTED_BYTES = 16 * 1024;
const RETRY_AFTER_SECONDS = 5;

const isSafe = (request: FastifyRequest) =>
  isRead(request.method) || operationOf(request)?.isSafe === true;

/** Returns the caller whose quota a response counts towards: the user or API key or, on public routes, the network. */
const budgetKey = (request: CallerRequest) => request.user?.userId ?? networkOf(request);

/**
 * Limits how much memory unread responses occupy, and for how long. A request that changes nothing gets 429 if its
 * caller is over the quota. A write has already taken effect, so its response is sent, and older responses are closed
 * to make room.
 */
export function limitUnreadResponses(
  fastify: FastifyInstance,
  { quotas, stallTimeoutMs, minBytesPerSecond }: UnreadResponseLimits = UNREAD_RESPONSE_LIMITS,
): void {
  const logger = new Logger('Responses');
  const budget = new ResponseBudget(quotas);
  closeStalled(fastify, stallTimeoutMs);

  // Refuses a read before its handler runs, because the handler's queries would be wasted.
  fastify.addHook('preHandler', (request, reply, done) => {
    if (!isSafe(request) || budget.canAdmit(budgetKey(request))) done();
    else void reply.send(replaceWithRefusal(request, reply, quotas));
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes < MIN_COUNTED_BYTES || request.method === 'HEAD' || isClientDisconnected(reply)) {
      done(null, payload);
      return;
    }
    const callerKey = budgetKey(request);
    if (isSafe(request) && !budget.canAdmit(callerKey)) {
      done(null, replaceWithRefusal(request, reply, quotas));
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
    const release = budget.hold(callerKey, { bytes, close });
    let deadline: NodeJS.Timeout | undefined;
    const startDeadline = () => {
      deadline = setTimeout(close, stallTimeoutMs + (bytes / minBytesPerSecond) * 1000).unref();
    };
    // A pipelined response gets its socket once all earlier responses have been written.
    if (reply.raw.socket === null) reply.raw.once('socket', startDeadline);
    else startDeadline();
    reply.raw.once('close', () => {
      clearTimeout(deadline);
      release();
    });
    // The string is encoded here, because Node would keep both the string and its bytes in memory.
    done(null, typeof payload === 'string' ? Buffer.from(payload) : payload);
  });
}

/**
 * Closes connections that are idle, or that make no progress with the data that waits to be written. Progress means
 * that the kernel has accepted some of the data. Without this callback, Node would also close connections whose request
 * is still being handled.
 */
function closeStalled({ server }: FastifyInstance, stallTimeoutMs: number): void {
  server.setTimeout(stallTimeoutMs, (socket: Socket) => {
    const isKeptAlive = socket.timeout !== stallTimeoutMs;
    if (isKeptAlive || socket.writableLength > 0) socket.destroy();
  });
}

/** The bytes that a response holds in memory. A stream counts as 0: it holds little, whatever its length. */
function sizeOf(payload: unknown): number {
  if (Buffer.isBuffer(payload)) return payload.length;
  if (typeof payload !== 'string' || payload.length < MIN_COUNTED_BYTES / 3) return 0;
  return Buffer.byteLength(payload);
}

/** Replaces the response with an error, even if the response is ready, and returns the body of the error. */
function replaceWithRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { perCaller }: ResponseQuotas,
): string {
  const message =
    `Too many responses are unread: one user or API key may have at most ${perCaller / MIB} MiB of unread responses. ` +
    `Read the responses, or close their connections. Retry in ${RETRY_AFTER_SECONDS} seconds.`;
  const body = errorBody(new DomainError('too_many_requests', message), request);
  reply.removeHeader('etag').removeHeader('content-encoding');
  void reply
    .status(body.statusCode)
    .headers({ 'cache-control': 'no-store', 'retry-after': RETRY_AFTER_SECONDS })
    .type('application/json; charset=utf-8');
  return JSON.stringify(body);
}
