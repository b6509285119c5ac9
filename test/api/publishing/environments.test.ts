import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';
import { itRaces } from '../../support/it-races.js';

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;
let environments: string;
let template: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  environments = `/api/workspaces/${workspaceId}/environments`;
  const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
  template = `/api/templates/${id}`;
});

const names = async () =>
  (await ada.get<{ data: { name: string }[] }>(environments)).body.data.map(({ name }) => name);
const create = (name: unknown) => ada.post(environments, { name });

describe('the environments of a workspace', () => {
  it('are production and those that admins create', async () => {
    expect(await names()).toEqual(['production']);
    expect((await create('staging')).status).toBe(201);
    expect((await create('eu-2')).status).toBe(201);
    expect(await names()).toEqual(['production', 'eu-2', 'staging']);
    await ada.post(`${template}/publish`, { version: 1 });
    expect(await names()).toEqual(['production', 'eu-2', 'staging']);
    expect((await ada.delete(`${environments}/staging`)).status).toBe(204);
    expect((await ada.delete(`${environments}/staging`)).status).toBe(404);
    expect(await names()).toEqual(['production', 'eu-2']);
    const { body } = await ada.get<{ data: { action: string; details: object }[] }>(
      `/api/workspaces/${workspaceId}/audit`,
    );
    expect(body.data.map(({ action, details }) => [action, details]).slice(0, 2)).toEqual([
      ['environment.deleted', { name: 'staging' }],
      ['environment.created', { name: 'eu-2' }],
    ]);
  });

  it.each(['', 'Staging', 'a b', 'a'.repeat(33), 'ä', 7, null])(
    'cannot have the name %j',
    async (name) => {
      expect((await create(name)).status).toBe(400);
    },
  );

  it('have different names, and production stays', async () => {
    expect((await create('production')).status).toBe(409);
    expect((await create('staging')).status).toBe(201);
    expect((await create('staging')).status).toBe(409);
    expect((await ada.delete(`${environments}/production?force=true`)).status).toBe(409);
  });

  itRaces('are at most 20, also if many are created at once', async () => {
    const created = await Promise.all(Array.from({ length: 25 }, (_, n) => create(`stage-${n}`)));
    const statuses = created.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(19);
    expect(statuses.filter((status) => status === 409)).toHaveLength(6);
    expect(await names()).toHaveLength(20);
  });

  it('are deleted with what is published there only by force', async () => {
    await create('staging');
    const at = '2099-01-01T00:00:00Z';
    await ada.post(`${template}/publish`, { version: 1, environment: 'staging' });
    await ada.post(`${template}/publish`, { version: 1, environment: 'staging', at });
    await ada.post(`${template}/publish`, { version: 1 });
    const { status, text } = await ada.delete(`${environments}/staging`);
    expect([status, text]).toEqual([409, expect.stringContaining('force=true')]);
    expect((await ada.delete(`${environments}/staging?force=true`)).status).toBe(204);
    expect((await ada.get(`${template}/published?environment=staging`)).status).toBe(404);
    expect((await ada.get(`${template}/published`)).status).toBe(200);
    const { body } = await ada.get<{ data: { id: string }[] }>(`${template}/publications`);
    // All ids of a workspace end alike (docs/adr/0038).
    expect(new Set(body.data.map(({ id }) => id.slice(-3)))).toEqual(new Set([template.slice(-3)]));
    expect(body.data).toMatchObject([
      { environment: 'staging', status: 'unpublished' },
      { environment: 'production' },
      { environment: 'staging', status: 'published' },
    ]);
    const id = template.split('/').at(-1);
    expect(
      await galley.query('SELECT FROM scheduled_publications WHERE template_id = $1', [id]),
    ).toEqual([]);
    expect((await galley.eventsOf(workspaceId)).at(-1)).toMatchObject({
      kind: 'template.unpublished',
      sequence: 4,
      data: { name: 'A', version: 1, environment: 'staging', workspaceId },
    });
  });

  it('with something scheduled are deleted only by force', async () => {
    await create('staging');
    const at = '2099-01-01T00:00:00Z';
    await ada.post(`${template}/publish`, { version: 1, environment: 'staging', at });
    expect((await ada.delete(`${environments}/staging`)).status).toBe(409);
    expect((await ada.delete(`${environments}/staging?force=true`)).status).toBe(204);
  });
});

describe('an API key for one environment', () => {
  const createKey = async (body: object) =>
    ada.post<{ key: string; environment: string | null; role: string }>(
      `/api/workspaces/${workspaceId}/keys`,
      { name: 'Sender', role: 'viewer', ...body },
    );

  it('reads only what is published there', async () => {
    await create('staging');
    await ada.post(`${template}/publish`, { version: 1 });
    await ada.post(`${template}/publish`, { version: 1, environment: 'staging' });
    const { body, status } = await createKey({ environment: 'staging' });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ environment: 'staging', role: 'viewer' }),
    ]);
    const sender = new Client(galley.url, body.key);
    const read = await sender.get(`${template}/published?environment=staging`);
    expect([read.status, read.text]).toEqual([
      200,
      (await ada.get(`${template}/published?environment=staging`)).text,
    ]);
    for (const path of [
      `${template}/published`,
      template,
      `${template}/versions`,
      `${template}/publications`,
      `/api/templates?workspaceId=${workspaceId}`,
      `/api/workspaces/${workspaceId}`,
      `/api/events?workspaceId=${workspaceId}`,
      environments,
    ]) {
      expect([path, (await sender.get(path)).status]).toEqual([path, 403]);
    }
    const publish = { version: 1, environment: 'staging' };
    expect((await sender.post(`${template}/publish`, publish)).status).toBe(403);
    expect((await sender.post('/api/workspaces', { name: 'Mine' })).status).toBe(403);
    expect((await sender.get<{ data: object[] }>('/api/workspaces')).body.data).toEqual([]);
    const { body: keys } = await ada.get<{ data: object[] }>(`/api/workspaces/${workspaceId}/keys`);
    expect(keys.data).toMatchObject([{ environment: 'staging', role: 'viewer' }]);
    await ada.delete(`${environments}/staging?force=true`);
    expect((await sender.get(`${template}/published?environment=staging`)).status).toBe(404);
  });

  it('shows the modules of the documents that it reads', async () => {
    const module = { name: 'M', workspaceId, content: { type: 'text', text: 'Hello' } };
    const moduleId = await createResource(ada, '/api/modules', module);
    await ada.put(template, { content: { blocks: [{ type: 'module', moduleId }] } });
    await ada.post(`${template}/publish`, { version: 2 });
    const { body } = await createKey({ environment: 'production' });
    const sender = new Client(galley.url, body.key);
    const read = await sender.get(`${template}/published?expand=modules`);
    expect([read.status, read.text]).toEqual([200, expect.stringContaining('Hello')]);
    expect((await sender.get(`/api/modules/${moduleId}`)).status).toBe(403);
  });

  it('must have the role viewer and an environment that exists', async () => {
    expect((await createKey({ environment: 'production', role: 'editor' })).status).toBe(400);
    expect((await createKey({ environment: 'unknown' })).status).toBe(404);
    expect((await createKey({})).body.environment).toBeNull();
  });
});
