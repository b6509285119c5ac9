import { expect, it } from '@jest/globals';
import { runInSlices } from '#time-slices';
import { JsonText } from '#json';
import { extractText } from './extract-text.js';

const textOf = async (document: unknown) =>
  runInSlices(extractText(new JsonText(JSON.stringify(document))));

it.each(['<', '&', '"', '\\', 'a:', '{{', ' '])('handles many %j in linear time', async (part) => {
  const before = process.cpuUsage();
  await textOf([part.repeat(500_000), ...Array.from({ length: 1_000 }, () => part.repeat(300))]);
  const { user, system } = process.cpuUsage(before);
  // Quadratic time would take minutes. The test measures CPU time, because it may have to wait for a CPU.
  expect((user + system) / 1_000).toBeLessThan(5_000);
});
