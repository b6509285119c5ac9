import { isUtf8 } from 'node:buffer';
import { JsonText } from '#database';
import { DomainError } from '#errors';
import secureJsonParse from 'secure-json-parse';
import { scanObject } from './json-scan.js';

const MAX_NESTING = 64;

/** A document of a request: its bytes, which are stored, and its value, which is checked. */
export class ParsedJson extends JsonText {
  constructor(
    bytes: Buffer,
    readonly value: unknown,
  ) {
    super(bytes);
  }
}

/**
 * Parses a request's body. The `content` of a template or module is kept as the text that was sent,
 * since that is what will be given back.
 * @throws DomainError `invalid` for what is not JSON, or cannot be stored or handled safely.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalid('The body must be JSON in UTF-8.');
  const text = bytes.toString('utf8');
  const body = parse(text);
  const { depth, member } = scanObject(bytes, 'content');
  if (depth > MAX_NESTING) {
    throw invalid(`The body is nested ${depth} levels deep; ${MAX_NESTING} are allowed.`);
  }
  if (mayHoldBadText.test(text)) refuseBadText(body);
  if (member !== undefined && isRecord(body)) {
    body['content'] = new ParsedJson(member, body['content']);
  }
  return body;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    // Refuses `__proto__`, which is harmless here but an attack on whoever merges the document.
    return secureJsonParse.parse(text, undefined, { protoAction: 'error' }) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(`The body is not valid JSON: ${reason}`);
  }
}

// PostgreSQL cannot hold NUL in text, and half a surrogate pair is no character. Both can only be
// written as escapes in valid UTF-8, so a body without such an escape needs no closer look.
const mayHoldBadText = /\\u(?:0000|d[89a-f])/i;

/** Not recursive: it is reached by bodies of any shape up to the nesting limit. */
function refuseBadText(body: unknown): void {
  const open = [body];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') refuseBadString(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      refuseBadString(key);
      open.push(item ?? 0);
    }
  }
}

function refuseBadString(text: string): void {
  if (!isStorable(text)) {
    throw invalid('The body holds a NUL character or half of a surrogate pair; leave it out.');
  }
}

/** Whether PostgreSQL can hold the text as it is. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const invalid = (message: string) => new DomainError('invalid', message);
