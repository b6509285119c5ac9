import { randomUUID } from 'node:crypto';
import {
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { errorCodes, type ErrorCode } from '#errors';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  start: () => void;
}

interface Refusal {
  code: ErrorCode;
  message: string;
}

export const REQUEST_ID = 'x-request-id';
const INVALID_HTTP: Refusal = { code: 'invalid', message: 'The request is not valid HTTP.' };
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: errorCodes.headers_too_large.message,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'timeout', message: errorCodes.timeout.message },
};

/**
 * The maximum number of requests of one connection that are handled at the same time. At this limit, Galley stops
 * reading from the connection.
 */
export const MAX_CONCURRENT_REQUESTS = 16;

const connections = new WeakMap<Socket, Connection>();
const openSockets = new WeakMap<Server, Set<Socket>>();

/**
 * The requests of one connection. With pipelining, a client sends several requests before it receives the first
 * response.
 */
class Connection {
  latest: Exchange | undefined;
  /** Exchanges whose responses are not complete, in order of arrival. Responses are sent in the same order. */
  private readonly pending: Exchange[] = [];
  private running = 0;
  private isPaused = false;

  constructor(private readonly socket: Socket) {}

  add(exchange: Exchange): void {
    this.latest = exchange;
    this.pending.push(exchange);
    exchange.response.once('finish', () => {
      this.pending.shift();
      this.running--;
      if (this.isPaused) setImmediate(() => this.resumeNext());
    });
    if (this.isPaused) return;
    if (this.running < MAX_CONCURRENT_REQUESTS) this.startNext();
    else this.pause();
  }

  get isIdle(): boolean {
    return this.pending.length === 0;
  }

  findLastPending(predicate: (exchange: Exchange) => boolean): Exchange | undefined {
    return this.pending.findLast(predicate);
  }

  private startNext(): void {
    this.pending[this.running++]?.start();
  }

  /** By the time the socket is paused, it may have read 64 KiB: about 2,000 requests, which then wait in `pending`. */
  private pause(): void {
    this.isPaused = true;
    this.socket.pause();
    this.socket.on('resume', this.keepPaused);
  }

  /**
   * Starts the next waiting request, and resumes the socket when no request waits. Called with `setImmediate` after a
   * response, so that other connections are served in between.
   */
  private resumeNext(): void {
    if (!this.isPaused || this.socket.destroyed) return;
    this.startNext();
    if (this.running < this.pending.length) return;
    this.isPaused = false;
    this.socket.off('resume', this.keepPaused);
    this.socket.resume();
  }

  /** Pauses the socket again, because Node resumes it each time a request ends. */
  private readonly keepPaused = () => {
    this.socket.pause();
  };
}

/**
 * Wraps the request handlers of a server to limit how many requests of one connection are handled at the same time.
 * Requests with an `Expect` header also reach the handlers, because Node would otherwise respond to these requests by
 * itself.
 */
export function limitPipelining(server: Server): void {
  const sockets = new Set<Socket>();
  openSockets.set(server, sockets);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? new Connection(socket);
    connections.set(socket, connection);
    const start = () => {
      for (const handle of handlers) handle.call(server, request, response);
    };
    connection.add({ request, response, start });
  });
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (...exchange: unknown[]) => server.emit('request', ...exchange));
  }
}

/**
 * The open connections on which every response has been sent. Node's own list counts a connection without a
 * request as busy, and a connection whose response is still being sent as idle.
 */
export const idleSocketsOf = (server: Server): Socket[] =>
  [...(openSockets.get(server) ?? [])].filter((socket) => connections.get(socket)?.isIdle ?? true);

export const isLatestRequest = (request: IncomingMessage): boolean =>
  connections.get(request.socket)?.latest?.request === request;

/**
 * Responds to input that never reaches Fastify as a request, because it is not valid HTTP, has headers that are too
 * large, or does not arrive in time. A client must not mistake this response for the response to an earlier request on
 * the connection, because the earlier request may have taken effect.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  const connection = connections.get(socket);
  const latest = connection?.latest;
  const pending = connection?.findLastPending(mayHaveTakenEffect);
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy();
  else if (pending) pending.response.once('finish', () => socket.destroySoon());
  else if (latest && mayHaveTakenEffect(latest) && !latest.request.complete) socket.destroy();
  else writeErrorResponse(error, socket);
}

/**
 * A request can take effect before it is complete, because its handler may respond without waiting for the rest of the
 * body.
 */
const mayHaveTakenEffect = ({ request, response }: Exchange) =>
  request.complete || response.headersSent;

function writeErrorResponse(error: Error & { code?: string }, socket: Socket): void {
  const { code, message } = REFUSALS[error.code ?? ''] ?? INVALID_HTTP;
  const statusCode = errorCodes[code].status;
  const body = JSON.stringify({ statusCode, code, message });
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n` +
      `${REQUEST_ID}: ${randomUUID()}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  );
}
