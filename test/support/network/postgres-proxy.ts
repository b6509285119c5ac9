import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

// The latency of a database in another data centre. Messages that are sent within this time belong to one
// round trip.
const LATENCY_MS = 20;

/** How many round trips and statements some work costs. */
export interface QueryCost {
  roundTrips: number;
  /** Includes the statements that begin and end a transaction. */
  statements: number;
}

/** A proxy in front of PostgreSQL that adds latency, counts requests, can be cut, and can fall silent. */
export class PostgresProxy {
  private readonly sockets = new Set<Socket>();
  private cost: QueryCost = { roundTrips: 0, statements: 0 };
  private fatal: { text: string; cut: () => void } | undefined;

  private constructor(
    private readonly server: Server,
    readonly databaseUrl: string,
    /** Only connections with this `application_name` are counted. */
    private readonly applicationName: string,
  ) {}

  static async to(databaseUrl: string, applicationName: string, at = 0): Promise<PostgresProxy> {
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer().listen(at, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = new PostgresProxy(server, url.href, applicationName);
    server.on('connection', (client) => proxy.relay(client, connect(Number(port), hostname)));
    return proxy;
  }

  async measureCost(work: () => Promise<unknown>): Promise<QueryCost> {
    this.cost = { roundTrips: 0, statements: 0 };
    await work();
    return this.cost;
  }

  /**
   * Waits for the next connection that sends `text`, and cuts this connection after PostgreSQL has responded
   * and before the client receives the response.
   */
  loseResponseTo(text: string): Promise<void> {
    return new Promise((cut) => (this.fatal = { text, cut }));
  }

  /** Stops all data on existing connections, without an error. New connections work. */
  silence(): void {
    for (const socket of this.sockets) socket.pause();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private relay(client: Socket, postgres: Socket): void {
    // The first message of a connection names its application.
    let counted: boolean | undefined;
    let response: Buffer[] = [];
    let waiting = false;
    const statementsIn = statementCounter();
    let doomed: (() => void) | undefined;
    client.on('data', (data) => {
      counted ??= data.includes(this.applicationName);
      const statements = statementsIn(data);
      if (counted) this.cost.statements += statements;
      // A pool sends Terminate when it closes an idle connection. PostgreSQL does not respond to it, so it is
      // no round trip.
      if (counted && !waiting && data[0] !== TERMINATE) this.cost.roundTrips++;
      waiting = true;
      if (this.fatal !== undefined && data.includes(this.fatal.text)) {
        doomed = this.fatal.cut;
        this.fatal = undefined;
      }
      postgres.write(data);
    });
    postgres.on('data', (data) => {
      response.push(data);
      if (response.length > 1) return;
      setTimeout(() => {
        waiting = false;
        if (doomed === undefined) client.write(Buffer.concat(response));
        else client.destroy();
        doomed?.();
        response = [];
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

// https://www.postgresql.org/docs/current/protocol-message-formats.html
const TERMINATE = 'X'.charCodeAt(0);
const STATEMENTS = new Set(['E', 'Q'].map((type) => type.charCodeAt(0)));

/** Counts the messages of a connection that run a statement: Execute and Query. */
function statementCounter(): (data: Buffer) => number {
  // The first message of a connection has a length but no type.
  let typeLength = 0;
  let rest: Buffer = Buffer.alloc(0);
  return (data) => {
    let statements = 0;
    rest = Buffer.concat([rest, data]);
    while (rest.length >= typeLength + 4) {
      const length = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < length) break;
      if (typeLength > 0 && STATEMENTS.has(rest.readUInt8(0))) statements++;
      rest = rest.subarray(length);
      typeLength = 1;
    }
    return statements;
  };
}
