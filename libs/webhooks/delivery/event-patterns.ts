/** An SQL condition that is true if the event kind matches a pattern in the array. `#events` defines the patterns. */
export const matchesKind = (patterns: string, kind: string): string =>
  `${patterns} && ARRAY[${kind}, split_part(${kind}, '.', 1) || '.*', '*']`;
