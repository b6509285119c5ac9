/** SQL: whether a kind of event matches one of the patterns in an array (`#events`). */
export const matchesKind = (patterns: string, kind: string): string =>
  `${patterns} && ARRAY[${kind}, split_part(${kind}, '.', 1) || '.*', '*']`;
