import type { IncomingMessage } from 'node:http';

export interface MinUploadRate {
  /** How long a body may take at any rate. */
  graceMs: number;
  /** The average rate, in bytes per second, at which a body must arrive after `graceMs`. */
  bytesPerSecond: number;
  /** For large bodies, the rate at which the whole body arrives in this time. */
  wholeBodyMs: number;
}

/**
 * `wholeBodyMs` is the time limit of a whole request, so a large body is refused early only at a rate at
 * which it could not arrive in time.
 */
export const MIN_UPLOAD_RATE: MinUploadRate = {
  graceMs: 5_000,
  bytesPerSecond: 16 * 1024,
  wholeBodyMs: 30_000,
};

/**
 * Calls `refuse` if a body arrives too slowly: its memory is reserved, and other requests may wait for it.
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
    // Until the request is complete, its connection carries nothing else.
    const allowedMs = graceMs + (socket.bytesRead - bytesReadAtStart) / minBytesPerMs;
    const remainingMs = startedAt + allowedMs - performance.now();
    if (remainingMs <= 0) refuse();
    // Not a timer for each byte that arrives.
    else timer = setTimeout(check, Math.max(remainingMs, graceMs / 10));
  };
  check();
  return () => {
    clearTimeout(timer);
  };
}
