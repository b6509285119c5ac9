/**
 * Repeats `runChunk` until a call processes fewer than `chunkSize` items. `runChunk` returns how many items
 * it processed.
 * @returns how many items were processed in all.
 */
export async function untilShortChunk(
  chunkSize: number,
  runChunk: () => Promise<number>,
): Promise<number> {
  let total = 0;
  for (let processed = chunkSize; processed === chunkSize; total += processed) {
    processed = await runChunk();
  }
  return total;
}
