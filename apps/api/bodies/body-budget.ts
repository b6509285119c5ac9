import { DomainError } from '#errors';

/** How many bodies of one caller may wait to be read, and for how long. */
const MOST_WAITING = 100;
const PATIENCE_MS = 10_000;

const RETRY_AFTER_S = 1;

/** Runs when a body may be read, or with the reason why it may not. It must not throw. */
type Begin = (body: Body, refusal?: DomainError) => void;

interface Caller {
  readonly id: string;
  held: number;
  readonly waiting: Set<Body>;
}

/** A body that holds its bytes of the budget or waits for them. */
export interface Body {
  readonly caller: Caller;
  readonly bytes: number;
  readonly begin: Begin;
  timer?: NodeJS.Timeout;
  state: 'waiting' | 'held' | 'over';
}

/**
 * Bounds the memory that bodies take, from before they are read until their requests are done, and shares it
 * fairly among callers: one caller holds at most a quarter; the last quarter is for callers that hold
 * nothing, and not for their largest bodies; callers that wait take turns.
 */
export class BodyBudget {
  private used = 0;
  private readonly callers = new Map<string, Caller>();
  /** Those whose next body waits for others, in turn. */
  private readonly ready = new Set<Caller>();
  private readonly share: number;
  private isStarting = false;

  /** @param bytes at least four times as many as the largest body has. */
  constructor(private readonly bytes: number) {
    this.share = bytes / 4;
  }

  /**
   * Calls `begin` at once if there is room, else when there is. `leave` is to be called when the body is
   * no longer needed.
   */
  enter(id: string, bytes: number, begin: Begin): Body {
    const caller = this.callers.get(id) ?? { id, held: 0, waiting: new Set() };
    this.callers.set(id, caller);
    const body: Body = { caller, bytes, begin, state: 'waiting' };
    if (caller.waiting.size === 0 && this.hasShareFor(body) && this.hasRoomFor(body)) {
      this.take(body);
    } else if (caller.waiting.size < MOST_WAITING) {
      caller.waiting.add(body);
      body.timer = setTimeout(() => this.refuse(body), PATIENCE_MS);
      this.line(caller);
    } else this.refuse(body);
    return body;
  }

  /** Gives the bytes back, or gives up waiting for them. */
  leave(body: Body): void {
    if (body.state === 'waiting') this.refuse(body);
    if (body.state !== 'held') return;
    body.state = 'over';
    const { caller, bytes } = body;
    caller.held -= bytes;
    this.used -= bytes;
    this.line(caller);
    this.forget(caller);
    this.beginWaiting();
  }

  private hasShareFor({ caller, bytes }: Body): boolean {
    return caller.held + bytes <= this.share;
  }

  private hasRoomFor({ caller, bytes }: Body): boolean {
    const mayUseReserve = caller.held === 0 && bytes <= this.share / 4;
    const limit = mayUseReserve ? this.bytes : this.bytes - this.share;
    return this.used + bytes <= limit;
  }

  private take(body: Body): void {
    body.state = 'held';
    body.caller.held += body.bytes;
    this.used += body.bytes;
    body.begin(body);
  }

  /** Puts a caller whose next body is within its share behind the others. */
  private line(caller: Caller): void {
    const [next] = caller.waiting;
    this.ready.delete(caller);
    if (next && this.hasShareFor(next)) this.ready.add(caller);
  }

  private beginWaiting(): void {
    // A body that is over at once gives its bytes back in here. Were the next one begun by it, and so on, the
    // stack would overflow.
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      for (let body = this.next(); body !== undefined; body = this.next()) {
        this.stopWaiting(body);
        this.take(body);
        // If its caller has more of them it stands at the end now.
        this.line(body.caller);
      }
    } finally {
      this.isStarting = false;
    }
  }

  private next(): Body | undefined {
    for (const { waiting } of this.ready) {
      const [body] = waiting;
      if (body !== undefined && this.hasRoomFor(body)) return body;
    }
    return undefined;
  }

  private stopWaiting(body: Body): void {
    clearTimeout(body.timer);
    body.caller.waiting.delete(body);
  }

  private refuse(body: Body): void {
    const { caller } = body;
    const [next] = caller.waiting;
    const refusal = next === body && this.hasShareFor(body) ? noRoom() : tooMuch();
    this.stopWaiting(body);
    body.state = 'over';
    this.line(caller);
    this.forget(caller);
    body.begin(body, refusal);
    this.beginWaiting();
  }

  private forget(caller: Caller): void {
    if (caller.held === 0 && caller.waiting.size === 0) this.callers.delete(caller.id);
  }
}

const hints = { retryAfterSeconds: RETRY_AFTER_S };

const tooMuch = () =>
  new DomainError(
    'too_many_requests',
    `Too many bodies at once of this user or API key. Retry in ${RETRY_AFTER_S} second.`,
    undefined,
    hints,
  );
const noRoom = () =>
  new DomainError(
    'unavailable',
    `Too many bodies are being handled just now. Retry in ${RETRY_AFTER_S} second.`,
    undefined,
    hints,
  );
