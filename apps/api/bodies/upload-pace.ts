import type { IncomingMessage } from 'node:http';

export interface UploadPace {
  /** How long a body may take whatever its pace is. */
  graceMs: number;
  /** Bytes that must arrive in each second after the grace, on average. */
  leastRate: number;
  /** The same for large bodies: the pace at which the whole body arrives in this time. */
  wholeMs: number;
}

/**
 * The last one is the time that a request has to arrive, so a large body is refused early only at a pace at
 * which it would not arrive in time anyway.
 */
export const UPLOAD_PACE: UploadPace = { graceMs: 5_000, leastRate: 16 * 1024, wholeMs: 30_000 };

/**
 * Calls `refuse` if the rest of a body arrives too slowly: its room is reserved, and others may wait for it.
 * @returns stops the watch.
 */
export function watchPace(
  request: IncomingMessage,
  bytes: number,
  { graceMs, leastRate, wholeMs }: UploadPace,
  refuse: () => void,
): () => void {
  const { socket } = request;
  const begun = performance.now();
  const before = socket.bytesRead;
  const bytesPerMs = Math.max(leastRate / 1000, bytes / wholeMs);
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    if (request.complete) return;
    // Until the request is complete its connection brings nothing else.
    const allowedMs = graceMs + (socket.bytesRead - before) / bytesPerMs;
    const leftMs = begun + allowedMs - performance.now();
    if (leftMs <= 0) refuse();
    // Not for each byte that arrives.
    else timer = setTimeout(check, Math.max(leftMs, graceMs / 10));
  };
  check();
  return () => {
    clearTimeout(timer);
  };
}
