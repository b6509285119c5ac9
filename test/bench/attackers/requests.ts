import { request } from 'node:http';

/** Requests that an attacker repeats. */
export interface Requests {
  url: string;
  token: string;
  method: 'GET' | 'POST';
  body?: string;
  /** The number of parallel requests. */
  count: number;
  /**
   * Whether the attacker reads the responses. If so, it repeats each request one second after the response.
   */
  readsResponses: boolean;
  /** Another pause than a second. */
  pauseMs?: number;
}

// The pause before a request is repeated. Most of Galley's refusals ask for this pause in `Retry-After`.
const RETRY_AFTER_MS = 1_000;

/**
 * Sends requests from a separate process, so that the time for sending does not count as the victim's
 * latency.
 */
process.once('message', (requests: Requests) => {
  for (let each = 0; each < requests.count; each++) send(requests);
});

function send(requests: Requests): void {
  const { url, token, method, body, readsResponses, pauseMs = RETRY_AFTER_MS } = requests;
  const headers: Record<string, string | number> = { authorization: `Bearer ${token}` };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = Buffer.byteLength(body);
  }
  const again = () => readsResponses && setTimeout(() => send(requests), pauseMs);
  const sent = request(url, { method, headers, agent: false }, (response) => {
    if (readsResponses) response.resume();
    else response.pause();
  });
  // If Galley refuses a request before reading its body, sending the rest of the body fails.
  sent.on('error', () => undefined);
  sent.once('close', again);
  sent.end(body);
}
