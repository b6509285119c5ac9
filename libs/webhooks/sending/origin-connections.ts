import type { buildConnector, Dispatcher } from 'undici';

interface OriginEntry {
  dispatcher: Dispatcher;
  activeRequests: number;
}

// A request adds at most one origin. Closing two origins per request therefore reduces the number of open origins.
const EVICTIONS_PER_REQUEST = 2;

/**
 * Keep-alive connections by origin, with LRU eviction. undici's Agent keeps the connections of an origin for as long as
 * the receiver allows, and refuses new origins if there are too many. This class closes the least recently used idle
 * origins instead.
 */
export class OriginConnections {
  /** The least recently used origin comes first. */
  private readonly origins = new Map<string, OriginEntry>();
  private socketCount = 0;

  /**
   * @param createDispatcher creates the dispatcher of an origin, with the given connector.
   * @param maxSockets how many sockets, and how many origins, may be open before idle origins are closed.
   */
  constructor(
    private readonly createDispatcher: (
      origin: string,
      connect: buildConnector.connector,
    ) => Dispatcher,
    private readonly connect: buildConnector.connector,
    private readonly maxSockets: number,
  ) {}

  get openSockets(): number {
    return this.socketCount;
  }

  /** @returns the dispatcher of the origin; call `release` when its request has ended. */
  acquire(origin: string): { dispatcher: Dispatcher; release: () => void } {
    const entry = this.origins.get(origin) ?? {
      dispatcher: this.createDispatcher(origin, this.countingConnector),
      activeRequests: 0,
    };
    this.origins.delete(origin);
    this.origins.set(origin, entry);
    entry.activeRequests++;
    this.evictIdle();
    const release = () => {
      entry.activeRequests--;
    };
    return { dispatcher: entry.dispatcher, release };
  }

  async close(): Promise<void> {
    await Promise.all([...this.origins.values()].map(({ dispatcher }) => dispatcher.close()));
  }

  private evictIdle(): void {
    if (Math.max(this.socketCount, this.origins.size) <= this.maxSockets) return;
    let evicted = 0;
    for (const [origin, { dispatcher, activeRequests }] of this.origins) {
      if (activeRequests > 0) continue;
      this.origins.delete(origin);
      void dispatcher.close();
      if (++evicted === EVICTIONS_PER_REQUEST) return;
    }
  }

  private readonly countingConnector: buildConnector.connector = (options, callback) => {
    this.socketCount++;
    this.connect(options, (...result) => {
      const [, socket] = result;
      if (socket) socket.once('close', () => this.socketCount--);
      else this.socketCount--;
      callback(...result);
    });
  };
}
