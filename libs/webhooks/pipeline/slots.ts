import type { DueEndpoint, EndpointHealth } from '../traffic/endpoint-health.js';

interface HealthLimits {
  /** The largest share of all slots that endpoints with this health may hold together. */
  share: number;
  /** How many attempts may begin per second, on average. */
  perSecond: number;
}

/**
 * An endpoint that hangs holds a slot until the send timeout, and any new endpoint may hang. The shares leave 85 % of
 * the slots to healthy endpoints and 5 % to unproven ones, whatever other endpoints do.
 *
 * An attempt on a new connection takes 1 to 2 ms of CPU time. Without the rates, thousands of new or failing endpoints
 * that respond immediately could use up the CPU.
 */
const LIMITS_BY_HEALTH: Record<EndpointHealth, HealthLimits> = {
  healthy: { share: 0.9, perSecond: Infinity },
  unproven: { share: 0.1, perSecond: 50 },
  failing: { share: 0.05, perSecond: 25 },
};
export const HEALTHS_BY_PRIORITY: readonly EndpointHealth[] = ['healthy', 'unproven', 'failing'];
// Each of these constants allows as many attempts as the rate allows in that many seconds. `BURST_SECONDS` limits how
// many attempts may begin together after a pause. `NEWCOMER_CREDIT_SECONDS` limits how many attempts of workspaces
// without waiting endpoints may begin above the rate.
const BURST_SECONDS = 0.1;
const NEWCOMER_CREDIT_SECONDS = 0.1;
// Endpoints that the rate holds back are considered again after this pause.
const RATE_PAUSE_MS = 100;
// This many waiting endpoints take about 5 MB of memory. Further endpoints are queued by a later
// sweep.
const MAX_WAITING = 10_000;

interface WaitingEndpoint {
  endpoint: DueEndpoint;
  limit: number;
  resolve: (slots: number) => void;
}

/** The slots for endpoints of one health: how many are held, by which workspaces, and which endpoints wait. */
class SlotPool {
  held = 0;
  readonly heldByWorkspace = new Map<string, number>();
  /** Waiting endpoints by workspace and then by id. The workspace that was served least recently comes first. */
  readonly waitingByWorkspace = new Map<string, Map<string, WaitingEndpoint>>();

  /** How many attempts have begun above the rate: the level of a leaky bucket. */
  attemptsAboveRate = 0;
  private updatedAt = 0;

  constructor(
    readonly limit: number,
    private readonly perSecond: number,
  ) {}

  get hasRateLimit(): boolean {
    return this.perSecond !== Infinity;
  }

  /** Whether the rate allows one more attempt. A newcomer is a workspace without waiting endpoints. */
  canStart(isNewcomer: boolean): boolean {
    if (!this.hasRateLimit) return true;
    const now = performance.now();
    const elapsed = ((now - this.updatedAt) * this.perSecond) / 1_000;
    this.attemptsAboveRate = Math.max(
      -BURST_SECONDS * this.perSecond,
      this.attemptsAboveRate - elapsed,
    );
    this.updatedAt = now;
    return this.attemptsAboveRate < (isNewcomer ? NEWCOMER_CREDIT_SECONDS * this.perSecond : 0);
  }

  changeHeld(workspaceId: string, slots: number): void {
    this.held += slots;
    if (slots > 0) this.attemptsAboveRate += slots;
    const held = (this.heldByWorkspace.get(workspaceId) ?? 0) + slots;
    if (held === 0) this.heldByWorkspace.delete(workspaceId);
    else this.heldByWorkspace.set(workspaceId, held);
  }
}

/**
 * Limits how many deliveries a worker has in flight, and shares the slots among workspaces with dynamic thresholds
 * (Choudhury and Hahne 1998): a workspace may hold at most as many slots as are free. So one workspace takes at most
 * half of the slots, and there is always a slot for the next workspace. Waiting workspaces are served round-robin.
 */
export class Slots {
  private readonly pools: Record<EndpointHealth, SlotPool>;
  private readonly waitingByEndpoint = new Map<string, WaitingEndpoint>();
  private timer: NodeJS.Timeout | undefined;
  private held = 0;
  private resolveClose: () => void = () => undefined;
  private isShutDown = false;

  constructor(readonly size: number) {
    const createPool = (health: EndpointHealth) => {
      const { share, perSecond } = LIMITS_BY_HEALTH[health];
      return new SlotPool(Math.max(1, Math.floor(size * share)), perSecond);
    };
    this.pools = {
      healthy: createPool('healthy'),
      unproven: createPool('unproven'),
      failing: createPool('failing'),
    };
  }

  get inUse(): number {
    return this.held;
  }

  get isClosed(): boolean {
    return this.isShutDown;
  }

  waitingCount(health: EndpointHealth): number {
    const { waitingByWorkspace } = this.pools[health];
    return [...waitingByWorkspace.values()].reduce((count, { size }) => count + size, 0);
  }

  /**
   * Takes between 1 and `limit` slots. Returns 0 if the endpoint has to wait, or if the slots are closed. Waiting
   * endpoints of the same workspace go first. A workspace without waiting endpoints is not held back by a rate that
   * other workspaces have used up.
   */
  tryTake(endpoint: DueEndpoint, limit: number): number {
    const pool = this.pools[endpoint.health];
    if (
      this.isShutDown ||
      pool.waitingByWorkspace.has(endpoint.workspaceId) ||
      !pool.canStart(true)
    )
      return 0;
    return this.grant(endpoint, limit);
  }

  /**
   * Waits for slots. An endpoint has at most one waiting call. If its health has changed, the new call replaces the
   * earlier one, which returns 0.
   * @returns 0 if the slots were closed, if the endpoint is already waiting with the same health, or if too many
   * endpoints wait and its workspace has its fair share of them.
   */
  async wait(endpoint: DueEndpoint, limit: number): Promise<number> {
    const { endpointId, workspaceId, health } = endpoint;
    const previousEntry = this.waitingByEndpoint.get(endpointId);
    if (this.isShutDown || previousEntry?.endpoint.health === health) return 0;
    if (previousEntry) this.remove(previousEntry).resolve(0);
    const { waitingByWorkspace } = this.pools[health];
    const waitingInWorkspace = waitingByWorkspace.get(workspaceId);
    // An endpoint is turned away only if its workspace already has its fair share of the waiting endpoints.
    if (
      this.waitingByEndpoint.size >= MAX_WAITING &&
      (waitingInWorkspace?.size ?? 0) >= MAX_WAITING / waitingByWorkspace.size
    ) {
      return 0;
    }
    return new Promise((resolve) => {
      const entry = { endpoint, limit, resolve };
      this.waitingByEndpoint.set(endpointId, entry);
      if (waitingInWorkspace) waitingInWorkspace.set(endpointId, entry);
      else waitingByWorkspace.set(workspaceId, new Map([[endpointId, entry]]));
      // Normally, the release of a slot serves endpoints that wait. But if only the rate limit holds this endpoint
      // back, possibly no slot is in use, so none would be released. In that case, this call starts the timer that
      // tries again.
      this.grantWaiting();
    });
  }

  /** @param unused how many of the slots were not used. Unused slots do not count towards the rate. */
  free({ workspaceId, health }: DueEndpoint, slots: number, unused = 0): void {
    if (slots === 0) return;
    this.held -= slots;
    this.pools[health].changeHeld(workspaceId, -slots);
    this.pools[health].attemptsAboveRate -= unused;
    this.grantWaiting();
    if (this.held === 0) this.resolveClose();
  }

  /** Turns away all waiting endpoints. Resolves when no slot is held. */
  async close(): Promise<void> {
    this.isShutDown = true;
    for (const entry of [...this.waitingByEndpoint.values()]) this.remove(entry).resolve(0);
    if (this.held > 0) await new Promise<void>((resolve) => (this.resolveClose = resolve));
  }

  private grant({ workspaceId, health }: DueEndpoint, limit: number): number {
    const pool = this.pools[health];
    const free = Math.min(pool.limit - pool.held, this.size - this.held);
    const headroom = free - (pool.heldByWorkspace.get(workspaceId) ?? 0);
    const slots = Math.min(limit, Math.ceil(headroom / 2));
    if (slots <= 0) return 0;
    this.held += slots;
    pool.changeHeld(workspaceId, slots);
    return slots;
  }

  private grantWaiting(): void {
    while (HEALTHS_BY_PRIORITY.some((health) => this.grantNext(this.pools[health])));
  }

  private grantNext(pool: SlotPool): boolean {
    // Without this check, a full pool would consider every waiting workspace in vain each time a slot is
    // freed in another pool.
    const isFull = pool.held >= pool.limit || this.held >= this.size;
    if (pool.waitingByWorkspace.size === 0 || isFull) return false;
    // While the timer runs, freed slots are not granted to this pool. The next attempts then begin together, and one
    // statement claims them.
    if (pool.hasRateLimit && this.timer) return false;
    if (!pool.canStart(false)) {
      this.timer = setTimeout(() => this.resume(), RATE_PAUSE_MS);
      return false;
    }
    for (const [workspaceId, waitingOfWorkspace] of pool.waitingByWorkspace) {
      const [entry] = waitingOfWorkspace.values();
      const slots = entry ? this.grant(entry.endpoint, entry.limit) : 0;
      if (entry === undefined || slots === 0) continue;
      this.remove(entry).resolve(slots);
      // Round-robin: the workspace moves to the end.
      if (pool.waitingByWorkspace.delete(workspaceId) && waitingOfWorkspace.size > 0) {
        pool.waitingByWorkspace.set(workspaceId, waitingOfWorkspace);
      }
      return true;
    }
    return false;
  }

  private resume(): void {
    this.timer = undefined;
    this.grantWaiting();
  }

  private remove(entry: WaitingEndpoint): WaitingEndpoint {
    const { endpointId, workspaceId, health } = entry.endpoint;
    const { waitingByWorkspace } = this.pools[health];
    const waitingInWorkspace = waitingByWorkspace.get(workspaceId);
    waitingInWorkspace?.delete(endpointId);
    if (waitingInWorkspace?.size === 0) waitingByWorkspace.delete(workspaceId);
    this.waitingByEndpoint.delete(endpointId);
    return entry;
  }
}
