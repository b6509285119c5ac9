/*
 * Renders documents at a steady rate, until the process is stopped. In a process of its own, because the
 * responses are large, and the latency of other requests is measured meanwhile.
 */
import { emailDocument } from './content/documents.js';

/** What the parent process sends. */
export interface Renders {
  url: string;
  token: string;
  perSecond: number;
  bytes: number;
}

process.once('message', ({ url, token, perSecond, bytes }: Renders) => {
  let count = 0;
  setInterval(() => {
    // Each document is another one, so that none is cached.
    const content = { ...emailDocument(bytes), title: `Document ${process.pid} ${count++}` };
    void render(url, token, JSON.stringify({ content }));
  }, 1_000 / perSecond);
  process.send?.('started');
});

async function render(url: string, token: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.arrayBuffer();
  // The parent process sees that the child has ended.
  if (!response.ok) throw new Error(`The rendering got ${response.status}.`);
}
