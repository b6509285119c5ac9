import { AsyncResource } from 'node:async_hooks';
import type { DomainError } from '#errors';
import { LRUCache } from 'lru-cache';

/** The limits for waiting requests, and the errors for requests that are refused. */
export interface WaitRules {
  maxWaiting: number;
  timeoutMs: number;
  /** The error if more than `maxWaiting` requests of the caller would wait. */
  tooManyWaiting: (callerKey: string) => DomainError;
  /** The error if a request waited too long, at least partly for other requests of its caller. */
  waitedForOwn: (callerKey: string) => DomainError;
  /** The error if a request waited too long while only requests of other callers were ahead of it. */
  waitedForOthers: (callerKey: string) => DomainError;
  /**
   * Returns an error while the resource that the requests use does not respond at all. This error replaces the
   * three errors above, because no caller is to blame.
   */
  notResponding?: () => DomainError | undefined;
}

// A caller is heavy if its requests together have held slots for more than `HEAVY_USE_MS`. This total works like a
// leaky bucket: it leaks 250 ms every second (`SUSTAINED_USE`), and never exceeds `MAX_USED_MS`. So a caller stops
// being heavy at most 12 s after its last request has ended.
const HEAVY_USE_MS = 1_000;
const MAX_USED_MS = 4_000;
const SUSTAINED_USE = 0.25;

// This many callers take about 5 MB. A caller that is no longer tracked does not count as heavy.
const MAX_TRACKED_CALLERS = 50_000;

/** Called when a request may begin, or with `refusal` if it may not. */
type AdmissionCallback = (ticket: Ticket, refusal?: DomainError) => void;

interface Caller {
  readonly key: string;
  running: number;
  longRunning: number;
  readonly waiting: Set<Ticket>;
  /** The set in `FairQueue.ranks` that contains this caller. */
  rank?: Set<Caller>;
  /** The level of the caller's leaky bucket at the time `usedAt`. */
  usedMs: number;
  usedAt: number;
}

/** A request that holds a slot or waits for one. */
export interface Ticket {
  readonly caller: Caller;
  readonly callback: AdmissionCallback;
  readonly isLong: boolean;
  /**
   * The async context of a waiting request. Without it, the request would run in the context of the request
   * that frees the slot.
   */
  asyncContext?: AsyncResource;
  timer?: NodeJS.Timeout;
  state: 'waiting' | 'running' | 'done';
}

/**
 * Shares slots among callers by max-min fairness: a free slot goes to the caller that holds the fewest. Running
 * requests are never interrupted. So two rules keep slots free for callers that arrive while other callers run long
 * requests:
 *
 * - One caller holds at most half of the slots, and at most a fifth with long requests, even if there are no other
 *   callers.
 * - The last quarter of the slots is reserved for short requests of callers that hold no slot and are not heavy.
 *
 * While slots are free, `enter` only updates counters, and awaits nothing.
 *
 * No library fits: p-queue, bottleneck and @fastify/throttle have one queue and do not tell callers apart. Each group
 * of bottleneck has a separate limit, so groups do not share slots.
 */
export class FairQueue {
  private readonly callersByKey = new LRUCache<string, Caller>({ max: MAX_TRACKED_CALLERS });
  /**
   * The callers with a waiting request that their own limits allow, by rank. Callers of the same rank are served
   * round-robin.
   */
  private readonly ranks: Set<Caller>[];
  private readonly maxPerCaller: number;
  private readonly maxLongPerCaller: number;
  private readonly reservedSlots: number;
  private isDraining = false;
  private waiting = 0;

  constructor(
    private freeSlots: number,
    private readonly rules: WaitRules,
  ) {
    this.maxPerCaller = Math.ceil(freeSlots / 2);
    this.maxLongPerCaller = Math.ceil(freeSlots / 5);
    this.reservedSlots = Math.floor(freeSlots / 4);
    this.ranks = Array.from({ length: this.maxPerCaller + 1 }, () => new Set());
  }

  get freeSlotCount(): number {
    return this.freeSlots;
  }

  get waitingCount(): number {
    return this.waiting;
  }

  /**
   * Calls `callback` immediately if a slot is free, otherwise as soon as a slot becomes free. The callback must not
   * throw. Call `leave` at the end of the request, unless the request was refused.
   * @param isLong whether the request may take a long time.
   */
  enter(callerKey: string, callback: AdmissionCallback, isLong = false): Ticket {
    const caller = this.findOrCreateCaller(callerKey);
    const ticket: Ticket = { caller, callback, isLong, state: 'waiting' };
    if (this.firstStartable(caller) === undefined && this.hasSlotFor(ticket)) {
      this.occupySlot(ticket);
      callback(ticket);
    } else if (caller.waiting.size < this.rules.maxWaiting) this.enqueue(ticket);
    else refuse(ticket, this.rules.notResponding?.() ?? this.rules.tooManyWaiting(callerKey));
    return ticket;
  }

  /** Ends a request: frees its slot, or removes the request from the queue if it is still waiting. */
  leave(ticket: Ticket): void {
    const { caller, state } = ticket;
    if (state === 'waiting') this.refuseWaiting(ticket, this.rules.tooManyWaiting(caller.key));
    if (state !== 'running') return;
    ticket.state = 'done';
    updateUsage(caller);
    caller.running--;
    if (ticket.isLong) caller.longRunning--;
    this.freeSlots++;
    this.updateRank(caller);
    this.drainQueue();
  }

  private findOrCreateCaller(key: string): Caller {
    let caller = this.callersByKey.get(key);
    if (caller === undefined) {
      caller = {
        key,
        running: 0,
        longRunning: 0,
        waiting: new Set(),
        usedMs: 0,
        usedAt: performance.now(),
      };
      this.callersByKey.set(key, caller);
    }
    return caller;
  }

  private occupySlot(ticket: Ticket): void {
    ticket.state = 'running';
    updateUsage(ticket.caller);
    ticket.caller.running++;
    if (ticket.isLong) ticket.caller.longRunning++;
    this.freeSlots--;
  }

  private enqueue(ticket: Ticket): void {
    const { caller } = ticket;
    const { timeoutMs, waitedForOwn, waitedForOthers, notResponding } = this.rules;
    // Creating the context takes 2 µs; a request that reads a template takes about 150 µs.
    ticket.asyncContext = new AsyncResource('FairQueueTicket');
    caller.waiting.add(ticket);
    this.waiting++;
    this.updateRank(caller);
    ticket.timer = setTimeout(() => {
      const isCausedByCaller = caller.running > 0 || isHeavy(caller);
      this.refuseWaiting(
        ticket,
        notResponding?.() ??
          (isCausedByCaller ? waitedForOwn(caller.key) : waitedForOthers(caller.key)),
      );
    }, timeoutMs);
  }

  private refuseWaiting(ticket: Ticket, refusal: DomainError): void {
    const { caller, timer } = ticket;
    clearTimeout(timer);
    caller.waiting.delete(ticket);
    this.waiting--;
    this.updateRank(caller);
    refuse(ticket, refusal);
    this.drainQueue();
  }

  private drainQueue(): void {
    // A request that ends immediately calls this method again from inside the loop. Without this check, many such
    // requests would overflow the stack.
    if (this.isDraining) return;
    this.isDraining = true;
    try {
      for (let caller = this.nextCaller(); caller !== undefined; caller = this.nextCaller())
        this.startFirst(caller);
    } finally {
      this.isDraining = false;
    }
  }

  private startFirst(caller: Caller): void {
    const ticket = this.firstStartable(caller);
    if (ticket === undefined) throw new Error('A caller without waiting requests was ranked.');
    clearTimeout(ticket.timer);
    caller.waiting.delete(ticket);
    this.waiting--;
    this.occupySlot(ticket);
    this.updateRank(caller);
    runCallback(ticket);
  }

  private nextCaller(): Caller | undefined {
    const rank = this.ranks.findIndex(({ size }) => size > 0);
    const [caller] = this.ranks[rank] ?? [];
    return this.freeSlots > this.reservedSlotsFor(rank) ? caller : undefined;
  }

  private hasSlotFor(ticket: Ticket): boolean {
    return (
      this.isWithinCallerLimits(ticket) &&
      this.freeSlots > this.reservedSlotsFor(rankOf(ticket.caller, ticket))
    );
  }

  /** The first waiting request that the caller's own limits allow. */
  private firstStartable({ waiting }: Caller): Ticket | undefined {
    for (const ticket of waiting) if (this.isWithinCallerLimits(ticket)) return ticket;
    return undefined;
  }

  private isWithinCallerLimits({ caller, isLong }: Ticket): boolean {
    return (
      caller.running < this.maxPerCaller && (!isLong || caller.longRunning < this.maxLongPerCaller)
    );
  }

  private reservedSlotsFor(rank: number): number {
    return rank === 0 ? 0 : this.reservedSlots;
  }

  /** Recomputes the rank of a caller, and puts the caller at the end of that rank. */
  private updateRank(caller: Caller): void {
    caller.rank?.delete(caller);
    const ticket = this.firstStartable(caller);
    caller.rank = ticket && this.ranks[rankOf(caller, ticket)];
    caller.rank?.add(caller);
  }
}

/**
 * The rank of a caller: 0 if the caller may use the reserve, otherwise one more than the number of slots that
 * the caller holds.
 */
function rankOf(caller: Caller, { isLong }: Ticket): number {
  const canUseReserve = caller.running === 0 && !isLong && !isHeavy(caller);
  return canUseReserve ? 0 : caller.running + 1;
}

function isHeavy(caller: Caller): boolean {
  updateUsage(caller);
  return caller.usedMs > HEAVY_USE_MS;
}

function updateUsage(caller: Caller): void {
  const now = performance.now();
  const delta = (now - caller.usedAt) * (caller.running - SUSTAINED_USE);
  caller.usedMs = Math.min(Math.max(0, caller.usedMs + delta), MAX_USED_MS);
  caller.usedAt = now;
}

function refuse(ticket: Ticket, refusal: DomainError): void {
  ticket.state = 'done';
  runCallback(ticket, refusal);
}

function runCallback(ticket: Ticket, refusal?: DomainError): void {
  if (ticket.asyncContext)
    ticket.asyncContext.runInAsyncScope(ticket.callback, undefined, ticket, refusal);
  else ticket.callback(ticket, refusal);
}
