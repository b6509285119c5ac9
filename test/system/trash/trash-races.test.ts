import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { VersionPurge } from '#documents';
import { Database } from '#database';
import { kinds, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { purge, restore } from '../../support/api/trash.js';
import { box } from '../../support/api/references.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { itRaces } from '../../support/it-races.js';

const ROUNDS = 15;

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley({ environment: { DATABASE_POOL_SIZE: '20' } });
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterAll(() => galley.stop());

const create = (path: string, content = {}, workspace = workspaceId) =>
  createResource(ada, path, { name: 'A', workspaceId: workspace, content });

/** The kinds of a document's events, whose sequence must have no gap and no repetition. */
async function historyOf(id: string): Promise<string[]> {
  const rows = await galley.database.query<{ kind: string; sequence: number }>(
    'SELECT kind, sequence FROM outbox WHERE resource_id = $1 ORDER BY sequence',
    [id],
  );
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1));
  return rows.map(({ kind }) => kind.replace(/.*\./, ''));
}

/** Where a document is: a document is in at most one of these places, and nowhere else has versions. */
async function placeOf(id: string): Promise<{ place: string | undefined; versions: number }> {
  const counts = await Promise.all(
    ['documents', 'trashed_documents', 'documents_to_purge'].map(async (table) => {
      const count = await galley.database.count(`${table} WHERE id = '${id}'`);
      return Array<string>(count).fill(table);
    }),
  );
  const places = counts.flat();
  expect(places.length).toBeLessThanOrEqual(1);
  const versions = await galley.database.count(`document_versions WHERE document_id = '${id}'`);
  return { place: places[0], versions };
}

const statusesOf = async (...requests: Promise<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status);

describe.each(kinds)('concurrent requests for a $name', (kind: Kind) => {
  const { path } = kind;

  itRaces('restore it once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await create(path);
      await ada.delete(`${path}/${id}`);
      const statuses = await statusesOf(...[1, 2, 3, 4].map(() => restore(ada, id)));
      expect(statuses.sort()).toEqual([200, 404, 404, 404]);
      expect(await historyOf(id)).toEqual(['created', 'deleted', 'restored']);
    }
  });

  itRaces('delete, restore and change it without gaps in its events', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await create(path);
      const requests = Array.from({ length: 12 }, (_, index) => [
        ada.delete(`${path}/${id}`),
        restore(ada, id),
        ada.put(`${path}/${id}`, { name: `${index}` }),
        sendBatch(ada, kind, workspaceId, [
          index % 2 ? { action: 'delete', id } : { action: 'update', id, name: `C ${index}` },
        ]),
      ]).flat();
      const statuses = await statusesOf(...requests);
      expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
      const history = await historyOf(id);
      let isDeleted = false;
      for (const action of history) {
        expect([action, isDeleted]).toEqual([action, action === 'restored']);
        isDeleted = action === 'deleted';
      }
      const { place, versions } = await placeOf(id);
      expect(place).toBe(isDeleted ? 'trashed_documents' : 'documents');
      expect(versions).toBe(1 + history.filter((action) => action === 'updated').length);
    }
  });

  itRaces('restore it or purge it', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const id = await create(path);
      await ada.delete(`${path}/${id}`);
      const [first, second] = round % 2 ? [restore, purge] : [purge, restore];
      const statuses = await statusesOf(first(ada, id), second(ada, id));
      const [restored, purged] = round % 2 ? statuses : statuses.toReversed();
      expect([`${restored} ${purged}`]).toEqual([expect.stringMatching(/^(200 404|404 204)$/)]);
      const { place, versions } = await placeOf(id);
      expect([place, versions]).toEqual([restored === 200 ? 'documents' : 'documents_to_purge', 1]);
      outcomes.add(`${restored}`);
    }
    expect(outcomes.size).toBe(2);
  });

  itRaces('restore it or find that it has expired', async () => {
    const purger = new VersionPurge(galley.api.get(Database));
    for (let round = 0; round < ROUNDS; round++) {
      const id = await create(path);
      await ada.delete(`${path}/${id}`);
      // A restore that began in time, and a purge that begins a moment later.
      const expire = galley.database.query(
        `UPDATE trashed_documents SET expires_at = now() - interval '1 ms' WHERE id = $1`,
        [id],
      );
      const [{ status }] = await Promise.all([restore(ada, id), expire, purger.step()]);
      while (await purger.step());
      const { place, versions } = await placeOf(id);
      expect([status, place, versions]).toEqual(
        status === 200 ? [200, 'documents', 1] : [404, undefined, 0],
      );
    }
  });

  itRaces('delete or restore it, and delete its workspace', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id: workspace } = await galley.createWorkspaceFor('ada');
      const ids = [await create(path, {}, workspace), await create(path, {}, workspace)];
      await ada.delete(`${path}/${ids[0]}`);
      const statuses = await statusesOf(
        restore(ada, ids[0] ?? ''),
        ada.delete(`/api/workspaces/${workspace}?force=true`),
        ada.delete(`${path}/${ids[1]}`),
      );
      expect([200, 404]).toContain(statuses[0]);
      expect(statuses[1]).toBe(204);
      expect([204, 404]).toContain(statuses[2]);
      for (const id of ids) {
        expect((await placeOf(id)).place).toBe('documents_to_purge');
        expect((await historyOf(id)).at(-1)).toBe('deleted');
      }
    }
  });
});

itRaces(
  'a module is not deleted without force while a template that uses it is restored',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const module = await create('/api/modules');
      const template = await create('/api/templates', box(module));
      await ada.delete(`/api/templates/${template}`);
      const [restored, deleted] = await statusesOf(
        restore(ada, template),
        ada.delete(`/api/modules/${module}`),
      );
      expect(restored).toBe(200);
      const isUsed = (await galley.database.count(`documents WHERE id = '${module}'`)) === 1;
      expect(deleted).toBe(isUsed ? 409 : 204);
    }
  },
);

itRaces('concurrent restores and changes of modules close no cycle', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const last = await create('/api/modules');
    const middle = await create('/api/modules', box(last));
    const first = await create('/api/modules', box(middle));
    await ada.delete(`/api/modules/${middle}?force=true`);
    const statuses = await statusesOf(
      restore(ada, middle),
      ada.put(`/api/modules/${last}`, { content: box(first) }),
    );
    expect(statuses).toEqual([200, 400]);
  }
});
