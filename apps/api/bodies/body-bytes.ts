import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';
import { clientDisconnectedError } from '../http/client-disconnect.js';

// Reading pauses after each 64 KiB of a body. Most bodies are smaller and are read without a pause.
const UNPAUSED_BYTES = 64 * 1024;
// A connection delivers up to two chunks of 64 KiB at a time. Reading the chunks takes up to 0.4 ms, because the kernel
// must map new memory.
const BODIES_PER_ITERATION = 2;

/**
 * Collects the chunks of a body. Unlike Fastify's `parseAs: 'buffer'`, this function does not join the chunks, so that
 * `joinBuffers` can join them in slices.
 * @param onEnd receives an error if the body is larger than its route allows, or if the client disconnects.
 */
export function collectChunks(
  { raw, headers, routeOptions: { bodyLimit } }: FastifyRequest,
  onEnd: (error: Error | undefined, chunks: Buffer[]) => void,
): void {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let unpausedBytes = 0;
  const end = (error?: Error) => {
    raw.off('data', collect).off('end', end).off('error', abort);
    onEnd(error, chunks);
  };
  const abort = () => {
    end(clientDisconnectedError());
  };
  const collect = (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > bodyLimit) end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    else {
      chunks.push(chunk);
      unpausedBytes += chunk.length;
      if (unpausedBytes >= UNPAUSED_BYTES) {
        unpausedBytes = 0;
        readLater(raw);
      }
    }
  };
  if (Number(headers['content-length'] ?? 0) > bodyLimit) {
    onEnd(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), chunks);
    return;
  }
  raw.on('data', collect).on('end', end).on('error', abort);
}

const pausedBodies: IncomingMessage[] = [];

/**
 * Large bodies take turns: two of them are read in each iteration of the event loop. Otherwise, libuv would read up to
 * 2 MiB from each connection in one iteration.
 */
function readLater(body: IncomingMessage): void {
  body.pause();
  if (pausedBodies.push(body) === 1) setImmediate(readNext);
}

function readNext(): void {
  for (const body of pausedBodies.splice(0, BODIES_PER_ITERATION)) body.resume();
  if (pausedBodies.length > 0) setImmediate(readNext);
}
