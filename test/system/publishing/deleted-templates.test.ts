import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Database } from '#database';
import { VersionPurge } from '#documents';
import type { Client } from '../../support/api/client.js';
import { restore } from '../../support/api/trash.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

let galley: Galley;
let ada: Client;
let workspaceId: string;
let id: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  id = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
  await ada.post(`/api/templates/${id}/publish`, { version: 1 });
  await ada.post(`/api/templates/${id}/publish`, { version: 1, at: '2099-01-01T00:00:00Z' });
});

const readPublished = () => ada.get<{ version: number }>(`/api/templates/${id}/published`);
const countRows = async () =>
  Object.fromEntries(
    await Promise.all(
      ['template_pointers', 'template_publications', 'scheduled_publications'].map(
        async (table) => [
          table,
          await galley.database.count(`${table} WHERE template_id = '${id}'`),
        ],
      ),
    ),
  ) as Record<string, number>;

it('a template that is restored from the trash is published as before, and nothing is scheduled', async () => {
  const { body: before, headers } = await readPublished();
  await ada.delete(`/api/templates/${id}`);
  expect((await readPublished()).status).toBe(404);
  await restore(ada, id);
  const after = await readPublished();
  expect([after.body, after.headers.get('etag')]).toEqual([before, headers.get('etag')]);
  const history = await ada.get<{ data: object[] }>(`/api/templates/${id}/publications`);
  expect(history.body.data).toHaveLength(1);
  const scheduled = await ada.get(`/api/templates/${id}/publications/scheduled`);
  expect(scheduled.body).toMatchObject({ data: [] });

  await ada.post(`/api/templates/${id}/unpublish`);
  const events = await galley.database.query(
    `SELECT kind, sequence::integer FROM outbox WHERE resource_id = $1 ORDER BY sequence`,
    [id],
  );
  expect(events).toEqual(
    ['created', 'published', 'deleted', 'restored', 'unpublished'].map((action, index) => ({
      kind: `template.${action}`,
      sequence: index + 1,
    })),
  );
});

it('the purge deletes what is published together with the template', async () => {
  await ada.delete(`/api/templates/${id}`);
  expect(await countRows()).toEqual({
    template_pointers: 1,
    template_publications: 1,
    scheduled_publications: 0,
  });
  await ada.delete(`/api/trash/${id}`);
  const purge = new VersionPurge(galley.api.get(Database));
  while (await purge.step());
  expect(await countRows()).toEqual({
    template_pointers: 0,
    template_publications: 0,
    scheduled_publications: 0,
  });
});

it('a workspace is deleted with all that is published in it, also in its trash', async () => {
  await ada.delete(`/api/templates/${id}`);
  const other = await createResource(ada, '/api/templates', { name: 'B', workspaceId });
  await ada.post(`/api/workspaces/${workspaceId}/environments`, { name: 'staging' });
  await ada.post(`/api/templates/${other}/publish`, { version: 1, environment: 'staging' });
  const { status } = await ada.delete(`/api/workspaces/${workspaceId}?force=true`);
  expect(status).toBe(204);
  expect(await galley.database.count('template_pointers')).toBe(
    await galley.database.count('template_pointers JOIN workspaces ON id = workspace_id'),
  );
});
