import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '#errors';
import { sqlState } from './sql-state.js';

const MAX_TRIES = 5;
// The delay is random, so that callers that lost their connections at the same time do not all reconnect at the same
// time.
const MAX_BACKOFF_MS = 50;

// PostgreSQL, or a pooler in front of it, sends one of these errors instead of a result, and rolls back. A new
// connection may work. The errors are admin_shutdown, cannot_connect_now, idle_session_timeout,
// idle_in_transaction_session_timeout, too_many_connections, sqlclient_unable_to_establish_sqlconnection,
// sqlserver_rejected_establishment_of_sqlconnection and read_only_sql_transaction.
const READ_ONLY_CODE = '25006';
const ROLLED_BACK_CODES = new Set([
  '57P01',
  '57P03',
  '57P05',
  '25P03',
  '53300',
  '08001',
  '08004',
  READ_ONLY_CODE,
]);
// The other errors of class 08 mean that a connection was lost; crash_shutdown means that PostgreSQL restarts.
const LOST_CODE = /^(08...|57P02)$/;
// PostgreSQL rolls back, and an immediate retry would fail as well: class 53 (insufficient resources, such as
// disk_full), io_error, and query_canceled, which PostgreSQL sends when the statement timeout expires.
const OVERLOADED_CODE = /^(53...|58030|57014)$/;
/** The resource that PostgreSQL lacked when it ended a statement: disk space, memory, a working disk, or time. */
export type Shortage = 'disk_full' | 'out_of_memory' | 'io_error' | 'timeout';
const SHORTAGES: Partial<Record<string, Shortage>> = {
  '53100': 'disk_full',
  '53200': 'out_of_memory',
  '58030': 'io_error',
  '57014': 'timeout',
};
// The trigger `require_open_encryption_key` refuses a secret whose key is no longer used for encryption.
const CLOSED_KEY_CODE = 'GK001';
// The pg driver's own errors have no code, only a message.
const NOT_SENT_MESSAGE = /is not queryable$/;
// PgBouncer remembers the name of a statement that PostgreSQL could not prepare, refuses the name the next time, and
// closes the connection. The statement does not reach PostgreSQL.
const NAME_IN_USE_MESSAGE = /^prepared statement name is already in use$/;
const TERMINATED_MESSAGE = /^Connection terminated/;
const READ_TIMEOUT_MESSAGE = 'Query read timeout';
const NETWORK_ERROR_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** The connection was lost before COMMIT was sent, so the transaction has changed nothing. */
export class ConnectionLostBeforeCommit extends Error {
  override readonly name = 'ConnectionLostBeforeCommit';

  constructor(cause: unknown) {
    super('The connection was lost before COMMIT was sent.', { cause });
  }
}

/**
 * Marks the error of a transaction that ended before COMMIT was sent. Such a transaction has changed nothing. If the
 * error leaves open whether something was changed, returns a `ConnectionLostBeforeCommit`. Returns all other errors
 * unchanged.
 */
export const markLostBeforeCommit = (error: unknown): unknown =>
  classifyLoss(error) === 'unknown' ? new ConnectionLostBeforeCommit(error) : error;

/**
 * Runs `work`, and repeats it if the connection is lost before anything is changed, or leads to a read-only server.
 *
 * @param isRepeatable whether `work` may be repeated even if PostgreSQL has already carried it out.
 * @throws DomainError `unavailable` if every try loses its connection, if it is unknown whether the change was made, if
 * PostgreSQL lacks a resource such as disk space, or if the key of a new secret is no longer used for encryption.
 */
export const withReconnects = <T>(isRepeatable: boolean, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => repeatAfter(error, isRepeatable, work));

/** Repeats work as `withReconnects` does, after the caller has run the work once and got `firstError`. */
export async function repeatAfter<T>(
  firstError: unknown,
  isRepeatable: boolean,
  work: () => Promise<T>,
): Promise<T> {
  let error = firstError;
  for (let tries = 1; ; tries++) {
    const effect = classifyLoss(error);
    if (effect === undefined) {
      if (sqlState(error) === CLOSED_KEY_CODE) throw unavailable(CLOSED_KEY, error);
      throw isOverloaded(error) ? unavailable(OVERLOADED, error) : error;
    }
    if (effect === 'unknown' && !isRepeatable) throw unavailable(MAY_HAVE_CHANGED, error);
    // A lost connection is noticed immediately, but a read timeout takes 35 seconds. No caller waits that long twice.
    if (tries === MAX_TRIES || isReadTimeout(error)) {
      throw unavailable(isReadOnlyServer(error) ? READ_ONLY : NOTHING_CHANGED, error);
    }
    await delay(Math.random() * MAX_BACKOFF_MS);
    try {
      return await work();
    } catch (nextError) {
      error = nextError;
    }
  }
}

/** Whether the connection leads to a standby, for example to the former primary after a failover. */
export const isReadOnlyServer = (error: unknown): boolean => sqlState(error) === READ_ONLY_CODE;

export const findShortage = (error: unknown): Shortage | undefined => SHORTAGES[sqlState(error)];

const isOverloaded = (error: unknown): boolean => OVERLOADED_CODE.test(sqlState(error));

/** Returns the effect of a statement whose connection was lost; undefined if the connection was not lost. */
function classifyLoss(error: unknown): 'none' | 'unknown' | undefined {
  if (error instanceof ConnectionLostBeforeCommit) return 'none';
  if (!(error instanceof Error)) return undefined;
  const code = sqlState(error);
  const isNotSent = [NOT_SENT_MESSAGE, NAME_IN_USE_MESSAGE].some((text) =>
    text.test(error.message),
  );
  if (ROLLED_BACK_CODES.has(code) || isNotSent) return 'none';
  const isLost =
    NETWORK_ERROR_CODES.has(code) ||
    LOST_CODE.test(code) ||
    TERMINATED_MESSAGE.test(error.message) ||
    isReadTimeout(error);
  return isLost ? 'unknown' : undefined;
}

const isReadTimeout = (error: unknown): boolean =>
  error instanceof ConnectionLostBeforeCommit
    ? isReadTimeout(error.cause)
    : error instanceof Error && error.message === READ_TIMEOUT_MESSAGE;

const NOTHING_CHANGED =
  'The connection to the database was lost, and nothing was changed. Send the request again.';
const READ_ONLY =
  'The database is read-only at the moment, and nothing was changed. Send the request again.';
const OVERLOADED =
  'The database took too long, or ran out of disk space or memory, and nothing was changed. Send the request again later.';
const CLOSED_KEY =
  'The encryption key in SECRETS_KEYS changed during the request, so nothing was saved. Send the request again in a few seconds.';
const MAY_HAVE_CHANGED =
  'The connection to the database was lost while the change was being saved: the change may or may not have been made. Read the resource to find out. If the request had an Idempotency-Key, you can also send it again with the same key.';

const unavailable = (message: string, cause: unknown) =>
  Object.assign(DomainError.unavailable(message), { cause });
