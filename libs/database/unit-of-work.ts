import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '#events';
import type { PoolClient } from 'pg';
import { beforeCommit, withReconnects } from './connection-loss.js';
import { BEGIN, Database, queryOn, type Query } from './database.js';
import { IdempotencyKeys, type Once, type Right } from './idempotency-keys.js';
import { eventExpression, insertEvents } from './outbox.js';

/** An open transaction. It is passed on explicitly to whatever takes part in it. */
export interface Transaction {
  readonly query: Query;
  /** A statement whose rows nobody needs. It is sent together with the commit, at no round trip of its own. */
  readonly atCommit: (text: string, values: readonly unknown[]) => void;
  /**
   * Names a right without which the caller does not get the response of this request again. Work that
   * takes an `Idempotency-Key` names all rights that it has checked.
   */
  readonly requireForReplay: (right: Right) => void;
}

const outcome = Symbol('outcome');

/** What a write gives back: its result, and its events or the reason why it has none. */
export type Outcome<T> = { readonly [outcome]: true; readonly result: T } & (
  | { readonly events: readonly [DomainEvent, ...DomainEvent[]] }
  | { readonly reason: string }
  | { readonly areRecorded: true }
);

type Work<T> = (transaction: Transaction) => Promise<Outcome<T>>;

export function withEvents<T>(
  result: T,
  ...events: readonly [DomainEvent, ...DomainEvent[]]
): Outcome<T> {
  return { [outcome]: true, result, events };
}

/** For a write whose own statements leave the outbox rows, of which there may be very many. */
export function withRecordedEvents<T>(result: T): Outcome<T> {
  return { [outcome]: true, result, areRecorded: true };
}

/** Says aloud that this write tells subscribers nothing, and why. */
export function noEvent<T>(result: T, reason: string): Outcome<T> {
  return { [outcome]: true, result, reason };
}

/** A change that one statement makes, in parts, so that its event becomes a part of it as well. */
export interface Statement<Row, T> {
  /** `name AS (…)`, with commas between them. */
  expressions: string;
  /** The name of the one that gives a row if there is a change, and none if there is not. */
  changed: string;
  /** What the statement answers, from the expressions. */
  select: string;
  values: readonly unknown[];
  /** The right that the statement checks. */
  right: Right;
  /** Makes the result of the rows, or throws when they say that there was no change. */
  resultOf: (rows: Row[]) => T;
}

// serialization_failure and deadlock_detected: the transaction was fine, only unlucky. And
// foreign_key_violation: what it refers to went away since it was looked up; a second look says so.
const RETRYABLE = new Set(['40001', '40P01', '23503']);
const TRIES = 5;
// Spreads those that collided, so that they do not collide again.
const MAX_BACKOFF_MS = 20;

@Injectable()
export class UnitOfWork {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly keys: IdempotencyKeys,
  ) {}

  /**
   * The only transaction boundary there is: what `work` writes and the outbox rows of its events
   * commit together or not at all. `work` is run again when PostgreSQL reports a serialization
   * failure, a deadlock or a broken reference, or the connection is lost before COMMIT was sent. So it
   * has no effects but those of its transaction.
   * @param once of a request with a key, whose answer commits together with its effect. It costs one
   * round trip.
   * @throws Replayed for a request that was answered before; `work` is not run then.
   */
  async write<T>(work: Work<T>, once?: Once): Promise<T> {
    const run = (worked: Work<T>) =>
      tryTo(() =>
        withReconnects(false, () => this.database.withClient((client) => transact(client, worked))),
      );
    const written =
      once === undefined
        ? await run(work)
        : await this.keys.inTurn(once, () => run(this.onlyOnce(work, once)));
    if (!('reason' in written)) this.notify();
    return written.result;
  }

  /**
   * The same for a change that is one statement: PostgreSQL makes it and its outbox row one
   * transaction by itself, in one round trip and half of the time. With a key there is more to do,
   * and it is a transaction like any other.
   */
  async writeAtOnce<Row extends object, T>(
    statement: Statement<Row, T>,
    event: DomainEvent,
    once?: Once,
  ): Promise<T> {
    const { expressions, changed, select, values, right } = statement;
    if (once !== undefined) {
      return this.write(async ({ query, requireForReplay }) => {
        requireForReplay(right);
        const rows = await query<Row>(`WITH ${expressions} ${select}`, values);
        return withEvents(statement.resultOf(rows), event);
      }, once);
    }
    const record = eventExpression(event, changed, values.length + 1);
    const rows = await tryTo(() =>
      this.database.query<Row>(`WITH ${expressions}, event AS (${record.text}) ${select}`, [
        ...values,
        ...record.values,
      ]),
    );
    const result = statement.resultOf(rows);
    this.notify();
    return result;
  }

  /** Calls `listener` after every commit that has events. It must not throw and must not block. */
  onEvents(listener: () => void): void {
    this.listeners.add(listener);
  }

  private onlyOnce<T>(work: Work<T>, once: Once): Work<T> {
    return async (transaction) => {
      await this.keys.admit(transaction.query, once);
      const rights: Right[] = [];
      const requireForReplay = (right: Right) => void rights.push(right);
      const written = await work({ ...transaction, requireForReplay });
      transaction.atCommit(...this.keys.keeping(once, written.result, rights));
      return written;
    };
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

async function tryTo<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !RETRYABLE.has(sqlState(error))) throw error;
      await delay(Math.random() * MAX_BACKOFF_MS);
    }
  }
}

async function transact<T>(client: PoolClient, work: Work<T>): Promise<Outcome<T>> {
  const run = queryOn(client);
  let isOver = false;
  // Of several that `work` waits for together one may fail while another has more statements to send.
  const query: Query = (text, values) =>
    isOver ? Promise.reject(new Error('The transaction is over.')) : run(text, values);
  const last: [text: string, values: readonly unknown[]][] = [];
  const atCommit = (...statement: (typeof last)[number]) => void last.push(statement);
  let isCommitting = false;
  try {
    const begun = client.query(BEGIN);
    const worked = work({ query, atCommit, requireForReplay: () => undefined });
    await all([begun, worked]);
    const written = await worked;
    isCommitting = true;
    const lastWords = last.map(([text, values]) => query(text, values));
    await all([...lastWords, record(query, written), commit(client)]);
    return written;
  } catch (error) {
    isOver = true;
    // Where the connection itself is gone PostgreSQL rolls back, and the first error is the telling one.
    await Promise.allSettled([client.query('ROLLBACK')]);
    throw isCommitting ? error : beforeCommit(error);
  }
}

/** The setting is for the guard of test/support/outbox-guard.sql, which wants to see one or the other. */
function record<T>(query: Query, written: Outcome<T>): Promise<unknown> {
  if ('areRecorded' in written) return Promise.resolve();
  return 'events' in written
    ? insertEvents(query, written.events)
    : query(`SELECT set_config('galley.no_event', $1, true)`, [written.reason]);
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  // In a transaction that has failed COMMIT is no error: it rolls back and says so in its tag alone.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its commit.');
}

/** Unlike with Promise.all none is still at work when it throws: the connection is free then. */
async function all(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}

function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
