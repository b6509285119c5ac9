import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '#errors';
import { sqlStateOf } from './sql-state.js';

const MAX_TRIES = 5;
// The delay is random, so that callers that lost their connections together do not reconnect together.
const MAX_BACKOFF_MS = 50;

// PostgreSQL sends these errors instead of a result when it ends a session, and rolls back: admin_shutdown,
// idle_session_timeout, idle_in_transaction_session_timeout.
const SESSION_ENDED_CODES = new Set(['57P01', '57P05', '25P03']);
// The pg driver's own errors have no code, only a message.
const NOT_SENT_MESSAGE = /is not queryable$/;
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
 * Converts an error of a transaction that ended without COMMIT, and so changed nothing. If the error alone
 * leaves open whether something was changed, returns `ConnectionLostBeforeCommit`. Returns all other errors
 * unchanged.
 */
export const markLostBeforeCommit = (error: unknown): unknown =>
  effectOfLoss(error) === 'unknown' ? new ConnectionLostBeforeCommit(error) : error;

/**
 * Runs `work` again if the connection was lost before anything was changed.
 *
 * @param isRepeatable whether `work` may be repeated even if PostgreSQL has already carried it out.
 * @throws DomainError `unavailable` if the connection is lost again and again, or if it is unknown whether
 * the change was made.
 */
export async function withReconnects<T>(isRepeatable: boolean, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const effect = effectOfLoss(error);
      if (effect === undefined) throw error;
      if (effect === 'unknown' && !isRepeatable) throw unavailable(MAY_HAVE_CHANGED, error);
      // A lost connection is noticed at once, but a read timeout takes 35 seconds. No caller waits that long
      // twice.
      if (tries === MAX_TRIES || isReadTimeout(error)) throw unavailable(NOTHING_CHANGED, error);
      await delay(Math.random() * MAX_BACKOFF_MS);
    }
  }
}

/**
 * Whether a statement took effect although its connection was lost; undefined if the connection was not
 * lost.
 */
function effectOfLoss(error: unknown): 'none' | 'unknown' | undefined {
  if (error instanceof ConnectionLostBeforeCommit) return 'none';
  if (!(error instanceof Error)) return undefined;
  const code = sqlStateOf(error);
  if (SESSION_ENDED_CODES.has(code) || NOT_SENT_MESSAGE.test(error.message)) return 'none';
  const isLost =
    NETWORK_ERROR_CODES.has(code) || TERMINATED_MESSAGE.test(error.message) || isReadTimeout(error);
  return isLost ? 'unknown' : undefined;
}

const isReadTimeout = (error: unknown): boolean =>
  error instanceof ConnectionLostBeforeCommit
    ? isReadTimeout(error.cause)
    : error instanceof Error && error.message === READ_TIMEOUT_MESSAGE;

const NOTHING_CHANGED =
  'The connection to the database was lost, and nothing was changed. Send the request again.';
const MAY_HAVE_CHANGED =
  'The connection to the database was lost while the change was saved: it may or may not have been made. Read the resource to find out; with the same Idempotency-Key you may send the request again.';

const unavailable = (message: string, cause: unknown) =>
  Object.assign(DomainError.unavailable(message), { cause });
