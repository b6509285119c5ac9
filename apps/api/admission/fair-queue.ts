import { AsyncResource } from 'node:async_hooks';
import { DomainError } from '#errors';
import { LRUCache } from 'lru-cache';

/** How many requests of one caller may wait, and for how long. */
export const MOST_WAITING = 100;
export const PATIENCE_MS = 5_000;

// Refused requests cost little, so callers may retry soon.
const RETRY_AFTER_S = 1;

// A caller is heavy once its requests have held slots for this long in total, less what it may use
// continuously: a quarter of one slot. A heavy caller is light again 12 s after its last request.
const HEAVY_MS = 1_000;
const MOST_USED_MS = 4_000;
const CONTINUOUS_USE = 0.25;

// Some 5 MB. Forgetting a caller makes it light.
const KEPT_CALLERS = 50_000;

/** Runs when a request may begin, or with the reason why it may not. */
type Begin = (ticket: Ticket, refusal?: DomainError) => void;

interface Caller {
  atWork: number;
  longAtWork: number;
  readonly waiting: Set<Ticket>;
  /** Which of the queue's `ranks` holds the caller. */
  rank?: Set<Caller>;
  /** Milliseconds of slots used at `usedAt`, less continuous use. */
  usedMs: number;
  usedAt: number;
}

/** A request that holds a slot or waits for one. */
export interface Ticket {
  readonly caller: Caller;
  readonly begin: Begin;
  readonly isLong: boolean;
  /** The async context of a request that waits: the end of another request begins it. */
  context?: AsyncResource;
  timer?: NodeJS.Timeout;
  state: 'waiting' | 'at work' | 'over';
}

/**
 * Shares a number of slots among callers by max-min fairness: a free slot goes to the caller that
 * holds the fewest. Running requests are never interrupted, so two rules keep slots free for a caller
 * who arrives while others run long statements: one caller holds at most half of the slots, even if
 * nobody else is there, and a fifth with long requests; and the last quarter is reserved for short
 * requests of callers that hold no slot and are not heavy. Entering costs a counter and no await while
 * slots are free.
 *
 * No library fits: p-queue, bottleneck and @fastify/throttle know one queue and no callers, and
 * bottleneck's groups have limits each but nothing that they share.
 */
export class FairQueue {
  private readonly callers = new LRUCache<string, Caller>({ max: KEPT_CALLERS });
  /** Callers that have requests waiting and may hold another slot; by rank, and within one in turn. */
  private readonly ranks: Set<Caller>[];
  private readonly mostOfOne: number;
  private readonly mostLongOfOne: number;
  private readonly reserve: number;
  private isStarting = false;

  constructor(private free: number) {
    this.mostOfOne = Math.ceil(free / 2);
    this.mostLongOfOne = Math.ceil(free / 5);
    this.reserve = Math.floor(free / 4);
    this.ranks = Array.from({ length: this.mostOfOne + 1 }, () => new Set());
  }

  /**
   * Calls `begin` at once if there is a slot, else when there is one. It must not throw. `leave` is to
   * be called after it, unless the request was refused.
   * @param isLong whether the request may take long.
   */
  enter(id: string, begin: Begin, isLong = false): Ticket {
    const caller = this.callerOf(id);
    const ticket: Ticket = { caller, begin, isLong, state: 'waiting' };
    if (this.firstOf(caller) === undefined && this.hasSlotFor(ticket)) {
      this.take(ticket);
      begin(ticket);
    } else if (caller.waiting.size < MOST_WAITING) this.wait(ticket);
    else refuse(ticket, tooManyWaiting());
    return ticket;
  }

  /** Gives the slot back, or gives up waiting. */
  leave(ticket: Ticket): void {
    const { caller, state } = ticket;
    if (state === 'waiting') this.giveUp(ticket, tooManyWaiting());
    if (state !== 'at work') return;
    ticket.state = 'over';
    measureUse(caller);
    caller.atWork--;
    if (ticket.isLong) caller.longAtWork--;
    this.free++;
    this.rank(caller);
    this.startWaiting();
  }

  private callerOf(id: string): Caller {
    let caller = this.callers.get(id);
    if (caller === undefined) {
      caller = {
        atWork: 0,
        longAtWork: 0,
        waiting: new Set(),
        usedMs: 0,
        usedAt: performance.now(),
      };
      this.callers.set(id, caller);
    }
    return caller;
  }

  private take(ticket: Ticket): void {
    ticket.state = 'at work';
    measureUse(ticket.caller);
    ticket.caller.atWork++;
    if (ticket.isLong) ticket.caller.longAtWork++;
    this.free--;
  }

  private wait(ticket: Ticket): void {
    const { caller } = ticket;
    // `AsyncResource.bind` takes 2 µs; a request that reads a template takes some 150.
    ticket.context = new AsyncResource('FairQueueTicket');
    caller.waiting.add(ticket);
    this.rank(caller);
    ticket.timer = setTimeout(() => {
      const isOwnDoing = caller.atWork > 0 || rankOf(caller, ticket) > 0;
      this.giveUp(ticket, isOwnDoing ? waitedForOwn() : waitedForOthers());
    }, PATIENCE_MS);
  }

  private giveUp(ticket: Ticket, refusal: DomainError): void {
    const { caller, timer } = ticket;
    clearTimeout(timer);
    caller.waiting.delete(ticket);
    this.rank(caller);
    refuse(ticket, refusal);
    this.startWaiting();
  }

  private startWaiting(): void {
    // A request that is over at once gives its slot back in here. Were the next one begun by it, and so on,
    // the stack would overflow.
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      for (let caller = this.next(); caller !== undefined; caller = this.next()) this.start(caller);
    } finally {
      this.isStarting = false;
    }
  }

  private start(caller: Caller): void {
    const ticket = this.firstOf(caller);
    if (ticket === undefined) throw new Error('A caller without waiting requests was ranked.');
    clearTimeout(ticket.timer);
    caller.waiting.delete(ticket);
    this.take(ticket);
    this.rank(caller);
    begin(ticket);
  }

  private next(): Caller | undefined {
    const rank = this.ranks.findIndex(({ size }) => size > 0);
    const [caller] = this.ranks[rank] ?? [];
    return this.free > this.keptFrom(rank) ? caller : undefined;
  }

  private hasSlotFor(ticket: Ticket): boolean {
    return this.mayHold(ticket) && this.free > this.keptFrom(rankOf(ticket.caller, ticket));
  }

  /** The first waiting request that its caller's own requests do not hold back. */
  private firstOf({ waiting }: Caller): Ticket | undefined {
    for (const ticket of waiting) if (this.mayHold(ticket)) return ticket;
    return undefined;
  }

  private mayHold({ caller, isLong }: Ticket): boolean {
    return caller.atWork < this.mostOfOne && (!isLong || caller.longAtWork < this.mostLongOfOne);
  }

  private keptFrom(rank: number): number {
    return rank === 0 ? 0 : this.reserve;
  }

  /** Puts a caller behind the others of its rank. */
  private rank(caller: Caller): void {
    caller.rank?.delete(caller);
    const ticket = this.firstOf(caller);
    caller.rank = ticket && this.ranks[rankOf(caller, ticket)];
    caller.rank?.add(caller);
  }
}

/** 0 for callers that may use the reserve, then by the slots that a caller holds. */
function rankOf(caller: Caller, { isLong }: Ticket): number {
  measureUse(caller);
  const mayUseReserve = caller.atWork === 0 && !isLong && caller.usedMs <= HEAVY_MS;
  return mayUseReserve ? 0 : caller.atWork + 1;
}

function measureUse(caller: Caller): void {
  const now = performance.now();
  const grown = (now - caller.usedAt) * (caller.atWork - CONTINUOUS_USE);
  caller.usedMs = Math.min(Math.max(0, caller.usedMs + grown), MOST_USED_MS);
  caller.usedAt = now;
}

function refuse(ticket: Ticket, refusal: DomainError): void {
  ticket.state = 'over';
  begin(ticket, refusal);
}

function begin(ticket: Ticket, refusal?: DomainError): void {
  if (ticket.context) ticket.context.runInAsyncScope(ticket.begin, undefined, ticket, refusal);
  else ticket.begin(ticket, refusal);
}

const hints = { retryAfterSeconds: RETRY_AFTER_S };
const seconds = PATIENCE_MS / 1000;

const tooManyWaiting = () =>
  new DomainError(
    'too_many_requests',
    `Too many requests at once: ${MOST_WAITING} requests of this user or API key are waiting already. Retry in ${RETRY_AFTER_S} second.`,
    undefined,
    hints,
  );
const waitedForOwn = () =>
  new DomainError(
    'too_many_requests',
    `Too many requests at once: this request waited ${seconds} seconds for earlier requests of the same user or API key. Retry in ${RETRY_AFTER_S} second.`,
    undefined,
    hints,
  );
const waitedForOthers = () =>
  new DomainError(
    'unavailable',
    `The service is busy: this request waited ${seconds} seconds for the database. Retry in ${RETRY_AFTER_S} second.`,
    undefined,
    hints,
  );
