import { DomainError } from '#errors';

/** How many bodies of one caller may wait to be read, and for how long. */
const MAX_WAITING = 100;
const WAIT_TIMEOUT_MS = 10_000;

const RETRY_AFTER_S = 1;

/** Called when a body may be read or, with a `refusal`, when it is refused. The callback must not throw. */
type BodyCallback = (ticket: BodyTicket, refusal?: DomainError) => void;

interface Caller {
  readonly key: string;
  heldBytes: number;
  readonly waiting: Set<BodyTicket>;
}

/** A request body that has reserved memory or waits for memory. */
export interface BodyTicket {
  readonly caller: Caller;
  readonly bytes: number;
  readonly callback: BodyCallback;
  timer?: NodeJS.Timeout;
  state: 'waiting' | 'held' | 'done';
}

/**
 * Limits the memory that bodies occupy, and shares the memory fairly among callers. A body reserves memory from before
 * it is read until its request is done. One caller can reserve at most a quarter of the memory. The last quarter is
 * only for callers that hold nothing yet, and only for bodies of at most a sixteenth of the memory. Waiting callers are
 * served round-robin.
 */
export class BodyBudget {
  private usedBytes = 0;
  private readonly callersByKey = new Map<string, Caller>();
  /** Waiting callers whose next body is within their own share, in round-robin order. */
  private readonly readyCallers = new Set<Caller>();
  private readonly callerShare: number;
  private isDraining = false;

  /** @param capacity bytes, at least four times the size of the largest body. */
  constructor(private readonly capacity: number) {
    this.callerShare = capacity / 4;
  }

  /**
   * Calls `callback` as soon as there is memory for the body, possibly before this method returns. Call `leave` when
   * the body is no longer needed.
   */
  enter(callerKey: string, bytes: number, callback: BodyCallback): BodyTicket {
    const caller = this.callersByKey.get(callerKey) ?? {
      key: callerKey,
      heldBytes: 0,
      waiting: new Set(),
    };
    this.callersByKey.set(callerKey, caller);
    const ticket: BodyTicket = { caller, bytes, callback, state: 'waiting' };
    if (caller.waiting.size === 0 && this.isWithinCallerShare(ticket) && this.fitsBudget(ticket)) {
      this.hold(ticket);
    } else if (caller.waiting.size < MAX_WAITING) {
      caller.waiting.add(ticket);
      ticket.timer = setTimeout(() => this.refuse(ticket), WAIT_TIMEOUT_MS);
      this.requeue(caller);
    } else this.refuse(ticket);
    return ticket;
  }

  /** Releases the bytes, or stops waiting for them. */
  leave(ticket: BodyTicket): void {
    if (ticket.state === 'waiting') this.refuse(ticket);
    if (ticket.state !== 'held') return;
    ticket.state = 'done';
    const { caller, bytes } = ticket;
    caller.heldBytes -= bytes;
    this.usedBytes -= bytes;
    this.requeue(caller);
    this.deleteIfIdle(caller);
    this.drainQueue();
  }

  private isWithinCallerShare({ caller, bytes }: BodyTicket): boolean {
    return caller.heldBytes + bytes <= this.callerShare;
  }

  private fitsBudget({ caller, bytes }: BodyTicket): boolean {
    const canUseReserve = caller.heldBytes === 0 && bytes <= this.callerShare / 4;
    const limit = canUseReserve ? this.capacity : this.capacity - this.callerShare;
    return this.usedBytes + bytes <= limit;
  }

  private hold(ticket: BodyTicket): void {
    ticket.state = 'held';
    ticket.caller.heldBytes += ticket.bytes;
    this.usedBytes += ticket.bytes;
    ticket.callback(ticket);
  }

  /** Moves a caller to the end of `readyCallers`, or removes the caller if its next body would exceed its share. */
  private requeue(caller: Caller): void {
    const [nextTicket] = caller.waiting;
    this.readyCallers.delete(caller);
    if (nextTicket && this.isWithinCallerShare(nextTicket)) this.readyCallers.add(caller);
  }

  private drainQueue(): void {
    // If a callback calls `leave` immediately, this method is called recursively from inside the loop. Without this
    // check, many such callbacks would overflow the stack.
    if (this.isDraining) return;
    this.isDraining = true;
    try {
      for (let ticket = this.nextTicket(); ticket !== undefined; ticket = this.nextTicket()) {
        this.dequeue(ticket);
        this.hold(ticket);
        this.requeue(ticket.caller);
      }
    } finally {
      this.isDraining = false;
    }
  }

  private nextTicket(): BodyTicket | undefined {
    for (const { waiting } of this.readyCallers) {
      const [ticket] = waiting;
      if (ticket !== undefined && this.fitsBudget(ticket)) return ticket;
    }
    return undefined;
  }

  private dequeue(ticket: BodyTicket): void {
    clearTimeout(ticket.timer);
    ticket.caller.waiting.delete(ticket);
  }

  private refuse(ticket: BodyTicket): void {
    const { caller } = ticket;
    const [nextTicket] = caller.waiting;
    const refusal =
      nextTicket === ticket && this.isWithinCallerShare(ticket)
        ? budgetExhausted()
        : tooManyBodies();
    this.dequeue(ticket);
    ticket.state = 'done';
    this.requeue(caller);
    this.deleteIfIdle(caller);
    ticket.callback(ticket, refusal);
    this.drainQueue();
  }

  private deleteIfIdle(caller: Caller): void {
    if (caller.heldBytes === 0 && caller.waiting.size === 0) this.callersByKey.delete(caller.key);
  }
}

const hints = { retryAfterSeconds: RETRY_AFTER_S };

const tooManyBodies = () =>
  new DomainError(
    'too_many_requests',
    `Too many request bodies from this user or API key are being handled right now. Retry in ${RETRY_AFTER_S} second.`,
    undefined,
    hints,
  );
const budgetExhausted = () =>
  new DomainError(
    'unavailable',
    `Too many request bodies are being handled right now. Retry in ${RETRY_AFTER_S} second.`,
    undefined,
    hints,
  );
