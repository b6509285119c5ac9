import { parentPort, workerData } from 'node:worker_threads';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Observations, WatchedCallerOptions, WatchedRequest } from './watched-caller.ts';

const { url, token, requests } = workerData as WatchedCallerOptions;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const statuses = new Set<number>();
const waitsMs: number[] = [];
const over = new AbortController();
parentPort?.once('message', () => {
  over.abort();
});

async function send({ path, body }: WatchedRequest): Promise<void> {
  const startedAt = performance.now();
  const response = await fetch(url + path, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  statuses.add(response.status);
  waitsMs.push(performance.now() - startedAt);
}

parentPort?.postMessage('started');
const hasBegunStop = once(over.signal, 'abort');
let failure: string | undefined;
try {
  while (!over.signal.aborted) {
    await Promise.all(requests.map(send));
    // So that the caller stays below its rate limit.
    await delay(30);
  }
} catch (error) {
  failure = String(error);
}
await hasBegunStop;
parentPort?.postMessage({
  failure,
  statuses: [...statuses].sort(),
  waitsMs: waitsMs.sort((a, b) => a - b),
} satisfies Observations);
