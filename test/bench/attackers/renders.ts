/*
 * Renders expensive documents, one after the other for each API key, until the process is stopped. In a process of
 * its own, because the bodies are large, and the latency of another tenant is measured meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** What the parent process sends. */
export interface AttackerRenders {
  url: string;
  keys: readonly string[];
  /** How the content of the texts begins and what it repeats. */
  texts: { begins: string; repeats: string };
}

const MAX_CONTENT = 1_000_000;
const TEXT_LENGTH = 80_000;
const RETRY_AFTER_MS = 1_000;

process.once('message', ({ url, keys, texts }: AttackerRenders) => {
  keys.forEach((key, index) => void renderForever(url, key, index, texts));
});

async function renderForever(
  url: string,
  key: string,
  attacker: number,
  texts: AttackerRenders['texts'],
): Promise<never> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let count = 0; ; count++) {
    // Each document is another one, so that none is cached.
    const body = JSON.stringify({
      content: documentOf(`${attacker} ${count}`, texts),
      format: 'all',
    });
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (!response.ok) await delay(RETRY_AFTER_MS);
  }
}

function documentOf(title: string, { begins, repeats }: AttackerRenders['texts']): object {
  const content = begins + repeats.repeat((TEXT_LENGTH - begins.length) / repeats.length);
  const block = { type: 'text', props: { content } };
  const count = Math.floor(MAX_CONTENT / JSON.stringify(block).length);
  return {
    title,
    stripes: [{ containers: [{ blocks: Array.from({ length: count }, () => block) }] }],
  };
}
