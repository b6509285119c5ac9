import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodes, type ErrorCode } from '#errors';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
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

/** Those whose answers are not sent yet, and the last one. A client may send several before the first answer. */
const exchanges = new WeakMap<Socket, Exchange[]>();

/** Takes note of a request whose head has come. */
export function noteExchange(request: IncomingMessage, response: ServerResponse): void {
  const unfinished = (exchanges.get(request.socket) ?? []).filter((each) => !isFinished(each));
  exchanges.set(request.socket, [...unfinished, { request, response }]);
}

/**
 * Answers what is no HTTP at all, has too much in its headers or does not end: it never becomes a request
 * that Fastify sees. No earlier request on the connection may take that for its own answer: it may have
 * had its effect.
 */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  const known = exchanges.get(socket) ?? [];
  const last = known.at(-1);
  const pending = known.findLast((each) => isBegun(each) && !isFinished(each));
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy();
  else if (pending) pending.response.once('finish', () => socket.destroySoon());
  else if (last && isBegun(last) && !last.request.complete) socket.destroy();
  else refuse(error, socket);
}

/** Whether it may have had an effect, or has its answer: all of it is there, or was not waited for. */
const isBegun = ({ request, response }: Exchange) => request.complete || response.headersSent;
const isFinished = ({ response }: Exchange) => response.writableFinished;

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
