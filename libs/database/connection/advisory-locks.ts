/**
 * The keys of the advisory locks that Galley programs use. Some locks last for a session, others for a transaction. The
 * values are arbitrary, but must stay the same in every release.
 */
export const ADVISORY_LOCKS = {
  migration: 4_713_862,
  partitions: 4_713_863,
  restore: 4_713_864,
} as const;
