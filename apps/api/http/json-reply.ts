import { JsonText } from '#database';

/**
 * Prints an answer. Documents are put in as the text that they are stored as; where one is there as
 * bytes the answer is bytes as well, for to decode and encode a large one costs more than all the rest.
 */
export function printJson(value: unknown): string | Buffer {
  const parts: (string | Buffer)[] = [];
  print(value, parts);
  return parts.some((part) => Buffer.isBuffer(part))
    ? Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part))))
    : parts.join('');
}

function print(value: unknown, parts: (string | Buffer)[]): void {
  if (value instanceof JsonText) {
    parts.push(value.source);
  } else if (Array.isArray(value)) {
    parts.push('[');
    value.forEach((item, at) => {
      if (at > 0) parts.push(',');
      print(item, parts);
    });
    parts.push(']');
  } else if (typeof value !== 'object' || value === null || value instanceof Date) {
    parts.push(JSON.stringify(value));
  } else {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    parts.push('{');
    members.forEach(([name, member], at) => {
      parts.push(`${at > 0 ? ',' : ''}${JSON.stringify(name)}:`);
      print(member, parts);
    });
    parts.push('}');
  }
}
