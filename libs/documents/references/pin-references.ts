import type { Query } from '#database';
import { runInSlices } from '#time-slices';
import { JsonText } from '#json';
import { loadModules } from './load-modules.js';
import { findStoredReferences } from './module-reference.js';

/**
 * Pins references that follow the latest version to the version that was the latest at `time`. The function also adds
 * `asOf`, which pins the modules inside the module. A reference is not changed if its module did not exist at that
 * time, or if the user cannot read the module.
 */
export async function pinReferences(
  query: Query,
  userId: string,
  document: JsonText,
  time: Date,
): Promise<JsonText> {
  const references = await runInSlices(findStoredReferences(document));
  const following = references.filter(({ version }) => version === null);
  if (following.length === 0) return document;
  const moduleIds = [...new Set(following.map(({ moduleId }) => moduleId))];
  const wanted = moduleIds.map((moduleId) => ({ moduleId, version: null, frozenAt: time }));
  const loaded = await loadModules(query, userId, wanted, 0);
  const versions = new Map(moduleIds.map((id, index) => [id, loaded[index]?.version]));
  const { text } = document;
  let pinned = '';
  let offset = 0;
  for (const { moduleId, found } of following) {
    const version = versions.get(moduleId);
    if (version === undefined) continue;
    // The comma is safe, because a reference has at least one other member: its type.
    pinned += `${text.slice(offset, found.start)}{"version":${version},"asOf":"${time.toISOString()}",`;
    offset = found.start + 1;
  }
  return new JsonText(pinned + text.slice(offset));
}
