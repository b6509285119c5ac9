/**
 * Applies the user's additions and removals to the current tags, which somebody else may have changed since the user
 * saw `before`.
 */
export function mergeTags(
  current: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string[] {
  const kept = current.filter((tag) => after.includes(tag) || !before.includes(tag));
  const added = after.filter((tag) => !before.includes(tag));
  return [...new Set([...kept, ...added])];
}
