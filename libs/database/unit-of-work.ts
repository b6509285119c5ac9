import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '#events';
import { inSpan } from '#tracing';
import type { PoolClient } from 'pg';
import { markLostBeforeCommit, withReconnects } from './connection/connection-loss.js';
import { queryOn, type Query } from './connection/statements.js';
import { BEGIN, Database } from './database.js';
import { IdempotencyKeys, type IdempotencyKey, type Right } from './idempotency-keys.js';
import { withEventValues, type Change } from './change-statement.js';
import { insertEvents } from './outbox.js';
import { sqlState } from './connection/sql-state.js';

/** An open transaction, passed explicitly to all functions that take part in it. */
export interface Transaction {
  readonly query: Query;
  /**
   * Adds a statement whose rows are not needed. The statement is sent together with COMMIT, without an
   * additional round trip.
   */
  readonly beforeCommit: (text: string, values: readonly unknown[]) => void;
  /**
   * Declares a right that the caller must still have when the stored response of this request is replayed. Work that
   * supports an `Idempotency-Key` must declare every right that it has checked.
   */
  readonly requireForReplay: (right: Right) => void;
}

const workResult = Symbol('outcome');

/**
 * The return value of the work: the result for the caller, plus either the events, or the reason why there are none, or
 * a mark that the work has stored its events itself.
 */
export type WorkResult<T> = { readonly [workResult]: true; readonly result: T } & (
  | { readonly events: readonly [DomainEvent, ...DomainEvent[]] }
  | { readonly reason: string }
  | { readonly hasStoredEvents: true }
);

type Work<T> = (transaction: Transaction) => Promise<WorkResult<T>>;

export function withEvents<T>(
  result: T,
  ...events: readonly [DomainEvent, ...DomainEvent[]]
): WorkResult<T> {
  return { [workResult]: true, result, events };
}

/** For writes that insert their outbox rows themselves, because there may be too many events to return. */
export function withStoredEvents<T>(result: T): WorkResult<T> {
  return { [workResult]: true, result, hasStoredEvents: true };
}

/** States explicitly that this write has no events, and why. */
export function noEvent<T>(result: T, reason: string): WorkResult<T> {
  return { [workResult]: true, result, reason };
}

/** Thrown by work that must run again, because it has not locked everything that it has read. */
export class LocksIncomplete extends Error {
  override readonly name = 'LocksIncomplete';
}

/**
 * Thrown by work that must run again, because a deleted document was restored while the transaction was locking rows. A
 * later statement of the transaction then sees the document, although no statement has locked the document.
 */
export class RestoredMeanwhile extends Error {
  override readonly name = 'RestoredMeanwhile';
}

// serialization_failure and deadlock_detected: the transaction only collided with another one.
// foreign_key_violation: the referenced row was deleted after the transaction had looked it up, and a
// second run reports the deletion properly.
const RETRYABLE = new Set(['40001', '40P01', '23503']);
const IN_FAILED_TRANSACTION = '25P02';
const MAX_TRIES = 5;
// A random delay, so that transactions that collided do not collide again.
const MAX_BACKOFF_MS = 20;

@Injectable()
export class UnitOfWork {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  /**
   * Galley's only transaction boundary: the writes of `work` and the outbox rows of its events commit together or not
   * at all. `work` runs again after a serialization failure, a deadlock, a foreign key violation, `RestoredMeanwhile`,
   * `LocksIncomplete`, or the loss of the connection before COMMIT was sent. Therefore `work` must have no effects
   * outside its transaction.
   *
   * @param idempotencyKey the key of the request, if it has one. The response then commits together with the change,
   * which takes one more round trip.
   * @throws ReplayedResponse for a request that already has a stored response; then `work` does not run.
   */
  async write<T>(work: Work<T>, idempotencyKey?: IdempotencyKey): Promise<T> {
    const run = (transactionWork: Work<T>) =>
      inTransactionSpan(() =>
        withReconnects(false, () =>
          this.database.withClient((client) => runTransaction(client, transactionWork)),
        ),
      );
    const written =
      idempotencyKey === undefined
        ? await run(work)
        : await this.idempotencyKeys.runExclusive(idempotencyKey, () =>
            run(this.withIdempotency(work, idempotencyKey)),
          );
    this.notify();
    return written.result;
  }

  /**
   * Like `write`, for a change that takes a single statement. The statement also inserts the outbox row, so no explicit
   * transaction is necessary. This takes one round trip, and half the time of a transaction. With an idempotency key,
   * the change is an ordinary transaction.
   */
  async writeStatement<Row extends object, T>(
    change: Change<Row, T>,
    idempotencyKey?: IdempotencyKey,
  ): Promise<T> {
    const { statement, values, event, right, toResult } = change;
    if (idempotencyKey !== undefined) {
      return this.write(async ({ query, requireForReplay }) => {
        requireForReplay(right);
        return withEvents(toResult(await query<Row>(statement.text, values)), event);
      }, idempotencyKey);
    }
    const rows = await inTransactionSpan(() =>
      this.database.query<Row>(statement.textWithEvent, withEventValues(change)),
    );
    const result = toResult(rows);
    this.notify();
    return result;
  }

  /**
   * Calls `listener` after every commit, because a commit may leave work for the workers. The listener must not throw
   * or block.
   */
  onCommit(listener: () => void): void {
    this.listeners.add(listener);
  }

  private withIdempotency<T>(work: Work<T>, idempotencyKey: IdempotencyKey): Work<T> {
    return async (transaction) => {
      await this.idempotencyKeys.lockAndCheck(transaction.query, idempotencyKey);
      const rights: Right[] = [];
      const requireForReplay = (right: Right) => void rights.push(right);
      const written = await work({ ...transaction, requireForReplay });
      transaction.beforeCommit(
        ...this.idempotencyKeys.buildStoreStatement(idempotencyKey, written.result, rights),
      );
      return written;
    };
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/**
 * Creates one span for all tries of a transaction. The events of the transaction store the `traceparent` of this span.
 */
const inTransactionSpan = <T>(work: () => Promise<T>): Promise<T> =>
  inSpan('transaction', () => withRetries(work));

const withRetries = <T>(work: () => Promise<T>, tries = 1): Promise<T> =>
  work().catch(async (error: unknown) => {
    if (tries === MAX_TRIES || !isRetryable(error)) throw error;
    await delay(Math.random() * MAX_BACKOFF_MS);
    return withRetries(work, tries + 1);
  });

const isRetryable = (error: unknown): boolean =>
  error instanceof RestoredMeanwhile ||
  error instanceof LocksIncomplete ||
  RETRYABLE.has(sqlState(error));

async function runTransaction<T>(client: PoolClient, work: Work<T>): Promise<WorkResult<T>> {
  const runStatement = queryOn(client);
  let isFinished = false;
  let firstFailure: unknown;
  // If `work` runs several statements in parallel and one of them fails, `work` may still try to send further
  // statements after the rollback.
  const query: Query = async (text, values) => {
    if (isFinished) throw new Error('The transaction is over.');
    try {
      return await runStatement(text, values);
    } catch (error) {
      firstFailure ??= error;
      throw error;
    }
  };
  const finalStatements: [text: string, values: readonly unknown[]][] = [];
  const beforeCommit = (...statement: (typeof finalStatements)[number]) =>
    void finalStatements.push(statement);
  let isCommitting = false;
  try {
    const beginPromise = client.query(BEGIN);
    const workPromise = work({ query, beforeCommit, requireForReplay: () => undefined });
    await allFinished([beginPromise, workPromise]);
    const written = await workPromise;
    isCommitting = true;
    const finalQueries = finalStatements.map(([text, values]) => query(text, values));
    await allFinished([...finalQueries, storeEvents(query, written), commit(client)]);
    return written;
  } catch (anyFailure) {
    isFinished = true;
    // After one statement has failed, all later ones also fail, and `work` may notice one of these failures first.
    const error = sqlState(anyFailure) === IN_FAILED_TRANSACTION ? firstFailure : anyFailure;
    // ROLLBACK fails if the connection is lost. PostgreSQL then rolls back by itself, and the first error
    // is the informative one.
    await Promise.allSettled([client.query('ROLLBACK')]);
    throw isCommitting ? error : markLostBeforeCommit(error);
  }
}

/**
 * Stores the events in the outbox. A change without events sets `galley.no_event` to the reason why it has none. In
 * tests, test/support/setup/outbox-guard.sql rejects a transaction that has neither.
 */
function storeEvents<T>(query: Query, written: WorkResult<T>): Promise<unknown> {
  if ('hasStoredEvents' in written) return Promise.resolve();
  return 'events' in written
    ? insertEvents(query, written.events)
    : query(`SELECT set_config('galley.no_event', $1, true)`, [written.reason]);
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  // COMMIT of a failed transaction is not an error: PostgreSQL rolls back and says so only in the command tag.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its commit.');
}

/**
 * Waits until all promises are settled, and then throws if one was rejected. Promise.all alone would throw
 * while other statements are still running on the connection.
 */
async function allFinished(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}
