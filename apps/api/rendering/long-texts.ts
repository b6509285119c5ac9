import { runInSlices } from '#database';
import { JsonText } from '#documents';

// JSON.stringify takes up to 12 ns for each character, so that this many take 0.2 ms, and a long HTML takes 100 ms.
const CHARACTERS_BETWEEN_CHECKPOINTS = 16_000;

/** The response with its long texts written as JSON, so that the rest is serialised without blocking the event loop. */
export async function withLongTextsAsJson<Response extends object>(
  response: Response,
): Promise<Response> {
  const result: Response = { ...response };
  for (const [name, value] of Object.entries(response)) {
    if (typeof value !== 'string' || value.length <= CHARACTERS_BETWEEN_CHECKPOINTS) continue;
    Object.assign(result, { [name]: new JsonText(await runInSlices(jsonOf(value))) });
  }
  return result;
}

function* jsonOf(text: string): Generator<void, Buffer> {
  const parts = [Buffer.from('"')];
  let start = 0;
  while (start < text.length) {
    let end = start + CHARACTERS_BETWEEN_CHECKPOINTS;
    // Half of a surrogate pair would be written as an escape. Together, the pair is a code point above 0xffff.
    if ((text.codePointAt(end - 1) ?? 0) > 0xffff) end++;
    parts.push(Buffer.from(JSON.stringify(text.slice(start, end)).slice(1, -1)));
    start = end;
    yield;
  }
  parts.push(Buffer.from('"'));
  return Buffer.concat(parts);
}
