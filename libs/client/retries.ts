type Send = (request: Request, init: RequestInit) => Promise<Response>;

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** Galley's rate limits reset within a minute. Longer waits are the caller's decision. */
const MAX_RETRY_AFTER_SECONDS = 60;

const RETRYABLE = new Set([408, 429, 502, 503, 504]);

/**
 * Adds retries to `send`, and a timeout to each attempt. Every request can be repeated: GET, HEAD, PUT and DELETE are
 * idempotent. A POST without an `Idempotency-Key` gets a key here, as in Stripe's clients. Galley ignores
 * the key where a repeated POST does no harm, such as a second test email.
 */
export function withRetries(send: Send, timeoutMs: number, maxRetries: number): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', createIdempotencyKey());
    }
    for (let retries = 0; ; retries++) {
      const isLastAttempt = retries >= maxRetries;
      let delayMs = backoffMs(retries);
      try {
        const response = await sendAttempt(send, request, timeoutMs);
        const seconds = parseRetryAfter(response) ?? 0;
        if (isLastAttempt || !isRetryable(response) || seconds > MAX_RETRY_AFTER_SECONDS)
          return response;
        delayMs += seconds * 1000;
      } catch (error) {
        if (isLastAttempt || request.signal.aborted) throw error;
      }
      await delay(delayMs, request.signal);
    }
  };
}

/**
 * Sends the request and reads the whole body of the response, because the connection can also break or stall in the
 * middle of the body.
 */
async function sendAttempt(send: Send, request: Request, timeoutMs: number): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  // Nothing keeps a reference to the new request, so Node.js may garbage-collect the request during `fetch`, and the
  // signal of the request would no longer abort `fetch`. Therefore, `fetch` also gets the signal directly.
  const response = await send(new Request(request.clone(), { signal }), { signal });
  const body = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  // A response with status 204 or 304 must not have a body, not even an empty one.
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

/** A 409 has `Retry-After` if the first request with this `Idempotency-Key` is still running. */
const isRetryable = (response: Response): boolean =>
  RETRYABLE.has(response.status) ||
  (response.status === 409 && response.headers.has('retry-after'));

/** A random delay between half and all of the exponential back-off, so that clients do not retry at the same time. */
const backoffMs = (retries: number): number =>
  Math.min(FIRST_BACKOFF_MS * 2 ** retries, MAX_BACKOFF_MS) * (0.5 + Math.random() / 2);

/** The number of seconds to wait before a retry. Galley sends a number; a proxy may send a date. */
export function parseRetryAfter(response: Response): number | undefined {
  const value = response.headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Avoids `crypto.randomUUID`, which browsers do not provide on pages loaded over plain HTTP. */
const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
