import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import { Database } from '#database';
import { FairQueue, type Ticket } from '#fair-queue';
import { Metrics } from '#metrics';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CallerRequest } from '../http/caller.js';
import { networkOf } from '../http/ip-address.js';
import { operationOf } from '../operations/response-headers.js';
import { clientDisconnectedError, isClientDisconnected } from '../http/client-disconnect.js';
import { databaseWaits } from './database-waits.js';
import { isLongRunning } from './long-running-requests.js';

const POOL_SIZE = Symbol('POOL_SIZE');

export type AdmittedRequest = CallerRequest & { ticket?: Ticket; admission?: Admission };

/**
 * Whether the request holds a slot. A request that was refused or not yet admitted holds no slot, and has changed
 * nothing.
 */
export const holdsSlot = ({ ticket }: AdmittedRequest): boolean => ticket?.state === 'running';

/**
 * Limits how many requests use the database at the same time, and shares the database fairly among users and API keys.
 * Each connection of the pool is a slot, except for the connection that is reserved for the readiness check. Requests
 * wait for slots here, and never inside the pool, which would serve them in order of arrival.
 */
@Injectable()
export class Admission {
  private readonly queue: FairQueue;

  constructor(@Inject(POOL_SIZE) poolSize: number, database: Database, metrics: Metrics) {
    const slots = Math.max(1, poolSize - 1);
    this.queue = new FairQueue(slots, databaseWaits(database));
    metrics.watch(() => [
      ['galley_admission_slots', {}, slots],
      ['galley_admission_in_use', {}, slots - this.queue.freeSlotCount],
      ['galley_admission_waiting', {}, this.queue.waitingCount],
    ]);
  }

  /** Makes requests wait for a slot after their bodies have been read and parsed. */
  install(fastify: FastifyInstance): void {
    fastify.decorateRequest('ticket');
    fastify.decorateRequest('admission');
    fastify.addHook('preHandler', (request: AdmittedRequest, reply, done) => {
      request.admission = this;
      const callerKey = admissionKey(request);
      // For a request to a missing file below /docs, Fastify runs this hook twice. The second time, the request already
      // has a ticket.
      if (callerKey === undefined || request.ticket !== undefined) {
        done();
        return;
      }
      // A request whose client has disconnected gets no slot: its response may never emit `close`, so the request might
      // never leave the queue.
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
      // If the client disconnects while its request waits, the request leaves the queue. A running request keeps its
      // slot until the request ends, because its statement still uses a connection.
      if (ticket.state === 'waiting') reply.raw.once('close', abandon);
    });
    fastify.addHook('onSend', (request: AdmittedRequest, _reply, payload, done) => {
      this.release(request);
      done(null, payload);
    });
    // Responses that bypass Fastify do not trigger onSend.
    fastify.addHook('onResponse', (request: AdmittedRequest, _reply, done) => {
      this.release(request);
      done();
    });
  }

  /**
   * Runs a statement that identifies the caller. The statement waits for a slot, and holds the slot until the statement
   * is done.
   */
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

  /**
   * Frees the slot of a request that has ended, or that does not need the database for a while, for example because it
   * waits for a thread. If a waiting request kept its slot, other requests of the same caller would have to wait too.
   */
  release({ ticket }: AdmittedRequest): void {
    if (ticket !== undefined) this.queue.leave(ticket);
  }

  /** Waits for a slot again if the request has released its slot. */
  async admitAgain(request: AdmittedRequest, reply: FastifyReply): Promise<void> {
    const { ticket } = request;
    if (ticket === undefined || ticket.state === 'running') return;
    await new Promise<void>((resolve, reject) => {
      const abandon = () => this.queue.leave(waiting);
      const waiting = this.queue.enter(
        ticket.caller.key,
        (admitted, refusal) => {
          reply.raw.off('close', abandon);
          request.ticket = admitted;
          if (refusal) reject(refusal);
          else resolve();
        },
        ticket.isLong,
      );
      if (waiting.state === 'waiting') reply.raw.once('close', abandon);
    });
  }
}

@Module({})
export class AdmissionModule {
  static forRoot(poolSize: number): DynamicModule {
    return {
      module: AdmissionModule,
      global: true,
      providers: [Admission, { provide: POOL_SIZE, useValue: poolSize }],
      exports: [Admission],
    };
  }
}

/**
 * Returns the key under which a request competes for slots: its user or API key or, for a message from the identity
 * provider, the network of the sender. Returns undefined for routes that do not need the database, and for the
 * readiness check.
 */
function admissionKey(request: CallerRequest): string | undefined {
  if (request.user !== undefined) return request.user.userId;
  return operationOf(request)?.rawBody ? `messages from ${networkOf(request)}` : undefined;
}
