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
const NO_HTTP: Refusal = { code: 'invalid', message: 'The request is not valid HTTP.' };
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: errorCodes.headers_too_large.message,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'timeout', message: errorCodes.timeout.message },
};

/** How many requests of one connection are at work. Others wait, and meanwhile nothing is read from it. */
export const MAX_UNANSWERED = 16;

const connections = new WeakMap<Socket, Connection>();

/** The requests of a connection. A client may send several before it gets the first response. */
class Connection {
  last: Exchange | undefined;
  /** In the order of their arrival, which is that of their responses. */
  private readonly unanswered: Exchange[] = [];
  private atWork = 0;
  private isHeldBack = false;

  constructor(private readonly socket: Socket) {}

  add(exchange: Exchange): void {
    this.last = exchange;
    this.unanswered.push(exchange);
    exchange.response.once('finish', () => {
      this.unanswered.shift();
      this.atWork--;
      if (this.isHeldBack) setImmediate(() => this.goOn());
    });
    if (this.isHeldBack) return;
    if (this.atWork < MAX_UNANSWERED) this.startNext();
    else this.holdBack();
  }

  findLast(isWanted: (exchange: Exchange) => boolean): Exchange | undefined {
    return this.unanswered.findLast(isWanted);
  }

  private startNext(): void {
    this.unanswered[this.atWork++]?.start();
  }

  /** What had been read already may be up to 64 KiB, which are some 2,000 requests. */
  private holdBack(): void {
    this.isHeldBack = true;
    this.socket.pause();
    this.socket.on('resume', this.pauseAgain);
  }

  /** One request in each turn of the event loop, so that others are served as well. */
  private goOn(): void {
    if (!this.isHeldBack || this.socket.destroyed) return;
    this.startNext();
    if (this.atWork < this.unanswered.length) return;
    this.isHeldBack = false;
    this.socket.off('resume', this.pauseAgain);
    this.socket.resume();
  }

  /** Node resumes the socket whenever it is done with a request. */
  private readonly pauseAgain = () => {
    this.socket.pause();
  };
}

/**
 * Stands between a server and its handler: limits the requests of each connection that are at work, and hands
 * on what the server would answer by itself to requests with an `Expect` header.
 */
export function watchConnections(server: Server): void {
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
 * Answers what is no HTTP at all, has too much in its headers or does not end: it never becomes a request
 * that Fastify sees. No earlier request on the connection may take that for its own answer: it may have
 * had its effect.
 */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  const connection = connections.get(socket);
  const last = connection?.last;
  const pending = connection?.findLast(isBegun);
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy();
  else if (pending) pending.response.once('finish', () => socket.destroySoon());
  else if (last && isBegun(last) && !last.request.complete) socket.destroy();
  else refuse(error, socket);
}

/** Whether it may have had an effect, or has its answer: all of it is there, or was not waited for. */
const isBegun = ({ request, response }: Exchange) => request.complete || response.headersSent;

function refuse(error: Error & { code?: string }, socket: Socket): void {
  const { code, message } = REFUSALS[error.code ?? ''] ?? NO_HTTP;
  const statusCode = errorCodes[code].status;
  const body = JSON.stringify({ statusCode, code, message });
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n` +
      `${REQUEST_ID}: ${randomUUID()}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  );
}
