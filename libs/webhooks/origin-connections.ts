import type { buildConnector, Dispatcher } from 'undici';

interface Origin {
  dispatcher: Dispatcher;
  requests: number;
}

// As many as a request opens at most, and one more, so that their number falls.
const EVICTED_AT_ONCE = 2;

/**
 * Connections that are kept alive, by origin. undici's Agent keeps an origin for as long as its
 * receiver likes, and refuses new origins when there are too many. Here the idle origins that were
 * used least recently are closed instead.
 */
export class OriginConnections {
  /** Least recently used first. */
  private readonly origins = new Map<string, Origin>();
  private sockets = 0;

  /**
   * @param open makes what connects to an origin, with the given connector.
   * @param most sockets, and origins, that may be open before idle origins are closed.
   */
  constructor(
    private readonly open: (origin: string, connect: buildConnector.connector) => Dispatcher,
    private readonly connect: buildConnector.connector,
    private readonly most: number,
  ) {}

  get openSockets(): number {
    return this.sockets;
  }

  /** @returns what sends requests to the origin, and is to be released when its request has ended. */
  acquire(origin: string): { dispatcher: Dispatcher; release: () => void } {
    const entry = this.origins.get(origin) ?? {
      dispatcher: this.open(origin, this.countingConnector),
      requests: 0,
    };
    this.origins.delete(origin);
    this.origins.set(origin, entry);
    entry.requests++;
    this.evictIdle();
    const release = () => {
      entry.requests--;
    };
    return { dispatcher: entry.dispatcher, release };
  }

  async close(): Promise<void> {
    await Promise.all([...this.origins.values()].map(({ dispatcher }) => dispatcher.close()));
  }

  private evictIdle(): void {
    if (Math.max(this.sockets, this.origins.size) <= this.most) return;
    let evicted = 0;
    for (const [origin, { dispatcher, requests }] of this.origins) {
      if (requests > 0) continue;
      this.origins.delete(origin);
      void dispatcher.close();
      if (++evicted === EVICTED_AT_ONCE) return;
    }
  }

  private readonly countingConnector: buildConnector.connector = (options, callback) => {
    this.sockets++;
    this.connect(options, (...result) => {
      const [, socket] = result;
      if (socket) socket.once('close', () => this.sockets--);
      else this.sockets--;
      callback(...result);
    });
  };
}
