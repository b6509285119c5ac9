import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy in front of PostgreSQL or Redis that can be cut, and can fall silent. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private state: 'open' | 'silent' | 'cut' = 'open';

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(serverUrl: string): Promise<TcpProxy> {
    const { hostname, port, protocol } = new URL(serverUrl);
    const upstreamPort = Number(port || (protocol === 'redis:' ? 6379 : 5432));
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(serverUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = new TcpProxy(server, url.href);
    server.on('connection', (client) => proxy.relay(client, connect(upstreamPort, hostname)));
    return proxy;
  }

  /** Existing and new connections fail. */
  cut(): void {
    this.state = 'cut';
    for (const socket of this.sockets) socket.destroy();
  }

  /** Stops all data in both directions, without an error. */
  silence(): void {
    this.state = 'silent';
  }

  /** Closes existing connections; new connections work again. */
  restore(): void {
    this.cut();
    this.state = 'open';
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(client: Socket, upstream: Socket): void {
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(one);
      one.on('data', (data) => {
        if (this.state === 'open') other.write(data);
      });
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
    if (this.state === 'cut') client.destroy();
  }
}
