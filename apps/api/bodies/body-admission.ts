import type { ApiConfig } from '#config';
import { DomainError, errorCodes } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallerRequest } from '../auth/actor.decorator.js';
import { networkOf } from '../http/address.js';
import { clientGone, isClientGone } from '../http/gone-client.js';
import { expectsContinue } from '../http/refuse-heads.js';
import { BodyBudget } from './body-budget.js';
import { UPLOAD_PACE, watchPace } from './upload-pace.js';

/**
 * Makes requests wait, before their bodies are read, until there is memory for them, and refuses bodies that
 * arrive too slowly. By then it is known who sends them; the public routes have budgets of their own.
 */
export function admitBodies(
  fastify: FastifyInstance,
  { MAX_BODY_BYTES, MAX_BATCH_BYTES }: Pick<ApiConfig, 'MAX_BODY_BYTES' | 'MAX_BATCH_BYTES'>,
  pace = UPLOAD_PACE,
): void {
  const callers = budgetsOf(4 * Math.max(MAX_BODY_BYTES, MAX_BATCH_BYTES));
  const strangers = budgetsOf(8 * MAX_BODY_BYTES);
  const bodies = new WeakMap<FastifyRequest, () => void>();
  const leave = (request: FastifyRequest) => bodies.get(request)?.();

  fastify.addHook('preParsing', (request: CallerRequest, reply, _payload, done) => {
    // Nothing would give the bytes back.
    if (isClientGone(reply)) {
      done(clientGone());
      return;
    }
    const bytes = sizeOf(request);
    const begin = (refusal?: Error) => {
      if (refusal === undefined && expectsContinue(request.raw)) reply.raw.writeContinue();
      done(refusal);
    };
    if (bytes === 0) {
      begin();
      return;
    }
    const budget = (request.user ? callers : strangers)(bytes);
    const caller = request.user?.userId ?? networkOf(request);
    const refuseSlow = () => {
      // The response may have to wait for earlier ones of its connection.
      request.raw.pause();
      const { message } = errorCodes.timeout;
      void reply.header('connection', 'close').send(new DomainError('timeout', message));
    };
    const body = budget.enter(caller, bytes, (entered, refusal) => {
      const stopWatch = refusal ? undefined : watchPace(request.raw, bytes, pace, refuseSlow);
      bodies.set(request, () => {
        stopWatch?.();
        budget.leave(entered);
      });
      begin(refusal);
    });
    // While a request is handled its body stays in memory, even if the client has gone away.
    reply.raw.once('close', () => {
      if (body.state === 'waiting') budget.leave(body);
      else if (!request.raw.complete) leave(request);
    });
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    leave(request);
    // The response may take long to be read.
    request.body = undefined;
    done(null, payload);
  });
  // Responses that are written without Fastify have no onSend.
  fastify.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
}

/**
 * Bodies of the usual size, up to 256 KiB by default, have a budget of their own, so that they never wait for
 * large ones. It is a quarter of that for large ones: parsed, a small body may take twenty times its bytes.
 */
function budgetsOf(bytes: number): (size: number) => BodyBudget {
  const small = new BodyBudget(bytes / 4);
  const large = new BodyBudget(bytes);
  return (size) => (size <= bytes / 256 ? small : large);
}

/** How large the body may become. A length that is not a number, or above the limit, is refused next. */
function sizeOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  const length = Number(headers['content-length'] ?? 0);
  return length <= bodyLimit ? length : 0;
}
