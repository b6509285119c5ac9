import type { Turn } from './turns.js';

/** A request that waits for a thread. */
export interface WaitingRequest {
  /** Called before the wait: the request no longer uses the database. */
  readonly beginWait: () => void;
  /** Calls `abandon` if the client disconnects. Returns a function that stops this. */
  readonly onDisconnect: (abandon: () => void) => () => void;
}

/** Work of a thread for which one or more requests wait. */
export class RenderJob<Result> {
  readonly result: Promise<Result>;
  private requests = 0;
  private hasBegun = false;
  private hasEnded = false;

  /** @param onEnd called as soon as no other request may wait for this job. */
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

  /** If the clients of all requests disconnect before a thread begins, the job ends. */
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
    // Nothing interrupts a thread, and the result will be cached.
    if (this.requests === 0 && !this.hasBegun) this.end();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.onEnd();
    this.turn.end();
  }
}
