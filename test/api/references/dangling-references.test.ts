import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { box } from '../../support/api/references.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Document {
  id: string;
  version: number;
  content: object;
  warnings: object[];
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const create = (path: string, content: object) =>
  createResource(ada, path, { name: 'A', workspaceId, content });
const createModule = () => create('/api/modules', { type: 'text' });

describe.each(['/api/templates', '/api/modules'])('in %s', (path) => {
  const changesOf = (id: string) => [
    () => ada.put<Document>(`${path}/${id}`, { name: 'New name' }),
    () => ada.post<Document>(`${path}/${id}/duplicate`),
    () => ada.post<Document>(`${path}/${id}/versions/1/restore`),
    () => ada.post<Document>(`${path}/${id}/versions/1/restore`, { modules: 'as-now' }),
  ];

  it('a document can be renamed, duplicated and restored after its module was deleted', async () => {
    const moduleId = await createModule();
    const id = await create(path, box(moduleId));
    await ada.delete(`/api/modules/${moduleId}?force=true`);
    for (const change of changesOf(id)) {
      const { status, text, body } = await change();
      expect([status < 300, text]).toEqual([true, text]);
      const expanded = await ada.get<Document>(`${path}/${body.id}?expand=modules`);
      expect(expanded.body.warnings).toMatchObject([{ moduleId, problem: 'not_found' }]);
    }
    // A document that the caller sends is still checked.
    expect((await ada.put(`${path}/${id}`, { content: box(moduleId, moduleId) })).status).toBe(400);
    // The references work again, and count, when the module is restored.
    await ada.post(`/api/trash/${moduleId}/restore`);
    const usages = await ada.get<{ data: object[] }>(`/api/modules/${moduleId}/usages`);
    expect(usages.body.data).toHaveLength(2);
    const { body } = await ada.get<Document>(`${path}/${id}?expand=modules`);
    expect(body.warnings).toEqual([]);
  });

  it('a document from before references can be renamed, duplicated and restored', async () => {
    const content = JSON.stringify(box('my-own-id'));
    const id = await create(path, { type: 'box' });
    await galley.query(
      `SELECT set_config('galley.no_event', 'an earlier version wrote the document', true);
       UPDATE document_versions SET content = '${content}' WHERE document_id = '${id}'`,
    );
    for (const change of changesOf(id)) {
      const { status, text, body } = await change();
      expect([status < 300, text]).toEqual([true, text]);
      expect(body.content).toEqual(box('my-own-id'));
    }
    const name = { name: 'Same content', content: box('my-own-id') };
    expect((await ada.put(`${path}/${id}`, name)).status).toBe(400);
  });
});

it('a stored document with more references than Galley checks is refused', async () => {
  const moduleId = await createModule();
  const id = await create('/api/templates', { type: 'box' });
  const blocks = Array.from({ length: 1_001 }, (_, index) => ({
    type: 'module',
    moduleId,
    version: index + 1,
  }));
  await galley.query('UPDATE document_versions SET content = $2 WHERE document_id = $1', [
    id,
    JSON.stringify({ type: 'box', blocks }),
  ]);
  const { status, text } = await ada.post(`/api/templates/${id}/duplicate`);
  expect([status, text]).toEqual([400, expect.stringContaining('more than 1000 modules')]);
});

it('a restore closes no cycle, also through a module in the trash', async () => {
  const inner = await createModule();
  const outer = await create('/api/modules', box(inner));
  await ada.put(`/api/modules/${outer}`, { content: { type: 'text' } });
  await ada.put(`/api/modules/${inner}`, { content: box(outer) });
  const restore = () => ada.post(`/api/modules/${outer}/versions/1/restore`, { modules: 'as-now' });
  expect((await restore()).status).toBe(400);
  await ada.delete(`/api/modules/${inner}`);
  expect((await restore()).text).toContain('refers to a module that uses this module');
});

it('a restore gives no access to a module of another workspace', async () => {
  const bob = await galley.clientFor('bob');
  const bobs = (await galley.createWorkspaceFor('bob')).id;
  const { user } = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body;
  await bob.post(`/api/workspaces/${bobs}/members`, { userId: user.id, role: 'viewer' });
  const foreign = await createResource(bob, '/api/modules', {
    name: 'Bob',
    workspaceId: bobs,
    content: { type: 'text', text: 'Secret' },
  });
  const id = await create('/api/templates', box(foreign));
  await bob.delete(`/api/workspaces/${bobs}/members/${user.id}`);
  for (const modules of ['as-then', 'as-now']) {
    const restored = await ada.post(`/api/templates/${id}/versions/1/restore`, { modules });
    expect(restored.status).toBe(200);
    const { text } = await ada.get(`/api/templates/${id}?expand=modules`);
    expect(text).toContain('not_found');
    expect(text).not.toContain('Secret');
  }
});
