import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

// As far away as a database in another data centre. What is sent meanwhile is the same round trip.
const LATENCY_MS = 20;

/** PostgreSQL behind a slow line that counts how often somebody waits for an answer. */
export class RoundTrips {
  private readonly sockets = new Set<Socket>();
  private count = 0;

  private constructor(
    private readonly server: Server,
    readonly databaseUrl: string,
    /** Only connections with this `application_name` count. */
    private readonly applicationName: string,
  ) {}

  static async to(databaseUrl: string, applicationName: string): Promise<RoundTrips> {
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const roundTrips = new RoundTrips(server, url.href, applicationName);
    server.on('connection', (client) => roundTrips.relay(client, connect(Number(port), hostname)));
    return roundTrips;
  }

  /** How many round trips `work` takes. */
  async of(work: () => Promise<unknown>): Promise<number> {
    this.count = 0;
    await work();
    return this.count;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(client: Socket, postgres: Socket): void {
    // The first message of a connection names its application.
    let counted: boolean | undefined;
    let answer: Buffer[] = [];
    let waiting = false;
    client.on('data', (data) => {
      counted ??= data.includes(this.applicationName);
      if (counted && !waiting) this.count++;
      waiting = true;
      postgres.write(data);
    });
    postgres.on('data', (data) => {
      answer.push(data);
      if (answer.length > 1) return;
      setTimeout(() => {
        waiting = false;
        client.write(Buffer.concat(answer));
        answer = [];
      }, LATENCY_MS);
    });
    for (const [one, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}
