import type { ModuleUsage } from '#client';

/** Keeps one usage for each document. A document may use the same module in several ways. */
export const distinctUsages = (usages: readonly ModuleUsage[]): ModuleUsage[] => [
  ...new Map(usages.map((usage) => [usage.id, usage])).values(),
];
