import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Notification {
  headers: IncomingHttpHeaders;
  /** The raw body, as it is signed. */
  body: string;
  receivedAt: number;
  socket: Socket;
}

/** Answers the notification number `count` (from 1) with a status, and headers if need be. */
export type Reaction = (notification: Notification, count: number) => Answer | Promise<Answer>;

type Answer = number | { status: number; headers: Record<string, string> };

/** A subscriber's receiver: a real HTTP server that keeps what it was sent. */
export class Sink {
  readonly received: Notification[] = [];
  /** Those that are open. */
  readonly sockets = new Set<Socket>();
  reaction: Reaction = () => 204;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Sink> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const notification = {
          headers: request.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          receivedAt: Date.now(),
          socket: request.socket,
        };
        sink.received.push(notification);
        const reaction = sink.reaction(notification, sink.received.length);
        void Promise.resolve(reaction).then((answer) => {
          if (typeof answer === 'number') response.writeHead(answer).end();
          else response.writeHead(answer.status, answer.headers).end();
        });
      });
    });
    server.on('connection', (socket) => {
      sink.sockets.add(socket);
      socket.once('close', () => sink.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const sink = new Sink(server, `http://127.0.0.1:${port}/webhooks`);
    return sink;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
