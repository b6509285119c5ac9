import { tokensOf } from './pointers.js';

/** The path of the line that shows the value at a JSON Pointer; undefined if there is no such value. */
export function rowPathOf(content: unknown, pointer: string): string | undefined {
  let value = content;
  let path = '';
  for (const token of tokensOf(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const index = Array.isArray(value) ? Number(token) : Object.keys(value).indexOf(token);
    const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (!(index in children)) return undefined;
    value = children[index];
    path += `.${index}`;
  }
  return path;
}
