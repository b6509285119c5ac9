import { JsonText } from '#json';

/**
 * Serialises a response. The text of each document is inserted as it is stored. If a document is a Buffer, the result
 * is a Buffer too: decoding and encoding a large document would cost more than the rest of the serialisation.
 */
export function serializeJson(value: unknown): string | Buffer {
  const parts: (string | Buffer)[] = [];
  appendJson(value, parts);
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  return parts.some((part) => Buffer.isBuffer(part))
    ? Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part))))
    : parts.join('');
}

function appendJson(value: unknown, parts: (string | Buffer)[]): void {
  if (value instanceof JsonText) {
    parts.push(value.source);
  } else if (!holdsDocument(value)) {
    parts.push(JSON.stringify(value));
  } else if (Array.isArray(value)) {
    parts.push('[');
    value.forEach((item, index) => {
      if (index > 0) parts.push(',');
      appendJson(item, parts);
    });
    parts.push(']');
  } else {
    const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
    parts.push('{');
    members.forEach(([name, member], index) => {
      parts.push(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`);
      appendJson(member, parts);
    });
    parts.push('}');
  }
}

/**
 * Whether a value contains a document. Other values, such as most lists, are left to JSON.stringify, which is several
 * times as fast as writing the members one by one.
 */
const holdsDocument = (value: unknown): boolean =>
  value instanceof JsonText ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsDocument));
