import { isUtf8 } from 'node:buffer';
import { JsonText } from '#database';
import { DomainError } from '#errors';
import { JsonReader } from './json-reader.js';

/** How many operations a batch may have, and what is said where it has none or more. */
export const MAX_OPERATIONS = 1_000;
export const NOT_OPERATIONS = `must be a list of 1 to ${MAX_OPERATIONS} operations`;

/** More than any valid request has beside its documents, and parsed in a few milliseconds at the worst. */
export const MAX_FIELDS_BYTES = 128 * 1024;
// The same of all operations of a batch. Parsed, the fields may take twenty times as much memory.
const MAX_BATCH_FIELDS_BYTES = 4 * 1024 * 1024;
// Longer than any colour, escapes included.
const MAX_VALUE_BYTES = 128;

/** The parts of a document that are checked, as far as they have the types of the specification. */
export interface Outline {
  styles?: Record<string, unknown> | undefined;
  /** `stripes` is an array, and an element of it is no object. */
  hasOddStripe?: boolean;
}

/** A document of a request: its bytes, which are stored, and what of it is checked. */
export class ReceivedDocument extends JsonText {
  /** @param outline undefined if it is no object. */
  constructor(
    bytes: Buffer,
    readonly outline: Outline | undefined,
  ) {
    super(bytes);
  }
}

/**
 * Reads a request's body. The `content` of a template or module is checked, but not parsed: it is kept as
 * the text that was sent, since that is what will be given back. Yields where it may be interrupted.
 * @param maxNesting how many levels of objects and arrays there may be, one in another.
 * @throws DomainError `invalid` for what is not JSON, or cannot be stored or handled safely.
 */
export function* readBody(bytes: Buffer, maxNesting: number): Generator<void, unknown> {
  if (bytes.length === 0) return undefined;
  const reader = readerOf(bytes, maxNesting);
  const body = yield* readResource(reader, bytes, 'The body', Infinity);
  reader.end();
  return body;
}

/**
 * The same for a batch, whose operations have a `content` each, as deep as a single one may be.
 * @param maxDocumentBytes how large a single one may be.
 */
export function* readBatchBody(
  bytes: Buffer,
  maxNesting: number,
  maxDocumentBytes: number,
): Generator<void, unknown> {
  if (bytes.length === 0) return undefined;
  const reader = readerOf(bytes, maxNesting + 2);
  const body = yield* readApart(reader, bytes, 'The body', 'operations', function* () {
    if (!reader.enterArray()) {
      yield* reader.skip();
      return null;
    }
    const operations: unknown[] = [];
    let fieldsBytes = 0;
    const count = (size: number) => {
      fieldsBytes += size;
      if (fieldsBytes <= MAX_BATCH_FIELDS_BYTES) return;
      const message = `must not be larger than ${MAX_BATCH_FIELDS_BYTES} bytes without their \`content\``;
      throw new DomainError('invalid', `operations ${message}.`, [{ path: 'operations', message }]);
    };
    while (reader.hasElement()) {
      if (operations.length === MAX_OPERATIONS) {
        const message = `operations ${NOT_OPERATIONS}`;
        throw new DomainError('invalid', `${message}.`, [{ path: 'operations', message }]);
      }
      const place = `operations.${operations.length}`;
      operations.push(yield* readResource(reader, bytes, place, maxDocumentBytes, count));
      // Nothing is skipped in operations that are empty.
      if (reader.isAtCheckpoint) {
        reader.pass();
        yield;
      }
    }
    return operations;
  });
  reader.end();
  return body;
}

function readerOf(bytes: Buffer, maxNesting: number): JsonReader {
  if (!isUtf8(bytes)) throw new DomainError('invalid', 'The body must be JSON in UTF-8.');
  return new JsonReader(bytes, maxNesting);
}

const readResource = (
  reader: JsonReader,
  bytes: Buffer,
  place: string,
  maxDocumentBytes: number,
  count?: (fieldsBytes: number) => void,
): Generator<void, unknown> => {
  function* readContent() {
    const start = reader.at;
    const outline = yield* readOutline(reader, bytes);
    if (reader.at - start > maxDocumentBytes) {
      const path = `${place}.content`;
      throw DomainError.invalid(path, `${path} is larger than ${maxDocumentBytes} bytes`);
    }
    return new ReceivedDocument(bytes.subarray(start, reader.at), outline);
  }
  return readApart(reader, bytes, place, 'content', readContent, count);
};

/**
 * Parses an object but for one member, which `read` reads. If a name is there twice, the last one counts, as
 * it does for JSON.parse. Anything but an object becomes null.
 * @param count is told the size of what is to be parsed, and throws if that is too much.
 */
function* readApart(
  reader: JsonReader,
  bytes: Buffer,
  place: string,
  apart: string,
  read: () => Generator<void, unknown>,
  count?: (fieldsBytes: number) => void,
): Generator<void, unknown> {
  let start = reader.at;
  let text = '';
  let value: unknown;
  if (!reader.enterObject()) {
    yield* reader.skip();
    return null;
  }
  for (;;) {
    const name = reader.nextName();
    // Also behind the last member: white space is parsed like all else.
    if (text.length + reader.at - start > MAX_FIELDS_BYTES) {
      const message = `${place} is larger than ${MAX_FIELDS_BYTES} bytes without its \`${apart}\``;
      throw new DomainError('invalid', `${message}.`);
    }
    if (name === undefined) break;
    if (name === apart) {
      text += `${bytes.toString('utf8', start, reader.at)}null`;
      value = yield* read();
      start = reader.at;
    } else if (!reader.skipAtOnce()) yield* reader.skipTheRest();
  }
  count?.(text.length + reader.at - start);
  const record = JSON.parse(text + bytes.toString('utf8', start, reader.at)) as object;
  return value === undefined ? record : { ...record, [apart]: value };
}

const STYLES = new Set(['contentWidth', 'backgroundColor', 'fontFamily']);

function* readOutline(reader: JsonReader, bytes: Buffer): Generator<void, Outline | undefined> {
  if (!reader.enterObject()) {
    yield* reader.skip();
    return undefined;
  }
  const outline: Outline = {};
  for (let name = reader.nextName(); name !== undefined; name = reader.nextName()) {
    if (name === 'styles') {
      outline.styles = undefined;
      if (reader.enterObject()) outline.styles = yield* readStyles(reader, bytes);
      else yield* reader.skip();
    } else if (name === 'stripes') {
      outline.hasOddStripe = false;
      if (reader.enterArray()) outline.hasOddStripe = yield* hasOddElement(reader);
      else yield* reader.skip();
    } else if (!reader.skipAtOnce()) yield* reader.skipTheRest();
    // Nothing is skipped in `styles` or `stripes` if they are empty.
    if (reader.isAtCheckpoint) {
      reader.pass();
      yield;
    }
  }
  return outline;
}

function* readStyles(reader: JsonReader, bytes: Buffer): Generator<void, Record<string, unknown>> {
  const styles: Record<string, unknown> = {};
  for (let name = reader.nextName(); name !== undefined; name = reader.nextName()) {
    const start = reader.at;
    if (!reader.skipAtOnce()) yield* reader.skipTheRest();
    if (STYLES.has(name)) styles[name] = shortValue(bytes.subarray(start, reader.at));
  }
  return styles;
}

function* hasOddElement(reader: JsonReader): Generator<void, boolean> {
  let hasOdd = false;
  while (reader.hasElement()) {
    if (!reader.isAtObject) hasOdd = true;
    if (!reader.skipAtOnce()) yield* reader.skipTheRest();
  }
  return hasOdd;
}

/** The value of a JSON text if that is short, and else one of the same type. */
function shortValue(json: Buffer): unknown {
  if (json.length <= MAX_VALUE_BYTES) return JSON.parse(json.toString()) as unknown;
  if (json[0] === 0x22) return '';
  return json[0] === 0x7b || json[0] === 0x5b ? {} : 0;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether PostgreSQL can hold the text as it is. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
