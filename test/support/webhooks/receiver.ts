import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Notification {
  headers: IncomingHttpHeaders;
  /** The raw body, as it was signed. */
  body: string;
  receivedAt: number;
  socket: Socket;
}

/** Decides how to respond to a notification. The first notification has the `count` 1. */
export type Reaction = (notification: Notification, count: number) => Reply | Promise<Reply>;

type Reply = number | { status: number; headers: Record<string, string> };

/** A subscriber's receiver: a real HTTP server that stores the notifications it receives. */
export class Receiver {
  readonly received: Notification[] = [];
  /** The open connections. */
  readonly sockets = new Set<Socket>();
  reaction: Reaction = () => 204;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
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
        receiver.received.push(notification);
        const reaction = receiver.reaction(notification, receiver.received.length);
        void Promise.resolve(reaction).then((reply) => {
          if (typeof reply === 'number') response.writeHead(reply).end();
          else response.writeHead(reply.status, reply.headers).end();
        });
      });
    });
    server.on('connection', (socket) => {
      receiver.sockets.add(socket);
      socket.once('close', () => receiver.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `http://127.0.0.1:${port}/webhooks`);
    return receiver;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
