import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '#errors';

const TRIES = 5;
// Those that lost their connections at once do not all connect at once.
const MAX_BACKOFF_MS = 50;

// PostgreSQL sends these in place of a statement's result when it ends a session, and rolls back:
// admin_shutdown, idle_session_timeout, idle_in_transaction_session_timeout.
const SESSION_ENDED = new Set(['57P01', '57P05', '25P03']);
// pg gives its own errors no code.
const UNSENT = /is not queryable$/;
const CUT = /^Connection terminated/;
const SILENT = 'Query read timeout';
const NETWORK = new Set([
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
]);

/** The connection was lost, and the transaction on it with it. */
export class LostBeforeCommit extends Error {
  override readonly name = 'LostBeforeCommit';

  constructor(cause: unknown) {
    super('The connection was lost before COMMIT was sent.', { cause });
  }
}

/** Marks the loss of a connection whose transaction had not sent COMMIT; leaves other errors as they are. */
export const beforeCommit = (error: unknown): unknown =>
  effectOf(error) === 'unknown' ? new LostBeforeCommit(error) : error;

/**
 * Runs `work` again if the connection was lost and nothing has been changed.
 * @param changesNothing whether `work` may be repeated even if PostgreSQL has carried it out.
 * @throws DomainError `unavailable` when the connection is lost again and again, or when nobody knows
 * whether the change was made.
 */
export async function withReconnects<T>(
  changesNothing: boolean,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const effect = effectOf(error);
      if (effect === undefined) throw error;
      if (effect === 'unknown' && !changesNothing) throw unavailable(MAY_BE_MADE, error);
      // After 35 seconds of silence nobody wants to wait as long again.
      if (tries === TRIES || isSilence(error)) throw unavailable(NOTHING_CHANGED, error);
      await delay(Math.random() * MAX_BACKOFF_MS);
    }
  }
}

/** What the loss of a connection leaves; undefined if the connection was not lost. */
function effectOf(error: unknown): 'none' | 'unknown' | undefined {
  if (error instanceof LostBeforeCommit) return 'none';
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (SESSION_ENDED.has(code) || UNSENT.test(error.message)) return 'none';
  const isLost = NETWORK.has(code) || CUT.test(error.message) || isSilence(error);
  return isLost ? 'unknown' : undefined;
}

const isSilence = (error: unknown): boolean =>
  error instanceof LostBeforeCommit
    ? isSilence(error.cause)
    : error instanceof Error && error.message === SILENT;

const NOTHING_CHANGED =
  'The connection to the database was lost, and nothing was changed. Send the request again.';
const MAY_BE_MADE =
  'The connection to the database was lost while the change was saved: it may or may not have been made. Read the resource to find out; with the same Idempotency-Key you may send the request again.';

const unavailable = (message: string, cause: unknown) =>
  Object.assign(DomainError.unavailable(message), { cause });
