import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import type { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

interface Module {
  id: string;
  name: string;
  category: string;
  updatedAt: string;
}

const galley = useSharedGalley();
let ada: Client;
let workspace: Workspace;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspace = await galley.createWorkspaceFor('ada');
});

const content = { type: 'container', 2: 'two', 1: 'one', blocks: [] };

const create = async (fields: object = {}) => {
  const { status, body, headers } = await ada.post<Module>('/api/modules', {
    name: 'Footer',
    workspaceId: workspace.id,
    content,
    ...fields,
  });
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(pathOf(body));
  return body;
};
const pathOf = ({ id }: { id: string }) => `/api/modules/${id}`;

describe('a module', () => {
  it('is created, with category and description empty by default', async () => {
    const module = await create();
    const me = await ada.get<{ user: { id: string } }>('/api/auth/me');
    expect(module).toEqual({
      id: expect.any(String),
      name: 'Footer',
      workspaceId: workspace.id,
      externalId: null,
      content,
      category: '',
      description: '',
      tags: [],
      version: 1,
      createdAt: expect.any(String),
      createdBy: me.body.user.id,
      updatedAt: expect.any(String),
      updatedBy: me.body.user.id,
    });
    expect((await ada.get(pathOf(module))).body).toEqual(module);
  });

  it('is updated by any subset of its fields', async () => {
    const module = await create({ category: 'footers', description: 'Wide' });
    const changes = [
      { name: 'Header' },
      { category: 'headers' },
      { description: '' },
      { content: { type: 'block' } },
    ];
    let expected: object = module;
    for (const [index, change] of changes.entries()) {
      const { status, body } = await ada.put<Module>(pathOf(module), change);
      expected = { ...expected, ...change, version: index + 2, updatedAt: body.updatedAt };
      expect({ status, body }).toEqual({ status: 200, body: expected });
    }
    expect((await ada.put(pathOf(module), expected)).body).toEqual(expected);
  });

  it('is duplicated with all its fields', async () => {
    const module = await create({ name: 'Menu', category: 'navigation', description: 'Top' });
    const first = await ada.post<Module>(`${pathOf(module)}/duplicate`);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      name: 'Menu (copy)',
      content,
      category: 'navigation',
      description: 'Top',
    });
    const second = await ada.post<Module>(`${pathOf(module)}/duplicate`, {});
    expect(second.body.name).toBe('Menu (copy 2)');
  });

  it('is 404 after its deletion', async () => {
    const module = await create();
    expect((await ada.delete(pathOf(module))).status).toBe(204);
    expect((await ada.get(pathOf(module))).status).toBe(404);
  });
});

describe('the versions of a module', () => {
  interface Version {
    version: number;
    createdBy: string | null;
  }
  interface Versions {
    data: Version[];
    nextCursor: string | null;
  }
  const listVersions = async (module: Module, query = '') =>
    (await ada.get<Versions>(`${pathOf(module)}/versions${query}`)).body;

  it('are listed newest first, read one by one, and restored as a new version', async () => {
    const module = await create({ category: 'footers', description: 'Wide' });
    const change = {
      name: 'Header',
      category: 'headers',
      description: '',
      content: { type: 'block' },
    };
    const updated = (await ada.put<Module>(pathOf(module), change)).body;
    const me = await ada.get<{ user: { id: string } }>('/api/auth/me');
    const createdBy = me.body.user.id;
    const first = {
      version: 1,
      name: 'Footer',
      category: 'footers',
      description: 'Wide',
      label: '',
      note: '',
      createdAt: module.updatedAt,
      createdBy,
    };
    const { content: changedContent, ...texts } = change;
    const second = {
      version: 2,
      ...texts,
      label: '',
      note: '',
      createdAt: updated.updatedAt,
      createdBy,
    };
    expect(await listVersions(module)).toEqual({ data: [second, first], nextCursor: null });
    const { data, nextCursor } = await listVersions(module, '?content=true&limit=1');
    expect(data).toEqual([{ ...second, content: changedContent }]);
    expect((await listVersions(module, `?cursor=${nextCursor}`)).data).toEqual([first]);
    const single = await ada.get(`${pathOf(module)}/versions/1`);
    expect(single.body).toEqual({ ...first, content });
    expect(single.text.endsWith(`"content":${JSON.stringify(content)}}`)).toBe(true);

    const restored = await ada.post<Module>(`${pathOf(module)}/versions/1/restore`);
    const { updatedAt } = restored.body;
    expect(restored.body).toEqual({ ...module, version: 3, updatedAt });
    expect((await listVersions(module)).data).toHaveLength(3);
    expect((await ada.get(`${pathOf(module)}/versions/4`)).status).toBe(404);
    expect((await ada.post(`${pathOf(module)}/versions/4/restore`)).status).toBe(404);
  });

  it('are not made by an update that changes nothing', async () => {
    const module = await create();
    await ada.put(pathOf(module), { name: 'Footer', content });
    expect((await listVersions(module)).data).toHaveLength(1);
  });

  it('of a copy begin with version 1', async () => {
    const module = await create();
    await ada.put(pathOf(module), { name: 'Header' });
    const copy = (await ada.post<Module>(`${pathOf(module)}/duplicate`)).body;
    expect((await listVersions(copy)).data).toMatchObject([{ version: 1, name: 'Header (copy)' }]);
    await ada.put(pathOf(copy), { name: 'Copy' });
    expect((await listVersions(copy)).data).toMatchObject([{ version: 2 }, { version: 1 }]);
  });

  it('are made by batches', async () => {
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const [kept, changed] = [await create({ workspaceId }), await create({ workspaceId })];
    const { body } = await ada.post<{ data: { module: Module }[] }>('/api/modules/batch', {
      workspaceId,
      operations: [
        { action: 'create', name: 'New', content: { type: 'block' } },
        { action: 'update', id: changed.id, description: 'Narrow' },
        { action: 'update', id: kept.id, content: { type: 'stripe' } },
      ],
    });
    const histories = await Promise.all(
      body.data.map(({ module }) => listVersions(module, '?content=true')),
    );
    expect(histories.map(({ data }) => data)).toMatchObject([
      [{ version: 1, name: 'New', content: { type: 'block' } }],
      [
        { version: 2, description: 'Narrow', content },
        { version: 1, description: '' },
      ],
      [
        { version: 2, content: { type: 'stripe' } },
        { version: 1, content },
      ],
    ]);
  });

  it('are deleted with the module', async () => {
    const module = await create();
    await ada.delete(pathOf(module));
    expect((await ada.get(`${pathOf(module)}/versions`)).status).toBe(404);
    expect((await ada.get(`${pathOf(module)}/versions/1`)).status).toBe(404);
  });
});

describe('the list of modules', () => {
  it('can be filtered by category and name', async () => {
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    await create({ name: 'Wide footer', category: 'footers', workspaceId });
    await create({ name: 'Footer', category: 'footers', workspaceId });
    await create({ name: 'Footer-like header', category: 'headers', workspaceId });
    const names = async (query: string) => {
      const path = `/api/modules?workspaceId=${workspaceId}&content=false${query}`;
      return (await ada.get<{ data: Module[] }>(path)).body.data.map(({ name }) => name);
    };
    expect(await names('')).toEqual(['Footer-like header', 'Footer', 'Wide footer']);
    expect(await names('&category=footers')).toEqual(['Footer', 'Wide footer']);
    expect(await names('&category=')).toEqual([]);
    expect(await names('&category=footers&search=wide')).toEqual(['Wide footer']);
  });
});
