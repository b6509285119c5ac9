/** The differences between the changelog and the breaking changes since the last release. */
export function findUndocumentedChanges(changes: readonly string[], changelog: string): string[] {
  const named = namedIn(changelog);
  return [
    ...changes
      .filter((change) => !named.includes(change))
      .map((change) => `CHANGELOG.md does not name \`${change}\` under Unreleased, Breaking.`),
    ...named
      .filter((name) => !changes.includes(name))
      .map((name) => `CHANGELOG.md names \`${name}\`, but nothing of that name has changed.`),
  ];
}

/**
 * The names in backticks before the colon of an item. Items without such names are changes that
 * openapi.json does not show.
 */
function namedIn(changelog: string): string[] {
  const unreleased = sectionOf(changelog, '## ', '[Unreleased]');
  const items = sectionOf(unreleased, '### ', 'Breaking').match(/^- `[^:]+`(?=:)/gm) ?? [];
  return items.flatMap((item) => [...item.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const sectionOf = (text: string, mark: string, title: string): string =>
  `\n${text}`.split(`\n${mark}`).find((section) => section.startsWith(title)) ?? '';
