import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy in front of Redis that can be cut, and can fall silent. */
export class RedisProxy {
  private readonly sockets = new Set<Socket>();
  private state: 'open' | 'silent' | 'cut' = 'open';

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(redisUrl: string): Promise<RedisProxy> {
    const { hostname, port } = new URL(redisUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(redisUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const line = new RedisProxy(server, url.href);
    server.on('connection', (client) =>
      line.relay(client, connect(Number(port || 6379), hostname)),
    );
    return line;
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

  private relay(client: Socket, redis: Socket): void {
    for (const [one, other] of [
      [client, redis],
      [redis, client],
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
