import { errorCodes, type FastifyRequest } from 'fastify';
import { clientDisconnectedError } from '../http/client-disconnect.js';

/**
 * Unlike Fastify's `parseAs: 'buffer'`, leaves the chunks separate, so that `joinBuffers` can join them in slices.
 * @param onEnd receives an error if the body is larger than its route allows, or if the client disconnects.
 */
export function collectChunks(
  { raw, headers, routeOptions: { bodyLimit } }: FastifyRequest,
  onEnd: (error: Error | undefined, chunks: Buffer[]) => void,
): void {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  const end = (error?: Error) => {
    raw.off('data', collect).off('end', end).off('error', abort);
    onEnd(error, chunks);
  };
  const abort = () => {
    end(clientDisconnectedError());
  };
  const collect = (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes <= bodyLimit) chunks.push(chunk);
    else end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  };
  if (Number(headers['content-length'] ?? 0) > bodyLimit) {
    onEnd(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), chunks);
    return;
  }
  raw.on('data', collect).on('end', end).on('error', abort);
}
