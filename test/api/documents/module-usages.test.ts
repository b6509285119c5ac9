import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { refer, text, withBlocks } from '../../support/api/references.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Document {
  id: string;
  version: number;
  content: object;
  warnings?: { path: string; moduleId: string; problem: string }[];
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const createModule = (content: object, fields: object = {}) =>
  createResource(ada, '/api/modules', { name: 'Module', workspaceId, content, ...fields });
const createTemplate = (content: object) =>
  createResource(ada, '/api/templates', { name: 'Template', workspaceId, content });
const updateModule = (id: string, content: object) => ada.put(`/api/modules/${id}`, { content });
const expand = async (path: string, client = ada) =>
  (await client.get<Document>(`${path}?expand=modules`)).body;

describe('usages', () => {
  interface Usage {
    id: string;
    kind: string;
    moduleId: string;
    pinnedVersion: number | null;
    occurrences: number;
  }
  const listUsages = async (id: string, query = '') =>
    (
      await ada.get<{ data: Usage[]; nextCursor: string | null }>(
        `/api/modules/${id}/usages${query}`,
      )
    ).body;
  const usagesOf = async (id: string) =>
    (await listUsages(id)).data.map((usage) => [
      usage.id,
      usage.moduleId,
      usage.pinnedVersion,
      usage.occurrences,
    ]);

  it('list who uses a module, directly and through another module', async () => {
    const inner = await createModule(text('Inner'));
    const outer = await createModule({ type: 'box', blocks: [refer(inner), refer(inner)] });
    const template = await createTemplate(withBlocks(refer(outer), refer(inner, 1)));
    expect(await usagesOf(inner)).toEqual([
      [outer, inner, null, 2],
      [template, inner, 1, 1],
      [template, outer, null, 1],
    ]);
    const { data } = await listUsages(inner);
    expect(data[1]).toEqual({
      kind: 'template',
      id: template,
      name: 'Template',
      workspaceId,
      version: 1,
      moduleId: inner,
      pinnedVersion: 1,
      occurrences: 1,
    });
    const first = await listUsages(inner, '?limit=2');
    const second = await listUsages(inner, `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(data);
    expect(second.nextCursor).toBeNull();

    await ada.put(`/api/templates/${template}`, { content: withBlocks() });
    expect(await usagesOf(inner)).toEqual([[outer, inner, null, 2]]);
    await ada.put(`/api/modules/${outer}`, { description: 'Kept' });
    expect(await usagesOf(inner)).toEqual([[outer, inner, null, 2]]);
    await ada.delete(`/api/modules/${outer}`);
    expect(await usagesOf(inner)).toEqual([]);
  });

  it('follow duplicates, restores, batches and deletions', async () => {
    const id = await createModule(text('A'));
    const content = withBlocks(refer(id));
    const template = await createTemplate(content);
    const copy = (await ada.post<Document>(`/api/templates/${template}/duplicate`)).body.id;
    await ada.put(`/api/templates/${template}`, { content: withBlocks() });
    expect(await usagesOf(id)).toEqual([[copy, id, null, 1]]);
    await ada.post(`/api/templates/${template}/versions/1/restore`, { modules: 'as-now' });
    expect(await usagesOf(id)).toEqual([
      [template, id, null, 1],
      [copy, id, null, 1],
    ]);
    const { body } = await ada.post<{ data: { template: Document }[] }>('/api/templates/batch', {
      workspaceId,
      operations: [
        { action: 'create', name: 'A', content },
        { action: 'update', id: template, content: {} },
        { action: 'delete', id: copy },
      ],
    });
    expect(await usagesOf(id)).toEqual([[body.data[0]?.template.id, id, null, 1]]);
    await ada.delete(`/api/templates/${body.data[0]?.template.id}`);
    expect(await usagesOf(id)).toEqual([]);
  });

  it('protect a module from its deletion', async () => {
    const id = await createModule(text('A'));
    const template = await createTemplate(withBlocks(refer(id), refer(id)));
    const refused = await ada.delete(`/api/modules/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('1 template uses this module.');
    const deletion = { workspaceId, operations: [{ action: 'delete', id }] };
    expect((await ada.post('/api/modules/batch', deletion)).status).toBe(409);
    expect((await ada.get(`/api/modules/${id}`)).status).toBe(200);
    expect((await ada.post('/api/modules/batch?force=true', deletion)).status).toBe(200);
    expect((await ada.get(`/api/modules/${id}`)).status).toBe(404);
    expect((await expand(`/api/templates/${template}`)).warnings).toHaveLength(2);
  });

  it('do not protect a module from a batch that removes them', async () => {
    const id = await createModule(text('A'));
    const user = await createModule({ type: 'box', blocks: [refer(id)] });
    const other = await createModule({ type: 'box', blocks: [refer(id)] });
    const operations = [
      { action: 'delete', id },
      { action: 'update', id: user, content: text('Without') },
    ];
    const deleteWith = (...more: object[]) =>
      ada.post('/api/modules/batch', { workspaceId, operations: [...operations, ...more] });
    expect((await deleteWith()).text).toContain('1 module uses this module.');
    expect((await deleteWith({ action: 'delete', id: other })).status).toBe(200);
  });

  it('are counted up to a thousand', async () => {
    const id = await createModule(text('A'));
    await galley.query(
      `INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
       SELECT gen_random_uuid(), 'template', $1, 0, 1 FROM generate_series(1, 1001)`,
      [id],
    );
    const refused = await ada.delete(`/api/modules/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('This module is used more than 1,000 times.');
  });

  it('hide documents of workspaces that the caller cannot read', async () => {
    const id = await createModule(text('A'));
    const bob = await galley.clientFor('bob');
    const { user } = (await bob.get<{ user: { id: string } }>('/api/auth/me')).body;
    await ada.post(`/api/workspaces/${workspaceId}/members`, { userId: user.id, role: 'viewer' });
    const bobs = (await galley.createWorkspaceFor('bob')).id;
    const bobsTemplates: string[] = [];
    for (let index = 0; index < 5; index++) {
      const input = { name: 'Bob', workspaceId: bobs, content: withBlocks(refer(id)) };
      bobsTemplates.push(await createResource(bob, '/api/templates', input));
    }
    expect(await usagesOf(id)).toEqual([]);
    const seenByBob = await bob.get<{ data: Usage[] }>(`/api/modules/${id}/usages`);
    expect(seenByBob.body.data.map((usage) => usage.id)).toEqual(bobsTemplates);
    expect((await ada.delete(`/api/modules/${id}`)).status).toBe(409);

    // A page is filled with usages that the caller can read.
    const own = await createTemplate(withBlocks(refer(id)));
    for (const limit of [1, 3, 5]) {
      const { data, nextCursor } = await listUsages(id, `?limit=${limit}`);
      expect([data.map((usage) => usage.id), nextCursor]).toEqual([[own], null]);
    }
    // A page that has scanned a thousand usages ends.
    await galley.query(
      `INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
       SELECT $1, 'template', $2, number, 1 FROM generate_series(1, 2000) number`,
      [bobsTemplates[0], id],
    );
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof listUsages>> = await listUsages(
        id,
        `?limit=1${cursor && `&cursor=${cursor}`}`,
      );
      pages.push(page.data.map((usage) => usage.id));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([[], [], [own]]);
  });
});

describe('a restore', () => {
  it('shows what was seen then, also inside of modules, or follows the modules of today', async () => {
    const inner = await createModule(text('Then'));
    const outer = await createModule({ type: 'box', blocks: [refer(inner)] });
    const template = await createTemplate(withBlocks(refer(outer)));
    const path = `/api/templates/${template}`;
    const seenThen = (await expand(path)).content;
    await updateModule(inner, text('Now'));
    await updateModule(outer, { type: 'box', blocks: [text('New'), refer(inner)] });
    const seenNow = (await expand(path)).content;
    await ada.put(path, { content: withBlocks() });

    const unmarked = (content: object) =>
      JSON.parse(JSON.stringify(content), (name, value: unknown) =>
        name === '$module' ? undefined : value,
      ) as object;
    await ada.post(`${path}/versions/1/restore`, { modules: 'as-now' });
    expect((await expand(path)).content).toEqual(seenNow);
    await ada.post(`${path}/versions/1/restore`);
    expect(unmarked((await expand(path)).content)).toEqual(unmarked(seenThen));
    await updateModule(inner, text('Later'));
    expect(unmarked((await expand(path)).content)).toEqual(unmarked(seenThen));
    const { content } = (await ada.get<Document>(path)).body;
    expect(content).toEqual(
      withBlocks({ ...refer(outer, 1), asOf: expect.stringMatching(/^\d{4}-.*Z$/) }),
    );
    expect(unmarked((await expand(`${path}/versions/1`)).content)).toEqual(unmarked(seenThen));
  });
});
