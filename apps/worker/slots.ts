import type { DueEndpoint, EndpointHealth } from '#webhooks';

interface Limits {
  /** The largest part of all slots that endpoints of this health may hold. */
  share: number;
  /** How many of them may begin in a second, if more than that wait. */
  perSecond: number;
}

/**
 * Endpoints that hang hold a slot for the whole send timeout, and nobody knows of a new endpoint whether
 * it hangs. The shares leave 85 % to healthy endpoints whatever others do, and 5 % to unproven ones.
 *
 * An attempt on a new connection takes 1 to 2 ms of processor time. The rates keep thousands of new or
 * failing endpoints that respond at once from taking all of it.
 */
const LIMITS: Record<EndpointHealth, Limits> = {
  healthy: { share: 0.9, perSecond: Infinity },
  unproven: { share: 0.1, perSecond: 50 },
  failing: { share: 0.05, perSecond: 25 },
};
const IN_ORDER: readonly EndpointHealth[] = ['healthy', 'unproven', 'failing'];
// As a part of a second's attempts: what may begin at once after a pause, and what workspaces that have
// not waited may begin above the rate.
const BURST = 0.1;
const CREDIT = 0.1;
// How soon endpoints that the rate holds back are looked at again.
const PAUSE_MS = 100;
// Some 5 MB. The sweep brings back the endpoints that are turned away.
const MAX_WAITING = 10_000;

interface Waiting {
  endpoint: DueEndpoint;
  most: number;
  resolve: (slots: number) => void;
}

/** The slots of one health: how many are held, by which workspaces, and which endpoints wait. */
class Share {
  held = 0;
  readonly heldBy = new Map<string, number>();
  /** By workspace and endpoint. The workspace in front was served least recently. */
  readonly waiting = new Map<string, Map<string, Waiting>>();

  /** Attempts above the rate. */
  begun = 0;
  private begunAt = 0;

  constructor(
    readonly limit: number,
    private readonly perSecond: number,
  ) {}

  get isLimited(): boolean {
    return this.perSecond !== Infinity;
  }

  /** Whether the rate lets one more attempt begin. */
  isDue(isFirst: boolean): boolean {
    if (!this.isLimited) return true;
    const now = performance.now();
    const elapsed = ((now - this.begunAt) * this.perSecond) / 1_000;
    this.begun = Math.max(-BURST * this.perSecond, this.begun - elapsed);
    this.begunAt = now;
    return this.begun < (isFirst ? CREDIT * this.perSecond : 0);
  }

  hold(workspaceId: string, slots: number): void {
    this.held += slots;
    if (slots > 0) this.begun += slots;
    const held = (this.heldBy.get(workspaceId) ?? 0) + slots;
    if (held === 0) this.heldBy.delete(workspaceId);
    else this.heldBy.set(workspaceId, held);
  }
}

/**
 * Bounds how many deliveries a worker has in flight, and shares that number among workspaces: the
 * limit of each moves with what is free (dynamic thresholds, Choudhury and Hahne 1998). A workspace
 * may hold as many slots as it leaves free, so one takes half at most, and there is always a slot for
 * the next workspace. Waiting workspaces take turns.
 */
export class Slots {
  private readonly shares: Record<EndpointHealth, Share>;
  private readonly waiting = new Map<string, Waiting>();
  private timer: NodeJS.Timeout | undefined;
  private held = 0;
  private whenAllFree: () => void = () => undefined;
  private closed = false;

  constructor(private readonly size: number) {
    const share = (health: EndpointHealth) => {
      const { share: part, perSecond } = LIMITS[health];
      return new Share(Math.max(1, Math.floor(size * part)), perSecond);
    };
    this.shares = {
      healthy: share('healthy'),
      unproven: share('unproven'),
      failing: share('failing'),
    };
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /**
   * Takes from 1 to `most` slots at once; 0 if the endpoint has to wait, or the slots are closed. Others
   * of its workspace that wait go first. A workspace of which none waits does not wait for a rate that
   * others have used up.
   */
  tryTake(endpoint: DueEndpoint, most: number): number {
    const share = this.shares[endpoint.health];
    if (this.closed || share.waiting.has(endpoint.workspaceId) || !share.isDue(true)) return 0;
    return this.grant(endpoint, most);
  }

  /**
   * Waits for slots. An endpoint waits once, and under the health that was seen last.
   * @returns 0 if the slots were closed, or if the endpoint need not or cannot wait here.
   */
  async wait(endpoint: DueEndpoint, most: number): Promise<number> {
    const { endpointId, workspaceId, health } = endpoint;
    const earlier = this.waiting.get(endpointId);
    if (this.closed || earlier?.endpoint.health === health) return 0;
    if (earlier) this.remove(earlier).resolve(0);
    const { waiting } = this.shares[health];
    const ofWorkspace = waiting.get(workspaceId);
    // Only workspaces with more than an equal part of those that wait are turned away.
    if (
      this.waiting.size >= MAX_WAITING &&
      (ofWorkspace?.size ?? 0) >= MAX_WAITING / waiting.size
    ) {
      return 0;
    }
    return new Promise((resolve) => {
      const entry = { endpoint, most, resolve };
      this.waiting.set(endpointId, entry);
      if (ofWorkspace) ofWorkspace.set(endpointId, entry);
      else waiting.set(workspaceId, new Map([[endpointId, entry]]));
      // If a rate holds it back, no slot that is freed brings it forward.
      this.grantWaiting();
    });
  }

  /** @param unused how many of the slots were not used, so that the rate is not charged for them. */
  free({ workspaceId, health }: DueEndpoint, slots: number, unused = 0): void {
    if (slots === 0) return;
    this.held -= slots;
    this.shares[health].hold(workspaceId, -slots);
    this.shares[health].begun -= unused;
    this.grantWaiting();
    if (this.held === 0) this.whenAllFree();
  }

  /** Sends away all that wait, and resolves when no slot is held. */
  async close(): Promise<void> {
    this.closed = true;
    for (const entry of [...this.waiting.values()]) this.remove(entry).resolve(0);
    if (this.held > 0) await new Promise<void>((resolve) => (this.whenAllFree = resolve));
  }

  private grant({ workspaceId, health }: DueEndpoint, most: number): number {
    const share = this.shares[health];
    const free = Math.min(share.limit - share.held, this.size - this.held);
    const headroom = free - (share.heldBy.get(workspaceId) ?? 0);
    const slots = Math.min(most, Math.ceil(headroom / 2));
    if (slots <= 0) return 0;
    this.held += slots;
    share.hold(workspaceId, slots);
    return slots;
  }

  private grantWaiting(): void {
    while (IN_ORDER.some((health) => this.grantNext(this.shares[health])));
  }

  private grantNext(share: Share): boolean {
    // Without a free slot every waiting workspace would be looked at in vain, with each slot that is freed.
    const isFull = share.held >= share.limit || this.held >= this.size;
    if (share.waiting.size === 0 || isFull) return false;
    // Attempts that begin together are claimed in one statement. So no slot that is freed ends the pause.
    if (share.isLimited && this.timer) return false;
    if (!share.isDue(false)) {
      this.timer = setTimeout(() => this.resume(), PAUSE_MS);
      return false;
    }
    for (const [workspaceId, ofWorkspace] of share.waiting) {
      const [entry] = ofWorkspace.values();
      const slots = entry ? this.grant(entry.endpoint, entry.most) : 0;
      if (entry === undefined || slots === 0) continue;
      this.remove(entry).resolve(slots);
      // The other workspaces come first now.
      if (share.waiting.delete(workspaceId) && ofWorkspace.size > 0) {
        share.waiting.set(workspaceId, ofWorkspace);
      }
      return true;
    }
    return false;
  }

  private resume(): void {
    this.timer = undefined;
    this.grantWaiting();
  }

  private remove(entry: Waiting): Waiting {
    const { endpointId, workspaceId, health } = entry.endpoint;
    const { waiting } = this.shares[health];
    const ofWorkspace = waiting.get(workspaceId);
    ofWorkspace?.delete(endpointId);
    if (ofWorkspace?.size === 0) waiting.delete(workspaceId);
    this.waiting.delete(endpointId);
    return entry;
  }
}
