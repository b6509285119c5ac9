import { availableParallelism } from 'node:os';
import { DomainError } from '#errors';
import { FairQueue, type Ticket, type WaitRules } from '#fair-queue';

// Documents up to this cost are rendered in the quick lane. Rendering a newsletter of 28 KB takes about 20 ms.
const QUICK_MS = 50;
const MAX_WAIT_MS = 10_000;
// Waiting requests keep their documents in memory.
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;
const MAX_WAITING_CHARACTERS_OF_TENANT = MAX_WAITING_CHARACTERS / 4;
const MAX_WAITING = 1_000;

/** The resources that a document needs: memory while it waits, and time while it is rendered. */
export interface Load {
  /** In milliseconds, as estimated by `costOf`. */
  cost: number;
  characters: number;
}

export type LaneName = 'quick' | 'large';

/** The right to use one of the threads of a lane. */
export interface Turn {
  readonly lane: LaneName;
  /** Resolves when a thread may begin the turn's work. Rejects with a DomainError if the turn does not come in time. */
  readonly granted: Promise<void>;
  /** Ends the turn, or the wait for the turn. */
  readonly end: () => void;
}

/**
 * Shares threads among tenants. A thread cannot be interrupted, so slow documents must not occupy all threads. Quick
 * and large documents therefore have separate threads, and one tenant may occupy at most half of the quick threads and
 * half of the large threads, both rounded up. There are more threads than CPUs; the operating system divides the CPU
 * time among them.
 */
export class Turns {
  private readonly lanes: Readonly<Record<LaneName, Lane>>;

  /** @param processors how many CPUs the threads may use; by default, one CPU is left to the event loop. */
  constructor(processors = Math.max(1, availableParallelism() - 1)) {
    this.lanes = { quick: new Lane(2 * processors), large: new Lane(processors) };
  }

  /** How many documents of a lane may be rendered at the same time. */
  threadsOf(lane: LaneName): number {
    return this.lanes[lane].slots;
  }

  get waitingCount(): number {
    return this.lanes.quick.waitingCount + this.lanes.large.waitingCount;
  }

  take(tenant: string, load: Load): Turn {
    const lane = load.cost <= QUICK_MS ? 'quick' : 'large';
    return { lane, ...this.lanes[lane].take(tenant, load) };
  }
}

/** The threads for documents of similar cost. */
class Lane {
  private readonly queue: FairQueue;
  private readonly all: Load = { cost: 0, characters: 0 };
  private readonly byTenant = new Map<string, Load>();
  private readonly slotsOfTenant: number;

  constructor(readonly slots: number) {
    this.slotsOfTenant = Math.ceil(slots / 2);
    const rules: WaitRules = {
      maxWaiting: MAX_WAITING,
      timeoutMs: MAX_WAIT_MS,
      tooManyWaiting: (tenant) => this.tooManyWaiting(tenant),
      waitedForOwn: (tenant) => this.tooManyWaiting(tenant),
      waitedForOthers: () => this.busy(),
    };
    this.queue = new FairQueue(slots, rules);
  }

  get waitingCount(): number {
    return this.queue.waitingCount;
  }

  take(tenant: string, load: Load): Omit<Turn, 'lane'> {
    let ticket: Ticket | undefined;
    let stopsWaiting: (() => void) | undefined;
    const granted = new Promise<void>((resolve, reject) => {
      ticket = this.queue.enter(tenant, (_ticket, refusal) => {
        // `FairQueue` has already created the refusal, so the retry time in the refusal still includes this document.
        stopsWaiting?.();
        if (refusal) reject(refusal);
        else resolve();
      });
      if (ticket.state !== 'waiting') return;
      stopsWaiting = this.countWaiting(tenant, load);
      const refusal = this.refusalFor(tenant);
      if (refusal === undefined) return;
      reject(refusal);
      this.queue.leave(ticket);
    });
    return { granted, end: () => ticket && this.queue.leave(ticket) };
  }

  /** Counts a waiting document. Returns a function that removes the document from the count. */
  private countWaiting(tenant: string, { cost, characters }: Load): () => void {
    const own = this.byTenant.get(tenant) ?? { cost: 0, characters: 0 };
    this.byTenant.set(tenant, own);
    for (const sum of [own, this.all]) {
      sum.cost += cost;
      sum.characters += characters;
    }
    return () => {
      for (const sum of [own, this.all]) {
        sum.cost -= cost;
        sum.characters -= characters;
      }
      if (own.characters === 0) this.byTenant.delete(tenant);
    };
  }

  /**
   * Returns an error if the tenant's waiting documents would take longer to render than a request may wait, or need too
   * much memory. The request is then refused immediately instead of after the wait.
   */
  private refusalFor(tenant: string): DomainError | undefined {
    const { cost = 0, characters = 0 } = this.byTenant.get(tenant) ?? {};
    if (cost > MAX_WAIT_MS * this.slotsOfTenant || characters > MAX_WAITING_CHARACTERS_OF_TENANT) {
      return this.tooManyWaiting(tenant);
    }
    return this.all.characters > MAX_WAITING_CHARACTERS ? this.busy() : undefined;
  }

  private tooManyWaiting(tenant: string): DomainError {
    const seconds = secondsFor(this.byTenant.get(tenant)?.cost, this.slotsOfTenant);
    return new DomainError(
      'too_many_requests',
      `Too many documents of the same workspace or user are waiting to be rendered or checked. Retry in about ${inSeconds(seconds)}.`,
      undefined,
      { retryAfterSeconds: seconds },
    );
  }

  private busy(): DomainError {
    const seconds = secondsFor(this.all.cost, this.slots);
    return new DomainError(
      'unavailable',
      `The service is busy: too many documents are waiting to be rendered or checked. Retry in about ${inSeconds(seconds)}.`,
      undefined,
      { retryAfterSeconds: seconds },
    );
  }
}

const secondsFor = (cost = 0, slots: number): number =>
  Math.max(1, Math.ceil(cost / slots / 1_000));

const inSeconds = (seconds: number): string => (seconds === 1 ? 'a second' : `${seconds} seconds`);
