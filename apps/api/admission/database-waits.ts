import type { Database } from '#database';
import { DomainError } from '#errors';
import type { WaitRules } from '#fair-queue';

/** How many requests of one caller may wait for the database, and for how long. */
export const MAX_WAITING = 100;
export const WAIT_TIMEOUT_MS = 5_000;

// Refused requests cost little, so callers may retry soon.
const RETRY_AFTER_S = 1;
const hints = { retryAfterSeconds: RETRY_AFTER_S };
const seconds = WAIT_TIMEOUT_MS / 1000;

export const databaseWaits = (database: Pick<Database, 'wasSilentWithin'>): WaitRules => ({
  maxWaiting: MAX_WAITING,
  timeoutMs: WAIT_TIMEOUT_MS,
  tooManyWaiting: () =>
    new DomainError(
      'too_many_requests',
      `Too many concurrent requests: ${MAX_WAITING} requests from this user or API key are already waiting. Retry in ${RETRY_AFTER_S} second.`,
      undefined,
      hints,
    ),
  waitedForOwn: () =>
    new DomainError(
      'too_many_requests',
      `Too many concurrent requests: this request waited ${seconds} seconds for earlier requests from the same user or API key. Retry in ${RETRY_AFTER_S} second.`,
      undefined,
      hints,
    ),
  waitedForOthers: () =>
    new DomainError(
      'unavailable',
      `The service is busy: this request waited ${seconds} seconds for the database. Retry in ${RETRY_AFTER_S} second.`,
      undefined,
      hints,
    ),
  // If PostgreSQL was unresponsive during the wait, no caller is to blame, even if PostgreSQL has recovered since.
  notResponding: () =>
    database.wasSilentWithin(WAIT_TIMEOUT_MS)
      ? new DomainError(
          'unavailable',
          `The database does not respond; nothing was changed. Retry in ${RETRY_AFTER_S} second.`,
          undefined,
          hints,
        )
      : undefined,
});
