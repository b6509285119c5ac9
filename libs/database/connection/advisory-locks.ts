/** The session and transaction locks of all Galleys. The numbers are arbitrary, but every release must keep them. */
export const ADVISORY_LOCKS = {
  migration: 4_713_862,
  partitions: 4_713_863,
  restore: 4_713_864,
} as const;
