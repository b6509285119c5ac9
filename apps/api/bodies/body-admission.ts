import type { ApiConfig } from '#config';
import { DomainError, errorCodes } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallerRequest } from '../http/caller.js';
import { networkOf } from '../http/ip-address.js';
import { clientDisconnectedError, isClientDisconnected } from '../http/client-disconnect.js';
import { expectsContinue } from '../http/reject-before-body.js';
import { operationOf } from '../operations/response-headers.js';
import { BodyBudget } from './body-budget.js';
import { MIN_UPLOAD_RATE, enforceMinUploadRate } from './min-upload-rate.js';

// The buffers of the socket, of the parser and of the file.
const UPLOAD_BUFFER_BYTES = 256 * 1024;

/**
 * Makes requests wait for memory before their bodies are read, and refuses bodies that arrive too slowly. Callers are
 * authenticated before this wait. Requests to public routes have no caller; they use separate budgets.
 */
export function admitBodies(
  fastify: FastifyInstance,
  { MAX_BODY_BYTES, MAX_BATCH_BYTES }: Pick<ApiConfig, 'MAX_BODY_BYTES' | 'MAX_BATCH_BYTES'>,
  minRate = MIN_UPLOAD_RATE,
): void {
  const callerBudgets = createBudgets(4 * Math.max(MAX_BODY_BYTES, MAX_BATCH_BYTES));
  const anonymousBudgets = createBudgets(8 * MAX_BODY_BYTES);
  const releases = new WeakMap<FastifyRequest, () => void>();
  const release = (request: FastifyRequest) => releases.get(request)?.();

  fastify.addHook('preParsing', (request: CallerRequest, reply, _payload, done) => {
    // If the client has already disconnected, nothing would ever release the bytes that its request reserves.
    if (isClientDisconnected(reply)) {
      done(clientDisconnectedError());
      return;
    }
    const bytes = maxBodyBytesOf(request);
    const proceed = (refusal?: Error) => {
      if (refusal === undefined && expectsContinue(request.raw)) reply.raw.writeContinue();
      done(refusal);
    };
    if (bytes === 0) {
      proceed();
      return;
    }
    const isUpload = operationOf(request)?.upload === true;
    // An upload goes to a file while it arrives. Only its buffers take memory.
    const reservedBytes = isUpload ? Math.min(bytes, UPLOAD_BUFFER_BYTES) : bytes;
    const budget = (request.user ? callerBudgets : anonymousBudgets)(reservedBytes);
    const caller = request.user?.userId ?? networkOf(request);
    const refuseSlow = () => {
      // Stops reading the body, because the response that closes the connection may have to wait for earlier responses
      // on the connection.
      request.raw.pause();
      const { message } = errorCodes.timeout;
      void reply.header('connection', 'close').send(new DomainError('timeout', message));
    };
    const ticket = budget.enter(caller, reservedBytes, (admitted, refusal) => {
      // An upload may have to wait for a slot before its handler reads the body. The handler then watches the rate.
      const stopWatching =
        refusal || isUpload
          ? undefined
          : enforceMinUploadRate(request.raw, bytes, minRate, refuseSlow);
      releases.set(request, () => {
        stopWatching?.();
        budget.leave(admitted);
      });
      proceed(refusal);
    });
    // A complete body stays in memory while its request is handled, even if the client disconnects. Its bytes therefore
    // stay reserved.
    reply.raw.once('close', () => {
      if (ticket.state === 'waiting') budget.leave(ticket);
      else if (!request.raw.complete) release(request);
    });
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    release(request);
    // Frees the memory of the body, because a slow client may take a long time to read the response.
    request.body = undefined;
    done(null, payload);
  });
  // Responses that bypass Fastify do not trigger onSend.
  fastify.addHook('onResponse', (request, _reply, done) => {
    release(request);
    done();
  });
}

/**
 * Small bodies, up to 256 KiB by default, have a separate budget, so that they never wait for large bodies.
 * This budget is only a quarter of the budget for large bodies, because a small body can occupy twenty times
 * its size in memory once it is parsed.
 */
function createBudgets(bytes: number): (size: number) => BodyBudget {
  const small = new BodyBudget(bytes / 4);
  const large = new BodyBudget(bytes);
  return (size) => (size <= bytes / 256 ? small : large);
}

/**
 * Returns the number of bytes to reserve for a body: its `Content-Length`, or the limit of the route if the request has
 * a `Transfer-Encoding`. Returns 0 if the length is not a number or exceeds the limit, because such a request is
 * refused later.
 */
function maxBodyBytesOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  const length = Number(headers['content-length'] ?? 0);
  return length <= bodyLimit ? length : 0;
}
