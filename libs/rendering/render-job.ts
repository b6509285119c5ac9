import type { Turn } from './turns.js';

/** A request that waits for a thread. */
export interface WaitingRequest {
  /**
   * Called before the wait. The request does not use the database during the wait, so its admission slot is released.
   */
  readonly beginWait: () => void;
  /** Calls `abandon` if the client disconnects. Returns a function that removes this listener. */
  readonly onDisconnect: (abandon: () => void) => () => void;
}

/** Work for a thread. One or more requests wait for the result. */
export class RenderJob<Result> {
  readonly result: Promise<Result>;
  private requests = 0;
  private hasBegun = false;
  private hasEnded = false;

  /** @param onEnd called as soon as no further request may join this job. */
  constructor(
    private readonly turn: Turn,
    work: () => Result | Promise<Result>,
    private readonly onEnd: () => void = () => undefined,
  ) {
    this.result = turn.granted
      .then(() => {
        this.hasBegun = true;
        return work();
      })
      .finally(() => this.end());
  }

  /** Waits for the result. If the clients of all requests disconnect before a thread begins the work, the job ends. */
  async wait(request: WaitingRequest | undefined): Promise<Result> {
    this.requests++;
    request?.beginWait();
    const stop = request?.onDisconnect(() => this.abandon());
    try {
      return await this.result;
    } finally {
      stop?.();
    }
  }

  private abandon(): void {
    this.requests--;
    // A job that has begun continues: a thread cannot be interrupted, and the result of a rendering is cached.
    if (this.requests === 0 && !this.hasBegun) this.end();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.onEnd();
    this.turn.end();
  }
}
