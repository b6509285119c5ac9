/**
 * The advisory locks of all Galley programs, some for a session and some for a transaction. The numbers are arbitrary,
 * but must stay the same in every release.
 */
export const ADVISORY_LOCKS = {
  migration: 4_713_862,
  partitions: 4_713_863,
  restore: 4_713_864,
} as const;
