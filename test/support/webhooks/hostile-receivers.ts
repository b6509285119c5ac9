import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { generate } from 'selfsigned';

type Behaviour = (socket: Socket, requests: number) => void;

const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const head = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const EMPTY = 'content-length: 0';

/** What a receiver does with a request, by the kind of receiver. */
const onRequest: Record<string, Behaviour> = {
  'hangs after accepting the connection': () => undefined,
  'sends a byte a second': (socket) => {
    const bytes = head('200 OK', EMPTY);
    let sent = 0;
    const timer = setInterval(() => socket.write(bytes.charAt(sent++)), 1_000);
    socket.once('close', () => clearInterval(timer));
  },
  'responds with an endless body': (socket) => {
    socket.write(head('200 OK', 'content-type: text/plain'));
    const more = () => {
      while (!socket.destroyed && socket.write(CHUNK));
    };
    socket.on('drain', more);
    more();
  },
  'responds with a gzip bomb': (socket) => {
    socket.write(head('200 OK', 'content-encoding: gzip', `content-length: ${BOMB.length}`));
    socket.write(BOMB);
  },
  'responds with 1 MB of headers': (socket) => {
    socket.write(head('200 OK', ...Array.from({ length: 1_000 }, () => `x: ${'y'.repeat(1_000)}`)));
  },
  'closes in the middle of its response': (socket) => {
    socket.write(head('200 OK', 'content-length: 100') + 'only this');
    setImmediate(() => socket.destroy());
  },
  'alternates between 2xx and 5xx': (socket, requests) => {
    socket.write(head(requests % 2 === 1 ? '500 Oops' : '200 OK', EMPTY));
  },
  'closes without a response': (socket) => {
    socket.destroy();
  },
  'responds with something other than HTTP': (socket) => {
    socket.end('SSH-2.0-OpenSSH_9.2\r\n');
  },
};

const onConnection: Record<string, (socket: Socket) => void> = {
  'responds before the request': (socket) => {
    socket.write(head('200 OK', EMPTY));
  },
};

export const hostileKinds = [
  ...Object.keys(onRequest),
  ...Object.keys(onConnection),
  'redirects to a metadata service',
  'has the certificate of another name',
];

/** A receiver that misbehaves. */
export class HostileReceiver {
  requests = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly kind: string,
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param forbidden the URL to which the receiver redirects. */
  static async start(kind: string, forbidden: string): Promise<HostileReceiver> {
    const isTls = kind === 'has the certificate of another name';
    const accept = (socket: Socket) => {
      receiver.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => receiver.sockets.delete(socket));
      onConnection[kind]?.(socket);
      socket.on('data', (data) => {
        // A request may arrive in several parts, of which only the first part counts.
        if (!data.toString('latin1').startsWith('POST ')) return;
        receiver.requests++;
        if (kind === 'redirects to a metadata service') {
          socket.write(head('302 Found', `location: ${forbidden}`, EMPTY));
        }
        onRequest[kind]?.(socket, receiver.requests);
      });
    };
    const server = isTls ? createTlsServer(await certificate(), accept) : createServer(accept);
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new HostileReceiver(
      kind,
      server,
      isTls ? `https://localhost:${port}/` : `http://127.0.0.1:${port}/`,
    );
    return receiver;
  }

  stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

let made: Promise<{ key: string; cert: string }> | undefined;

const certificate = () =>
  (made ??= generate([{ name: 'commonName', value: 'elsewhere.example' }]).then((pems) => ({
    key: pems.private,
    cert: pems.cert,
  })));
