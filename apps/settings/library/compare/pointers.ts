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

/** Describes a JSON Pointer with indexes that count from 1: "stripes 1 › containers 2". */
export function describePlace(pointer: string): string {
  const parts: string[] = [];
  for (const token of tokensOf(pointer)) {
    if (/^\d+$/.test(token)) parts.push(`${parts.pop() ?? ''} ${Number(token) + 1}`.trim());
    else parts.push(token);
  }
  return parts.join(' › ');
}

export const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
