import { joinBuffers, runInSlices } from '#time-slices';
import { JsonText } from '#json';

// JSON.stringify takes up to 12 ns per character: 0.2 ms for this many, and 100 ms for a large HTML document.
const CHARACTERS_BETWEEN_CHECKPOINTS = 16_000;

/** Serialises a response as JSON without blocking the event loop. The strings in the response may be long. */
export async function toJsonInSlices(response: object): Promise<JsonText> {
  return new JsonText(await runInSlices(jsonOf(response)));
}

function* jsonOf(response: object): Generator<void, Buffer> {
  const parts = [Buffer.from('{')];
  for (const [name, value] of Object.entries(response) as [string, unknown][]) {
    if (value === undefined) continue;
    parts.push(Buffer.from(`${parts.length === 1 ? '' : ','}${JSON.stringify(name)}:`));
    if (typeof value === 'string') yield* appendText(value, parts);
    else parts.push(Buffer.from(JSON.stringify(value)));
  }
  parts.push(Buffer.from('}'));
  return yield* joinBuffers(parts);
}

function* appendText(text: string, parts: Buffer[]): Generator<void> {
  parts.push(Buffer.from('"'));
  let start = 0;
  while (start < text.length) {
    let end = start + CHARACTERS_BETWEEN_CHECKPOINTS;
    // A slice must not split a surrogate pair, because JSON.stringify escapes an unpaired surrogate. At the first half
    // of a pair, `codePointAt` returns more than 0xffff.
    if ((text.codePointAt(end - 1) ?? 0) > 0xffff) end++;
    parts.push(Buffer.from(JSON.stringify(text.slice(start, end)).slice(1, -1)));
    start = end;
    yield;
  }
  parts.push(Buffer.from('"'));
}
