import { JsonText } from '#database';

/** Prints an answer. Documents are put in as the text that they are stored as. */
export function printJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${printJson(member)}`);
  return `{${members.join(',')}}`;
}
