/** SQL: whether an event kind matches one of the patterns in an array (see `#events`). */
export const matchesKind = (patterns: string, kind: string): string =>
  `${patterns} && ARRAY[${kind}, split_part(${kind}, '.', 1) || '.*', '*']`;
