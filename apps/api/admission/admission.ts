import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { CallerRequest } from '../auth/actor.decorator.js';
import { networkOf } from '../http/address.js';
import { operationOf } from '../http/answer-headers.js';
import { clientGone, isClientGone } from '../http/gone-client.js';
import { FairQueue, type Ticket } from './fair-queue.js';
import { mayTakeLong } from './may-take-long.js';

const DATABASE_CONNECTIONS = Symbol('DATABASE_CONNECTIONS');

type AdmittedRequest = CallerRequest & { ticket?: Ticket };

/**
 * Lets at most as many requests use the database as it has connections, and shares these fairly among
 * users and API keys. Therefore no request waits inside the pool, where the first to come is the first
 * served. One connection stays out of it for the readiness check.
 */
@Injectable()
export class Admission {
  private readonly queue: FairQueue;

  constructor(@Inject(DATABASE_CONNECTIONS) connections: number) {
    this.queue = new FairQueue(Math.max(1, connections - 1));
  }

  /** Makes requests wait for their turn once their bodies have been read and parsed. */
  install(fastify: FastifyInstance): void {
    fastify.decorateRequest('ticket');
    fastify.addHook('preHandler', (request: AdmittedRequest, reply, done) => {
      const caller = callerOf(request);
      // If a file of /docs is missing, Fastify runs this hook a second time for the same request.
      if (caller === undefined || request.ticket !== undefined) {
        done();
        return;
      }
      // Its handler would use a connection without having a slot.
      if (isClientGone(reply)) {
        done(clientGone());
        return;
      }
      const abandon = () => this.queue.leave(ticket);
      const ticket = this.queue.enter(
        caller,
        (entered, refusal) => {
          reply.raw.off('close', abandon);
          request.ticket = entered;
          done(refusal);
        },
        mayTakeLong(request),
      );
      // The client may go away while its request waits. Later its statement still uses a connection.
      if (ticket.state === 'waiting') reply.raw.once('close', abandon);
    });
    fastify.addHook('onSend', (request: AdmittedRequest, _reply, payload, done) => {
      this.release(request);
      done(null, payload);
    });
    // Responses that are written without Fastify have no onSend.
    fastify.addHook('onResponse', (request: AdmittedRequest, _reply, done) => {
      this.release(request);
      done();
    });
  }

  /** Runs a statement that finds out who the caller is. */
  async run<T>(caller: string, statement: () => Promise<T>): Promise<T> {
    const ticket = await new Promise<Ticket>((resolve, reject) => {
      this.queue.enter(caller, (entered, refusal) =>
        refusal === undefined ? resolve(entered) : reject(refusal),
      );
    });
    try {
      return await statement();
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
  /** @param connections how many the database's pool has. */
  static forRoot(connections: number): DynamicModule {
    return {
      module: AdmissionModule,
      global: true,
      providers: [Admission, { provide: DATABASE_CONNECTIONS, useValue: connections }],
      exports: [Admission],
    };
  }
}

/** Undefined for routes that need no database, and for the readiness check. */
function callerOf(request: CallerRequest): string | undefined {
  if (request.user !== undefined) return request.user.userId;
  return operationOf(request)?.keepsBody ? `messages from ${networkOf(request)}` : undefined;
}
