/** The value at a JSON Pointer (RFC 6901); undefined if the document has no such value. */
export function valueAt(content: unknown, pointer: string | null): unknown {
  if (pointer === null) return undefined;
  return tokensOf(pointer).reduce<unknown>(
    (value, token) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, token)
        ? (value as Record<string, unknown>)[token]
        : undefined,
    content,
  );
}

/** Describes a JSON Pointer in words, with indexes that start at 1: "stripes 1 › containers 2". */
export function describePlace(pointer: string): string {
  const parts: string[] = [];
  for (const token of tokensOf(pointer)) {
    if (/^\d+$/.test(token)) parts.push(`${parts.pop() ?? ''} ${Number(token) + 1}`.trim());
    else parts.push(token);
  }
  return parts.join(' › ');
}

const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The path of the `JsonRow` that shows the value at a JSON Pointer; undefined if there is no such value. */
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
