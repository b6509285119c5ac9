import { DomainError } from '#errors';
import { FairQueue, type Ticket, type WaitRules } from '#fair-queue';

/**
 * How many files one process receives at the same time. Each of them takes up to `MAX_ASSET_BYTES` of the folder for
 * uploads, and some 100 KB of memory.
 */
const CONCURRENT_UPLOADS = 8;
/** How many pictures one process decodes at the same time; `pictures/sharp.ts` says why. */
const CONCURRENT_PICTURES = 2;

/** How many requests of one caller may wait, and for how long. A request must arrive within 30 seconds. */
const MAX_WAITING = 100;
const WAIT_TIMEOUT_MS = 10_000;

const RETRY_AFTER_S = 5;
const hints = { retryAfterSeconds: RETRY_AFTER_S };
const RETRY = `Retry in ${RETRY_AFTER_S} seconds.`;

const tooManyRequests = (reason: string) =>
  new DomainError('too_many_requests', `${reason} ${RETRY}`, undefined, hints);

const pictureWaits: WaitRules = {
  maxWaiting: MAX_WAITING,
  timeoutMs: WAIT_TIMEOUT_MS,
  tooManyWaiting: () =>
    tooManyRequests(
      `Too many pictures at once: ${MAX_WAITING} pictures of this caller are already waiting.`,
    ),
  waitedForOwn: () =>
    tooManyRequests(
      'Too many pictures at once: earlier pictures of this caller are still being processed.',
    ),
  waitedForOthers: () =>
    new DomainError(
      'unavailable',
      `The service is busy with pictures of others. ${RETRY}`,
      undefined,
      hints,
    ),
};

/** Shares the capacity for pictures among callers. */
export class PictureQueues {
  private readonly uploads = new FairQueue(CONCURRENT_UPLOADS, pictureWaits);
  private readonly pictures = new FairQueue(CONCURRENT_PICTURES, pictureWaits);

  /** Runs `work`, which receives an upload, once a slot is free for the caller. */
  receive = <T>(callerKey: string, work: () => Promise<T>): Promise<T> =>
    inSlot(this.uploads, callerKey, work);

  /** Runs `work`, which decodes a picture, once a slot is free for the caller. */
  decode = <T>(callerKey: string, work: () => Promise<T>): Promise<T> =>
    inSlot(this.pictures, callerKey, work);
}

async function inSlot<T>(queue: FairQueue, callerKey: string, work: () => Promise<T>): Promise<T> {
  const ticket = await new Promise<Ticket>((resolve, reject) => {
    queue.enter(callerKey, (admitted, refusal) =>
      refusal === undefined ? resolve(admitted) : reject(refusal),
    );
  });
  try {
    return await work();
  } finally {
    queue.leave(ticket);
  }
}
