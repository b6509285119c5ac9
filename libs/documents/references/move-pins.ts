import { runInSlices } from '#time-slices';
import { JsonText } from '#json';
import { findStoredReferences } from './module-reference.js';

interface ModuleVersion {
  moduleId: string;
  version: number;
  createdAt: Date;
}

/**
 * Changes the version in all pinned references to a module. References that follow the latest version are not changed.
 * The `asOf` of a changed reference becomes the time of the new version, so that the modules inside the module move as
 * well.
 */
export async function movePins(
  document: JsonText,
  { moduleId, version, createdAt }: ModuleVersion,
): Promise<JsonText> {
  const pinned = (await runInSlices(findStoredReferences(document))).filter(
    (reference) => reference.version !== null && reference.moduleId === moduleId,
  );
  const replacements = pinned
    .flatMap(({ found: { version: oldVersion, asOf, offsets } }) => [
      { offset: offsets.version, old: oldVersion, replacement: String(version) },
      { offset: offsets.asOf, old: asOf, replacement: `"${createdAt.toISOString()}"` },
    ])
    .filter(({ offset }) => offset !== undefined)
    .sort((one, other) => (one.offset ?? 0) - (other.offset ?? 0));
  const { text } = document;
  let moved = '';
  let end = 0;
  for (const { offset, old = '', replacement } of replacements) {
    moved += text.slice(end, offset) + replacement;
    end = (offset ?? 0) + old.length;
  }
  return new JsonText(moved + text.slice(end));
}
