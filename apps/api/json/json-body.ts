import { isUtf8 } from 'node:buffer';
import { JsonText } from '#json';
import { DomainError } from '#errors';
import { JsonReader } from './json-reader.js';

export const MAX_BATCH_OPERATIONS = 1_000;
export const INVALID_OPERATIONS_MESSAGE = `must be a list of 1 to ${MAX_BATCH_OPERATIONS} operations`;

/**
 * The maximum size of a body, or of one operation of a batch, without the documents. No valid request comes close to
 * this size, and parsing this much takes a few milliseconds at worst.
 */
export const MAX_FIELDS_BYTES = 128 * 1024;
// The maximum total size of the fields of a batch, without its documents. Once parsed, the fields can
// occupy twenty times their size in memory.
const MAX_BATCH_FIELDS_BYTES = 4 * 1024 * 1024;
// Longer values are not parsed. No valid colour is longer, even if all its characters are escaped.
const MAX_STYLE_VALUE_BYTES = 128;

/** The parts of a document that Galley checks: `styles` if it is an object, and `stripes` if it is an array. */
export interface DocumentOutline {
  styles?: Record<string, unknown> | undefined;
  /** Whether an element of the array `stripes` is not an object. */
  hasInvalidStripe?: boolean;
}

/** A document in a request: its bytes, which are stored, and its outline, which is checked. */
export class ReceivedDocument extends JsonText {
  /** @param outline undefined if the document is not an object. */
  constructor(
    bytes: Buffer,
    readonly outline: DocumentOutline | undefined,
  ) {
    super(bytes);
  }
}

/**
 * Parses the body of a request. The `content` of a template or module is checked but not parsed: Galley stores and
 * returns the text exactly as it was sent. Yields regularly, so that other requests can proceed.
 * @param maxNesting how deep objects and arrays may be nested.
 * @throws DomainError `invalid` if the text is not JSON, or cannot be stored or processed safely.
 */
export function* readBody(bytes: Buffer, maxNesting: number): Generator<void, unknown> {
  if (bytes.length === 0) return undefined;
  const reader = createReader(bytes, maxNesting);
  const body = yield* readResource(reader, bytes, 'The body', Infinity);
  reader.expectEnd();
  return body;
}

/**
 * Reads the body of a batch as `readBody` reads other bodies. The `content` of each operation may be nested as deep as
 * in a single request.
 * @param maxDocumentBytes the maximum size of one document.
 */
export function* readBatchBody(
  bytes: Buffer,
  maxNesting: number,
  maxDocumentBytes: number,
): Generator<void, unknown> {
  if (bytes.length === 0) return undefined;
  const reader = createReader(bytes, maxNesting + 2);
  const body = yield* readObjectWithMember(reader, bytes, 'The body', 'operations', function* () {
    if (!reader.enterArray()) {
      yield* reader.skip();
      return null;
    }
    const operations: unknown[] = [];
    let fieldsBytes = 0;
    const countFieldsBytes = (fieldBytes: number) => {
      fieldsBytes += fieldBytes;
      if (fieldsBytes <= MAX_BATCH_FIELDS_BYTES) return;
      const message = `must not be larger than ${MAX_BATCH_FIELDS_BYTES} bytes, not counting their \`content\``;
      throw new DomainError('invalid', `operations ${message}.`, [{ path: 'operations', message }]);
    };
    while (reader.nextElement()) {
      if (operations.length === MAX_BATCH_OPERATIONS) {
        const message = `operations ${INVALID_OPERATIONS_MESSAGE}`;
        throw new DomainError('invalid', `${message}.`, [{ path: 'operations', message }]);
      }
      const location = `operations.${operations.length}`;
      operations.push(
        yield* readResource(reader, bytes, location, maxDocumentBytes, countFieldsBytes),
      );
      // Reading an empty operation does not yield, so this loop must yield during a long run of empty operations.
      if (reader.hasPassedCheckpoint) {
        reader.setNextCheckpoint();
        yield;
      }
    }
    return operations;
  });
  reader.expectEnd();
  return body;
}

function createReader(bytes: Buffer, maxNesting: number): JsonReader {
  if (!isUtf8(bytes)) throw new DomainError('invalid', 'The body must be JSON in UTF-8.');
  return new JsonReader(bytes, maxNesting);
}

const readResource = (
  reader: JsonReader,
  bytes: Buffer,
  location: string,
  maxDocumentBytes: number,
  countFieldsBytes?: (fieldsBytes: number) => void,
): Generator<void, unknown> => {
  function* readContent() {
    const start = reader.offset;
    const outline = yield* readOutline(reader, bytes);
    if (reader.offset - start > maxDocumentBytes) {
      const path = `${location}.content`;
      throw DomainError.invalid(path, `${path} is larger than ${maxDocumentBytes} bytes`);
    }
    return new ReceivedDocument(bytes.subarray(start, reader.offset), outline);
  }
  return readObjectWithMember(reader, bytes, location, 'content', readContent, countFieldsBytes);
};

/**
 * Parses an object except for one member, which `readMember` reads. If a name occurs twice, the last occurrence counts,
 * as in JSON.parse. Anything other than an object becomes null.
 * @param countFieldsBytes receives the size of the object without the member, and throws if it is too large.
 */
function* readObjectWithMember(
  reader: JsonReader,
  bytes: Buffer,
  location: string,
  memberName: string,
  readMember: () => Generator<void, unknown>,
  countFieldsBytes?: (fieldsBytes: number) => void,
): Generator<void, unknown> {
  let start = reader.offset;
  let text = '';
  let memberValue: unknown;
  if (!reader.enterObject()) {
    yield* reader.skip();
    return null;
  }
  for (;;) {
    const name = reader.nextName();
    // The white space after the last member counts as well, because it is also parsed.
    if (text.length + reader.offset - start > MAX_FIELDS_BYTES) {
      const message = `${location} is larger than ${MAX_FIELDS_BYTES} bytes, not counting its \`${memberName}\``;
      throw new DomainError('invalid', `${message}.`);
    }
    if (name === undefined) break;
    if (name === memberName) {
      text += `${bytes.toString('utf8', start, reader.offset)}null`;
      memberValue = yield* readMember();
      start = reader.offset;
    } else if (!reader.trySkip()) yield* reader.skipRemaining();
  }
  countFieldsBytes?.(text.length + reader.offset - start);
  const fields = JSON.parse(text + bytes.toString('utf8', start, reader.offset)) as object;
  return memberValue === undefined ? fields : { ...fields, [memberName]: memberValue };
}

const STYLE_FIELDS = new Set(['contentWidth', 'backgroundColor', 'fontFamily']);

function* readOutline(
  reader: JsonReader,
  bytes: Buffer,
): Generator<void, DocumentOutline | undefined> {
  if (!reader.enterObject()) {
    yield* reader.skip();
    return undefined;
  }
  const outline: DocumentOutline = {};
  for (let name = reader.nextName(); name !== undefined; name = reader.nextName()) {
    if (name === 'styles') {
      outline.styles = undefined;
      if (reader.enterObject()) outline.styles = yield* readStyles(reader, bytes);
      else yield* reader.skip();
    } else if (name === 'stripes') {
      outline.hasInvalidStripe = false;
      if (reader.enterArray()) outline.hasInvalidStripe = yield* hasNonObjectElement(reader);
      else yield* reader.skip();
    } else if (!reader.trySkip()) yield* reader.skipRemaining();
    // Reading empty `styles` or `stripes` does not yield, so this loop must yield if a document repeats these fields
    // many times.
    if (reader.hasPassedCheckpoint) {
      reader.setNextCheckpoint();
      yield;
    }
  }
  return outline;
}

function* readStyles(reader: JsonReader, bytes: Buffer): Generator<void, Record<string, unknown>> {
  const styles: Record<string, unknown> = {};
  for (let name = reader.nextName(); name !== undefined; name = reader.nextName()) {
    const start = reader.offset;
    if (!reader.trySkip()) yield* reader.skipRemaining();
    if (STYLE_FIELDS.has(name))
      styles[name] = parseShortValue(bytes.subarray(start, reader.offset));
  }
  return styles;
}

function* hasNonObjectElement(reader: JsonReader): Generator<void, boolean> {
  let hasNonObject = false;
  while (reader.nextElement()) {
    if (!reader.isAtObject) hasNonObject = true;
    if (!reader.trySkip()) yield* reader.skipRemaining();
  }
  return hasNonObject;
}

/** Parses a short JSON text. For a long text, returns some value of the same type. */
function parseShortValue(json: Buffer): unknown {
  if (json.length <= MAX_STYLE_VALUE_BYTES) return JSON.parse(json.toString()) as unknown;
  if (json[0] === 0x22) return '';
  return json[0] === 0x7b || json[0] === 0x5b ? {} : 0;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether PostgreSQL can store the text unchanged. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
