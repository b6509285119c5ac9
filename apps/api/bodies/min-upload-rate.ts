import type { IncomingMessage } from 'node:http';

export interface MinUploadRate {
  /** No body is refused within this time, however slowly it arrives. */
  graceMs: number;
  /** The average rate, in bytes per second, at which a body must arrive after `graceMs`. */
  bytesPerSecond: number;
  /** Raises the required rate for a large body, so that the whole body takes at most this long (plus `graceMs`). */
  wholeBodyMs: number;
}

/**
 * `wholeBodyMs` equals the timeout for receiving a whole request. A large body is therefore refused early only if it
 * would exceed that timeout.
 */
export const MIN_UPLOAD_RATE: MinUploadRate = {
  graceMs: 5_000,
  bytesPerSecond: 16 * 1024,
  wholeBodyMs: 30_000,
};

/**
 * Calls `refuse` if a body arrives too slowly, because other requests may be waiting for the memory that the body has
 * reserved.
 * @returns a function that stops the check.
 */
export function enforceMinUploadRate(
  request: IncomingMessage,
  bytes: number,
  { graceMs, bytesPerSecond, wholeBodyMs }: MinUploadRate,
  refuse: () => void,
): () => void {
  const { socket } = request;
  const startedAt = performance.now();
  const bytesReadAtStart = socket.bytesRead;
  const minBytesPerMs = Math.max(bytesPerSecond / 1000, bytes / wholeBodyMs);
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    if (request.complete) return;
    // Until the request is complete, all bytes that its connection receives belong to this request.
    const allowedMs = graceMs + (socket.bytesRead - bytesReadAtStart) / minBytesPerMs;
    const remainingMs = startedAt + allowedMs - performance.now();
    if (remainingMs <= 0) refuse();
    // The delay has a minimum, so that a slow body does not cause a new timer for each byte.
    else timer = setTimeout(check, Math.max(remainingMs, graceMs / 10));
  };
  check();
  return () => {
    clearTimeout(timer);
  };
}
