import { DomainError } from '#errors';
import type { WaitRules } from '#fair-queue';

/** How many emails one process sends at the same time. Mail servers often accept ten connections from one address. */
export const MAX_CONCURRENT = 5;

/** How many emails of one caller may wait, and for how long. */
const MAX_WAITING = 5;
const WAIT_TIMEOUT_MS = 5_000;

const RETRY_AFTER_S = 10;
const hints = { retryAfterSeconds: RETRY_AFTER_S };
const RETRY = `Retry in ${RETRY_AFTER_S} seconds.`;

const tooManyRequests = (reason: string) =>
  new DomainError('too_many_requests', `${reason} ${RETRY}`, undefined, hints);

export const sendWaits: WaitRules = {
  maxWaiting: MAX_WAITING,
  timeoutMs: WAIT_TIMEOUT_MS,
  tooManyWaiting: () =>
    tooManyRequests(
      `Too many emails at once: ${MAX_WAITING} emails of this user or API key are already waiting.`,
    ),
  waitedForOwn: () =>
    tooManyRequests(
      'Too many emails at once: the mail server has not yet accepted the earlier emails of this user or API key.',
    ),
  waitedForOthers: () =>
    new DomainError(
      'unavailable',
      `The mail server is busy with other emails. ${RETRY}`,
      undefined,
      hints,
    ),
};
