import { rm } from 'node:fs/promises';

export default async function tearDown() {
  const { dataDir, stop } = globalThis.__galleyStack;
  await stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
