import { expect } from '@jest/globals';
import type { Client } from '../api/client.js';
import { findWrongPointers } from '../galley/publications.js';
import {
  PlainDocuments,
  referencesIn,
  scanUsages,
  type Content,
  type PlainDocument,
  type PlainUsage,
} from './plain-documents.js';
import { readStored, type StoredDocuments } from './stored-documents.js';
import { keyOf, pathOf, type World } from './world.js';

const ENVIRONMENTS = ['production', 'staging'];

/** Compares the tables and the responses of the API with a plain implementation. Nobody may change documents meanwhile. */
export async function expectConsistent(world: World, client: Client): Promise<void> {
  const { database } = world.galley;
  const stored = await readStored(
    database,
    world.documents.map(({ id }) => id),
  );
  const plain = new PlainDocuments(stored.documents, stored.versions);
  expectVersionsWithoutGaps(stored, plain);
  expectSeenVersions(world, plain);
  expectRestores(world, stored, plain);
  expectEventsWithoutGaps(stored);
  expectReferences(stored, plain);
  expect(await findWrongPointers(database)).toEqual([]);
  await Promise.all(
    plain.live.flatMap((document) => [
      expectExpanded(client, plain, document),
      document.kind === 'module'
        ? expectUsages(client, plain, document)
        : expectPublished(client, plain, document),
    ]),
  );
}

const firstNumbers = (count: number, first = 1) =>
  Array.from({ length: count - first + 1 }, (_, index) => first + index);

function expectVersionsWithoutGaps(stored: StoredDocuments, plain: PlainDocuments): void {
  const numbersOf = (id: string) => plain.versionsOf(id).map(({ version }) => version);
  const found = stored.documents.map(({ id }) => [id, numbersOf(id)]);
  expect(found).toEqual(stored.documents.map(({ id, version }) => [id, firstNumbers(version)]));
  const ids = new Set(stored.documents.map(({ id }) => id));
  expect(stored.versions.filter(({ id }) => !ids.has(id))).toEqual([]);
}

/** Versions stay as they were when a response or an earlier check showed them. */
function expectSeenVersions({ seenVersions }: World, plain: PlainDocuments): void {
  for (const version of plain.all.flatMap(({ id }) => plain.versionsOf(id))) {
    const key = keyOf(version);
    const json = JSON.stringify(version.content);
    expect([key, json]).toEqual([key, seenVersions.get(key) ?? json]);
    seenVersions.set(key, json);
  }
}

/** A restore does not pin modules that are in the trash, so these restores are left out. */
function expectRestores(
  { restores }: World,
  { events }: StoredDocuments,
  plain: PlainDocuments,
): void {
  const deleted = new Set(
    events.filter(({ kind }) => kind.endsWith('.deleted')).map(({ id }) => id),
  );
  for (const { id, version, restored, isPinned } of restores.splice(0)) {
    const earlier = plain.versionsOf(id)[version - 1];
    const later = plain.versionsOf(id)[restored - 1];
    if (earlier === undefined || later === undefined) continue;
    if (referencesIn(earlier.content).some(({ moduleId }) => deleted.has(moduleId))) continue;
    const key = keyOf(later);
    const expected = isPinned ? plain.pin(earlier) : earlier.content;
    expect([key, later.content]).toEqual([key, expected]);
  }
}

function expectEventsWithoutGaps({ documents, events }: StoredDocuments): void {
  const byDocument = Map.groupBy(events, ({ id }) => id);
  for (const [id, ofDocument] of byDocument) {
    const sequences = ofDocument.map(({ sequence }) => sequence);
    expect([id, sequences]).toEqual([id, firstNumbers(ofDocument.length)]);
  }
  for (const { id, version, events: count, isInTrash } of documents) {
    const ofDocument = byDocument.get(id) ?? [];
    expect([id, ofDocument.length]).toEqual([id, count]);
    expect([id, ofDocument.at(-1)?.kind.endsWith('.deleted') ?? false]).toEqual([id, isInTrash]);
    // A change of tags is an event of the version before it.
    const updated = ofDocument.filter(({ kind }) => kind.endsWith('.updated'));
    const versions = new Set([1, ...updated.map((event) => event.version)]);
    expect([id, [...versions]]).toEqual([id, firstNumbers(version)]);
  }
}

const usageText = ({ documentId, moduleId, pinnedVersion, occurrences }: PlainUsage) =>
  `${documentId} refers ${occurrences} times to ${moduleId} version ${pinnedVersion}`;

function expectReferences(stored: StoredDocuments, plain: PlainDocuments): void {
  const usages = plain.all.flatMap(({ id }) => scanUsages(plain.latestOf(id)));
  expect(stored.usages.map(usageText).sort()).toEqual(usages.map(usageText).sort());

  const ids = new Set(plain.all.map(({ id }) => id));
  const pins = usages.filter(
    ({ pinnedVersion, moduleId }) => pinnedVersion > 0 && ids.has(moduleId),
  );
  const isMissing = ({ moduleId, pinnedVersion }: PlainUsage) =>
    plain.versionsOf(moduleId).every(({ version }) => version !== pinnedVersion);
  expect(pins.filter(isMissing)).toEqual([]);

  const modules = plain.all.filter(({ kind }) => kind === 'module');
  expect(modules.filter(({ id }) => plain.hasCycle(id))).toEqual([]);

  const nested = modules
    .flatMap(({ id }) => plain.versionsOf(id))
    .map((version) => ({
      key: keyOf(version),
      uses: new Set(
        referencesIn(version.content).map((reference) =>
          [reference.moduleId, reference.version ?? []].flat().join(' '),
        ),
      ),
    }));
  const nestedText = (key: string, uses: Iterable<string>) => `${key}: ${[...uses].sort().join()}`;
  expect(stored.nestedReferences.map((each) => nestedText(keyOf(each), each.uses)).sort()).toEqual(
    nested
      .filter(({ uses }) => uses.size > 0)
      .map(({ key, uses }) => nestedText(key, uses))
      .sort(),
  );
}

/** The latest version uses the modules of today, each other version those of its time. */
async function expectExpanded(
  client: Client,
  plain: PlainDocuments,
  document: PlainDocument,
): Promise<void> {
  const path = pathOf(document);
  const versions = plain.versionsOf(document.id);
  const [latest, all] = await Promise.all([
    client.get<{ content: Content }>(`${path}?expand=modules`),
    client.get<{ data: { content: Content }[] }>(
      `${path}/versions?content=true&expand=modules&limit=100`,
    ),
  ]);
  expect([path, latest.body.content]).toEqual([
    path,
    plain.expand(plain.latestOf(document.id).content, null),
  ]);
  expect([path, all.body.data.map(({ content }) => content).reverse()]).toEqual([
    path,
    versions.map(({ content, createdAt }) => plain.expand(content, createdAt)),
  ]);
}

async function expectUsages(
  client: Client,
  plain: PlainDocuments,
  { id }: PlainDocument,
): Promise<void> {
  const { body } = await client.get<{
    data: { id: string; moduleId: string; pinnedVersion: number | null; occurrences: number }[];
  }>(`/api/modules/${id}/usages?limit=100`);
  const usages = body.data.map(({ id: documentId, pinnedVersion, ...usage }) =>
    usageText({ ...usage, documentId, pinnedVersion: pinnedVersion ?? 0 }),
  );
  expect([id, usages.sort()]).toEqual([id, plain.usagesOf(id).map(usageText).sort()]);
}

/** What is published is a version as it was when it was made. `findWrongPointers` finds out which version it is. */
async function expectPublished(
  client: Client,
  plain: PlainDocuments,
  document: PlainDocument,
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    const path = `${pathOf(document)}/published?environment=${environment}`;
    const { status, body } = await client.get<{ version: number; content: Content }>(
      `${path}&expand=modules`,
    );
    if (status === 404) continue;
    const published = plain.versionsOf(document.id)[body.version - 1];
    if (published === undefined) throw new Error(`${path} has the version ${body.version}.`);
    const { content, createdAt } = published;
    expect([path, body.content]).toEqual([path, plain.expand(content, createdAt)]);
  }
}
