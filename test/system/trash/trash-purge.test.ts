import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadApiConfig, loadWorkerConfig } from '#config';
import { Database } from '#database';
import { VersionPurge } from '#documents';
import { createApi } from '../../../apps/api/api.js';
import { createWorker } from '../../../apps/worker/worker.js';
import { kinds, type Kind } from '../../support/api/batches.js';
import { Client } from '../../support/api/client.js';
import { listTrash, purge, restore } from '../../support/api/trash.js';
import { box } from '../../support/api/references.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { fillTrash } from '../../support/galley/trash.js';
import { itRaces } from '../../support/it-races.js';
import { itTimed } from '../../support/it-timed.js';

let galley: Galley;
let ada: Client;
let workspaceId: string;
let worker: NestFastifyApplication | undefined;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});
afterAll(() => galley.stop());

async function startWorker(): Promise<void> {
  worker = await createWorker(loadWorkerConfig(galley.environment));
  await worker.init();
}

const create = (path: string, fields: object = {}) =>
  createResource(ada, path, { name: 'A', workspaceId, content: {}, ...fields });

/** Moves the clock: the document was deleted this many days earlier. */
const passDays = (id: string, days: number) =>
  galley.database.query(
    `UPDATE trashed_documents SET deleted_at = deleted_at - $2 * interval '1 day',
       expires_at = expires_at - $2 * interval '1 day' WHERE id = $1`,
    [id, days],
  );

const countVersions = (id: string) =>
  galley.database.count(`document_versions WHERE document_id = '${id}'`);
const countToPurge = (workspace: string) =>
  galley.database.count(`documents_to_purge WHERE workspace_id = '${workspace}'`);

async function purgeAll(): Promise<number> {
  const versionPurge = new VersionPurge(galley.api.get(Database));
  let steps = 1;
  while (await versionPurge.step()) steps++;
  return steps;
}

describe.each(kinds)('a $name in the trash', ({ path }: Kind) => {
  it('can be restored for 30 days, and is then purged', async () => {
    const [kept, expired] = [await create(path), await create(path)];
    for (const id of [kept, expired]) {
      await ada.put(`${path}/${id}`, { name: 'B' });
      await ada.delete(`${path}/${id}`);
    }
    await passDays(kept, 29.99);
    await passDays(expired, 30);
    const ids = (await listTrash(ada, workspaceId)).data.map(({ id }) => id);
    expect([ids.includes(kept), ids.includes(expired)]).toEqual([true, false]);
    // Even if no worker runs.
    expect((await restore(ada, expired)).status).toBe(404);
    expect((await purge(ada, expired)).status).toBe(404);
    await startWorker();
    await eventually('the purge', async () => (await countVersions(expired)) === 0);
    expect(await countVersions(kept)).toBe(2);
    expect((await restore(ada, kept)).status).toBe(200);
    expect((await ada.get(`${path}/${kept}/versions/1`)).status).toBe(200);
  });

  it('can be deleted for good at once, with an audit entry', async () => {
    const id = await create(path, { name: 'Personal' });
    await ada.delete(`${path}/${id}`);
    expect((await purge(ada, id)).status).toBe(204);
    expect((await listTrash(ada, workspaceId)).data.map((each) => each.id)).not.toContain(id);
    expect((await restore(ada, id)).status).toBe(404);
    expect((await purge(ada, id)).status).toBe(404);
    await startWorker();
    await eventually('the purge', async () => (await countVersions(id)) === 0);
    await eventually('the end', async () => (await countToPurge(workspaceId)) === 0);
    const { body } = await ada.get<{ data: object[] }>(
      `/api/workspaces/${workspaceId}/audit?targetId=${id}`,
    );
    expect(body.data).toMatchObject([
      { action: 'document.purged', targetId: id, details: { kind: path.slice(5, -1) } },
    ]);
    expect(JSON.stringify(body)).not.toContain('Personal');
  });

  it('is purged with its workspace', async () => {
    const { id: workspace } = await galley.createWorkspaceFor('ada');
    const [trashed, live] = [
      await create(path, { workspaceId: workspace }),
      await create(path, { workspaceId: workspace }),
    ];
    await ada.delete(`${path}/${trashed}`);
    expect((await ada.delete(`/api/workspaces/${workspace}`)).status).toBe(409);
    expect((await ada.delete(`/api/workspaces/${workspace}?force=true`)).status).toBe(204);
    expect((await restore(ada, trashed)).status).toBe(404);
    expect(await galley.database.count(`trashed_documents WHERE id = '${trashed}'`)).toBe(0);
    await purgeAll();
    expect([await countVersions(trashed), await countVersions(live)]).toEqual([0, 0]);
  });

  it('does not keep its workspace from being deleted', async () => {
    const { id: workspace } = await galley.createWorkspaceFor('ada');
    const id = await create(path, { workspaceId: workspace });
    await ada.delete(`${path}/${id}`);
    expect((await ada.delete(`/api/workspaces/${workspace}`)).status).toBe(204);
    await purgeAll();
    expect([await countVersions(id), await countToPurge(workspace)]).toEqual([0, 0]);
  });
});

describe.each(kinds)('a $name that is deleted', ({ path }: Kind) => {
  it('with TRASH_DAYS=0 is gone for good', async () => {
    const environment = { ...galley.environment, TRASH_DAYS: '0' };
    const api = await createApi(loadApiConfig(environment));
    await api.listen(0, '127.0.0.1');
    const client = new Client(await api.getUrl(), ada.token);
    const id = await create(path);
    const inTrash = await create(path);
    await ada.delete(`${path}/${inTrash}`);
    expect((await client.delete(`${path}/${id}`)).status).toBe(204);
    expect((await client.get(`${path}/${id}`)).status).toBe(404);
    expect((await restore(client, id)).status).toBe(404);
    await purgeAll();
    expect(await countVersions(id)).toBe(0);
    // What is in the trash already stays for the time that its response promised.
    expect((await restore(client, inTrash)).status).toBe(200);
    await api.close();
  });

  it('without a row in the trash is gone for good, with its versions', async () => {
    const id = await create(path, { content: box(await create('/api/modules')) });
    await galley.database.query(
      `WITH reason AS (SELECT set_config('galley.no_event', 'not under test', true))
       DELETE FROM documents USING reason WHERE id = $1`,
      [id],
    );
    expect(await countVersions(id)).toBe(1);
    await purgeAll();
    expect(await countVersions(id)).toBe(0);
    expect(await galley.database.count(`module_usages WHERE document_id = '${id}'`)).toBe(0);
    expect((await restore(ada, id)).status).toBe(404);
  });
});

describe('the purge', () => {
  itTimed(
    'deletes many and large versions in small steps, and deletion moves none of them',
    async () => {
      const id = await create('/api/templates');
      await galley.database.query(
        `INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_at)
       SELECT $1, kind, number, 'A', '{}', 2, created_at FROM document_versions, generate_series(2, 5000) number
       WHERE document_id = $1 AND version = 1`,
        [id],
      );
      const large = await create('/api/templates');
      for (let version = 2; version <= 40; version++) {
        const content = { text: randomBytes(740_000).toString('base64') };
        await ada.put(`/api/templates/${large}`, { content });
      }
      for (const each of [id, large]) {
        const startedAt = Date.now();
        expect((await ada.delete(`/api/templates/${each}`)).status).toBe(204);
        // A deletion of the versions takes seconds.
        expect(Date.now() - startedAt).toBeLessThan(1_000);
      }
      expect((await restore(ada, id)).status).toBe(200);
      expect(await countVersions(id)).toBe(5_000);
      for (const each of [id, large]) {
        await ada.delete(`/api/templates/${each}`);
        await purge(ada, each);
      }
      const versionPurge = new VersionPurge(galley.api.get(Database));
      const counts: number[] = [await countVersions(large)];
      while (await versionPurge.step()) counts.push(await countVersions(large));
      // 16 MiB in each step, of versions of almost 1 MiB.
      const deleted = counts.slice(1).map((count, index) => (counts[index] ?? 0) - count);
      expect(Math.max(...deleted)).toBeLessThanOrEqual(20);
      expect([await countVersions(id), await countVersions(large)]).toEqual([0, 0]);
      expect(await countToPurge(workspaceId)).toBe(0);
    },
  );

  itTimed('of 100,000 documents of a workspace keeps no other workspace waiting', async () => {
    const { id: big } = await galley.createWorkspaceFor('ada');
    const { id: small } = await galley.createWorkspaceFor('ada');
    await fillTrash(galley.database, big, 100_000);
    const id = await create('/api/modules', { workspaceId: small });
    await ada.delete(`/api/modules/${id}`);
    await passDays(id, 30);
    const startedAt = Date.now();
    const { status } = await ada.delete(`/api/workspaces/${big}`);
    // The workspace and its 100,000 rows in the trash, but none of the versions.
    expect([status, Date.now() - startedAt < 20_000]).toEqual([204, true]);
    expect(await countToPurge(big)).toBe(100_000);
    const versionPurge = new VersionPurge(galley.api.get(Database));
    const durations: number[] = [];
    while ((await countVersions(id)) > 0) {
      const stepStartedAt = Date.now();
      expect(await versionPurge.step()).toBe(true);
      durations.push(Date.now() - stepStartedAt);
    }
    // One step for each workspace, and one at the end of a round.
    expect(durations.length).toBeLessThanOrEqual(4);
    expect(await countToPurge(big)).toBeGreaterThan(99_000);
    for (let step = 0; step < 100; step++) {
      const stepStartedAt = Date.now();
      await versionPurge.step();
      durations.push(Date.now() - stepStartedAt);
    }
    const median = durations.sort((a, b) => a - b)[Math.floor(durations.length / 2)];
    expect(median).toBeLessThan(100);
  });

  itRaces('by several workers deletes everything once', async () => {
    const { id: workspace } = await galley.createWorkspaceFor('ada');
    await fillTrash(galley.database, workspace, 1_000);
    await galley.database.query(
      'UPDATE trashed_documents SET expires_at = now() WHERE workspace_id = $1',
      [workspace],
    );
    await Promise.all([purgeAll(), purgeAll(), purgeAll()]);
    await purgeAll();
    expect(await countToPurge(workspace)).toBe(0);
    expect(
      await galley.database.count(`trashed_documents WHERE workspace_id = '${workspace}'`),
    ).toBe(0);
  });
});
