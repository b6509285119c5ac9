import { request } from 'node:http';

/** Requests that an attacker sends again and again. */
export interface Requests {
  url: string;
  token: string;
  method: 'GET' | 'POST';
  body?: string;
  /** How many at once. */
  count: number;
  /** Whether responses are read, and each request is sent again after its response. */
  readsResponses: boolean;
}

// Galley's refusals have this `Retry-After`.
const RETRY_AFTER_MS = 1_000;

/** Sends requests in a process of its own: what they take here must not count as latency of the victim. */
process.once('message', (requests: Requests) => {
  for (let each = 0; each < requests.count; each++) send(requests);
});

function send(requests: Requests): void {
  const { url, token, method, body, readsResponses } = requests;
  const headers: Record<string, string | number> = { authorization: `Bearer ${token}` };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = Buffer.byteLength(body);
  }
  const again = () => readsResponses && setTimeout(() => send(requests), RETRY_AFTER_MS);
  const sent = request(url, { method, headers, agent: false }, (response) => {
    if (readsResponses) response.resume();
    else response.pause();
  });
  // Some requests are refused before their bodies are read.
  sent.on('error', () => undefined);
  sent.once('close', again);
  sent.end(body);
}
