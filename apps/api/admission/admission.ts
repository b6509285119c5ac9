import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { CallerRequest } from '../auth/actor.decorator.js';
import { networkOf } from '../http/ip-address.js';
import { operationOf } from '../http/response-headers.js';
import { clientDisconnectedError, isClientDisconnected } from '../http/client-disconnect.js';
import { FairQueue, type Ticket } from './fair-queue.js';
import { isLongRunning } from './long-running-requests.js';

const POOL_SIZE = Symbol('POOL_SIZE');

type AdmittedRequest = CallerRequest & { ticket?: Ticket };

/**
 * Allows at most as many requests to use the database as it has connections, and shares the slots fairly
 * among users and API keys. So no request waits inside the pool, which serves requests in the order of
 * their arrival. One connection is kept for the readiness check.
 */
@Injectable()
export class Admission {
  private readonly queue: FairQueue;

  constructor(@Inject(POOL_SIZE) poolSize: number) {
    this.queue = new FairQueue(Math.max(1, poolSize - 1));
  }

  /** Makes requests wait for a slot after their bodies have been read and parsed. */
  install(fastify: FastifyInstance): void {
    fastify.decorateRequest('ticket');
    fastify.addHook('preHandler', (request: AdmittedRequest, reply, done) => {
      const callerKey = callerKeyOf(request);
      // Fastify runs this hook a second time for a request for a missing file of /docs.
      if (callerKey === undefined || request.ticket !== undefined) {
        done();
        return;
      }
      // The handler would use a connection without a slot.
      if (isClientDisconnected(reply)) {
        done(clientDisconnectedError());
        return;
      }
      const abandon = () => this.queue.leave(ticket);
      const ticket = this.queue.enter(
        callerKey,
        (admitted, refusal) => {
          reply.raw.off('close', abandon);
          request.ticket = admitted;
          done(refusal);
        },
        isLongRunning(request),
      );
      // A client may disconnect while its request waits. Afterwards it keeps its slot, since its statement
      // uses a connection.
      if (ticket.state === 'waiting') reply.raw.once('close', abandon);
    });
    fastify.addHook('onSend', (request: AdmittedRequest, _reply, payload, done) => {
      this.release(request);
      done(null, payload);
    });
    // Responses that are written without Fastify do not run onSend.
    fastify.addHook('onResponse', (request: AdmittedRequest, _reply, done) => {
      this.release(request);
      done();
    });
  }

  /** Runs, with a slot, a statement that identifies the caller. */
  async runWithSlot<T>(callerKey: string, query: () => Promise<T>): Promise<T> {
    const ticket = await new Promise<Ticket>((resolve, reject) => {
      this.queue.enter(callerKey, (admitted, refusal) =>
        refusal === undefined ? resolve(admitted) : reject(refusal),
      );
    });
    try {
      return await query();
    } finally {
      this.queue.leave(ticket);
    }
  }

  private release({ ticket }: AdmittedRequest): void {
    if (ticket !== undefined) this.queue.leave(ticket);
  }
}

@Module({})
export class AdmissionModule {
  /** @param poolSize how many connections the database's pool has. */
  static forRoot(poolSize: number): DynamicModule {
    return {
      module: AdmissionModule,
      global: true,
      providers: [Admission, { provide: POOL_SIZE, useValue: poolSize }],
      exports: [Admission],
    };
  }
}

/** Undefined for routes that do not need the database, and for the readiness check. */
function callerKeyOf(request: CallerRequest): string | undefined {
  if (request.user !== undefined) return request.user.userId;
  return operationOf(request)?.rawBody ? `messages from ${networkOf(request)}` : undefined;
}
