import type { ComparedSide, CompareSearch } from './library-search.js';

interface Compared {
  from: ComparedSide;
  to: ComparedSide;
}

/** The two versions to compare: by default the latest version, and the version before the latest. */
export function comparedVersions({ from, to }: CompareSearch, latest: number): Compared {
  const newer = to ?? latest;
  return { from: from ?? Math.max(1, (typeof newer === 'number' ? newer : latest) - 1), to: newer };
}

interface PublishedVersion {
  environment: string;
  published?: { version: number };
}

/** The number of the version. Undefined if nothing is published in the environment. */
export function versionOf(
  side: ComparedSide,
  states: readonly PublishedVersion[],
): number | undefined {
  if (typeof side === 'number') return side;
  return states.find(({ environment }) => environment === side)?.published?.version;
}
