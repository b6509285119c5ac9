import { isUtf8 } from 'node:buffer';
import { JsonText } from '#database';
import { DomainError } from '#errors';
import secureJsonParse from 'secure-json-parse';
import { EACH, scanJson, type Path } from './json-scan.js';

/** How many operations a batch may have, and what is said where it has none or more. */
export const MAX_OPERATIONS = 1_000;
export const NOT_OPERATIONS = `must be a list of 1 to ${MAX_OPERATIONS} operations`;

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
 * @param maxNesting how many levels of objects and arrays there may be, one in another.
 * @throws DomainError `invalid` for what is not JSON, or cannot be stored or handled safely.
 */
export function parseJsonBody(bytes: Buffer, maxNesting: number): unknown {
  const { body, found } = read(bytes, ['content'], maxNesting);
  keepContent(body, found[0]);
  return body;
}

/**
 * The same for a batch, whose operations have a `content` each, as deep as a single one may be.
 * @param maxDocumentBytes how large a single one may be.
 */
export function parseBatchBody(
  bytes: Buffer,
  maxNesting: number,
  maxDocumentBytes: number,
): unknown {
  const path: Path = ['operations', EACH, 'content'];
  const { body, found } = read(bytes, path, maxNesting + path.length - 1);
  const operations: unknown = isRecord(body) ? body['operations'] : undefined;
  if (!Array.isArray(operations)) return body;
  for (const [at, operation] of operations.entries()) {
    if ((found[at]?.length ?? 0) > maxDocumentBytes) {
      const place = `operations.${at}.content`;
      throw DomainError.invalid(place, `${place} is larger than ${maxDocumentBytes} bytes`);
    }
    keepContent(operation, found[at]);
  }
  return body;
}

function read(bytes: Buffer, path: Path, maxNesting: number): { body: unknown; found: Buffer[] } {
  if (bytes.length === 0) return { body: undefined, found: [] };
  if (!isUtf8(bytes)) throw invalid('The body must be JSON in UTF-8.');
  // Before it is parsed, which takes seconds and a gigabyte for the worst of what is refused here.
  const limits = { depth: maxNesting, elements: MAX_OPERATIONS };
  const { exceeded, found } = scanJson(bytes, path, limits);
  if (exceeded === 'depth') {
    throw invalid(`The body is nested more than ${maxNesting} levels deep.`);
  }
  if (exceeded === 'elements') {
    const message = `operations ${NOT_OPERATIONS}`;
    throw new DomainError('invalid', `${message}.`, [{ path: 'operations', message }]);
  }
  const text = bytes.toString('utf8');
  const body = parse(text);
  if (holdsBadText(text)) {
    throw invalid('The body holds a NUL character or half of a surrogate pair; leave it out.');
  }
  return { body, found };
}

function keepContent(holder: unknown, bytes: Buffer | undefined): void {
  if (bytes !== undefined && isRecord(holder)) {
    holder['content'] = new ParsedJson(bytes, holder['content']);
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// In the words of secure-json-parse.
const FORBIDDEN = 'Object contains forbidden prototype property';

function parse(text: string): unknown {
  try {
    // Refuses `__proto__`, which is harmless here but an attack on whoever merges the document.
    return secureJsonParse.parse(text, undefined, { protoAction: 'error' }) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalid(
      reason === FORBIDDEN
        ? 'The body has a field `__proto__`, or `prototype` in a `constructor`; leave it out.'
        : `The body is not valid JSON: ${reason}`,
    );
  }
}

// PostgreSQL cannot hold NUL in text, and half a surrogate pair is no character. Both can only be
// written as escapes in valid UTF-8, so a body without such an escape needs no closer look.
const MAY_HOLD_BAD_TEXT = /\\u(?:0000|d[89a-f])/i;
// Every escape in its turn, since the second half of an escaped backslash begins none.
const ESCAPE = /\\(?:ud[89ab]..\\ud[c-f]..|(u0000|ud[89a-f])|.)/gi;

function holdsBadText(json: string): boolean {
  if (!MAY_HOLD_BAD_TEXT.test(json)) return false;
  for (const [, bad] of json.matchAll(ESCAPE)) if (bad !== undefined) return true;
  return false;
}

/** Whether PostgreSQL can hold the text as it is. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const invalid = (message: string) => new DomainError('invalid', message);
