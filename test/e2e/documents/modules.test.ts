import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

interface Module {
  id: string;
  name: string;
  category: string;
  updatedAt: string;
}

let galley: Galley;
let ada: Client;
let workspace: Workspace;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  workspace = await galley.createWorkspaceFor('ada');
});
afterAll(() => galley.stop());

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
    expect(module).toEqual({
      id: expect.any(String),
      name: 'Footer',
      workspaceId: workspace.id,
      content,
      category: '',
      description: '',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
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
    for (const change of changes) {
      const { status, body } = await ada.put<Module>(pathOf(module), change);
      expected = { ...expected, ...change, updatedAt: body.updatedAt };
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
