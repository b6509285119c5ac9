import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import type { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { itRaces } from '../../support/it-races.js';

interface Template {
  id: string;
  name: string;
  workspaceId: string;
  content: unknown;
  version: number;
  createdAt: string;
  updatedAt: string;
}

interface List<T> {
  data: T[];
  nextCursor: string | null;
}

const galley = useSharedGalley();
let ada: Client;
let workspace: Workspace;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspace = await galley.createWorkspaceFor('ada');
});

const create = async (fields: object = {}) => {
  const { status, body } = await ada.post<Template>('/api/templates', {
    name: 'Spring',
    workspaceId: workspace.id,
    ...fields,
  });
  expect(status).toBe(201);
  return body;
};
const pathOf = ({ id }: { id: string }) => `/api/templates/${id}`;

describe('a template', () => {
  it('is created with defaults, a location, version 1 and trimmed name', async () => {
    const { status, headers, body } = await ada.post<Template>('/api/templates', {
      name: '  Spring sale ',
      workspaceId: workspace.id,
    });
    const me = await ada.get<{ user: { id: string } }>('/api/auth/me');
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(pathOf(body));
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      name: 'Spring sale',
      workspaceId: workspace.id,
      externalId: null,
      content: { styles: {}, stripes: [] },
      tags: [],
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      createdBy: me.body.user.id,
      updatedAt: body.createdAt,
      updatedBy: me.body.user.id,
    });
    expect((await ada.get(pathOf(body))).body).toEqual(body);
  });

  it('is updated by any subset of its fields, with a new version each time', async () => {
    const template = await create();
    const renamed = await ada.put<Template>(pathOf(template), { name: 'Summer' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({
      ...template,
      name: 'Summer',
      version: 2,
      updatedAt: renamed.body.updatedAt,
    });
    const content = { stripes: [{ id: 's1' }] };
    const filled = await ada.put<Template>(pathOf(template), { content });
    expect(filled.body).toMatchObject({ name: 'Summer', content, version: 3 });
    expect(Date.parse(filled.body.updatedAt)).toBeGreaterThanOrEqual(
      Date.parse(renamed.body.updatedAt),
    );
  });

  it('can be sent back as it was read, which changes nothing', async () => {
    const template = await create({ content: { a: 'é' } });
    const { status, body } = await ada.put(pathOf(template), template);
    expect({ status, body }).toEqual({ status: 200, body: template });
    const reformatted = '{ "content": { "a": "\\u00e9" } }';
    const jsonHeaders = { 'content-type': 'application/json' };
    expect((await ada.raw('PUT', pathOf(template), reformatted, jsonHeaders)).body).toEqual(
      template,
    );
    expect((await ada.get<List<object>>(`${pathOf(template)}/versions`)).body.data).toHaveLength(1);
  });

  it('is 404 after its deletion, with its versions', async () => {
    const template = await create();
    const deleted = await ada.delete(pathOf(template));
    expect({ status: deleted.status, text: deleted.text }).toEqual({ status: 204, text: '' });
    for (const path of [pathOf(template), `${pathOf(template)}/versions`]) {
      expect((await ada.get(path)).status).toBe(404);
    }
    expect((await ada.put(pathOf(template), { name: 'x' })).status).toBe(404);
    expect((await ada.delete(pathOf(template))).status).toBe(404);
  });

  itRaces('applies concurrent updates one after the other', async () => {
    const template = await create();
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
    const responses = await Promise.all(
      names.map((name) => ada.put<Template>(pathOf(template), { name })),
    );
    const versions = responses.map(({ body }) => body.version).sort((a, b) => a - b);
    expect(versions).toEqual(names.map((_, index) => index + 2));
  });
});

describe('the duplicate of a template', () => {
  it('is called Name (copy), then Name (copy 2), and starts its own history', async () => {
    const name = 'Autumn';
    const template = await create({ name, content: { stripes: [{ a: 1 }] } });
    await ada.put(pathOf(template), { content: { stripes: [{ a: 2 }] } });
    const copies: Template[] = [];
    for (let count = 0; count < 3; count++) {
      const { status, body, headers } = await ada.post<Template>(`${pathOf(template)}/duplicate`);
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(pathOf(body));
      copies.push(body);
    }
    expect(copies.map((copy) => copy.name)).toEqual([
      'Autumn (copy)',
      'Autumn (copy 2)',
      'Autumn (copy 3)',
    ]);
    expect(copies[0]).toMatchObject({ version: 1, content: { stripes: [{ a: 2 }] } });
    const copyOfCopy = await ada.post<Template>(`${pathOf(copies[0] ?? template)}/duplicate`);
    expect(copyOfCopy.body.name).toBe('Autumn (copy 4)');
    expect((await ada.get<Template>(pathOf(template))).body).toMatchObject({ name, version: 2 });
  });

  it('stays within the length limit, counted in characters', async () => {
    const template = await create({ name: '🍲'.repeat(255) });
    const { status, body } = await ada.post<Template>(`${pathOf(template)}/duplicate`);
    expect(status).toBe(201);
    expect(body.name).toBe(`${'🍲'.repeat(248)} (copy)`);
  });

  it('accepts a name and another workspace', async () => {
    const template = await create();
    const other = await galley.createWorkspaceFor('ada');
    const { body } = await ada.post<Template>(`${pathOf(template)}/duplicate`, {
      name: 'Winter',
      workspaceId: other.id,
    });
    expect(body).toMatchObject({ name: 'Winter', workspaceId: other.id });
  });
});

describe('the versions of a template', () => {
  it('are listed newest first, read one by one, and restored as a new version', async () => {
    const firstContent = { stripes: [{ text: 'first' }] };
    const template = await create({ content: firstContent });
    await ada.put(pathOf(template), { name: 'Second', content: { stripes: [] } });
    const me = await ada.get<{ user: { id: string } }>('/api/auth/me');
    const versions = await ada.get<List<object>>(`${pathOf(template)}/versions`);
    expect(versions.body).toEqual({
      data: [
        {
          version: 2,
          name: 'Second',
          label: '',
          note: '',
          createdAt: expect.any(String),
          createdBy: me.body.user.id,
        },
        {
          version: 1,
          name: 'Spring',
          label: '',
          note: '',
          createdAt: template.createdAt,
          createdBy: me.body.user.id,
        },
      ],
      nextCursor: null,
    });
    const singleVersion = await ada.get(`${pathOf(template)}/versions/1`);
    expect(singleVersion.body).toMatchObject({ version: 1, name: 'Spring', content: firstContent });
    const firstPage = await ada.get<List<{ content: unknown }>>(
      `${pathOf(template)}/versions?content=true&limit=1`,
    );
    expect(firstPage.body.data).toMatchObject([{ version: 2, content: { stripes: [] } }]);
    const secondPage = await ada.get<List<object>>(
      `${pathOf(template)}/versions?cursor=${firstPage.body.nextCursor}`,
    );
    expect(secondPage.body.data).toMatchObject([{ version: 1 }]);

    const restored = await ada.post<Template>(`${pathOf(template)}/versions/1/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({ version: 3, name: 'Spring', content: firstContent });
    const events = await galley.eventsOf(template.id);
    expect(events.map(({ kind }) => ({ kind }))).toEqual([
      { kind: 'template.created' },
      { kind: 'template.updated' },
      { kind: 'template.updated' },
    ]);
  });
});

describe('the list of templates', () => {
  it('is sorted by newest change, in pages, with or without documents, and searched', async () => {
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const createdTemplates: Template[] = [];
    for (const name of ['Apple', 'Banana', 'Cherry', 'Apple pie', '50% off_now']) {
      createdTemplates.push(await create({ name, workspaceId }));
    }
    await ada.put(pathOf(createdTemplates[0] ?? { id: '' }), { name: 'Apple tree' });
    const names = ['Apple tree', '50% off_now', 'Apple pie', 'Cherry', 'Banana'];

    const list = (query: string) =>
      ada.get<List<Partial<Template>>>(`/api/templates?workspaceId=${workspaceId}${query}`);
    const pagedNames: (string | undefined)[] = [];
    let cursor = '';
    do {
      const { body } = await list(`&limit=2${cursor}`);
      pagedNames.push(...body.data.map(({ name }) => name));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor);
    expect(pagedNames).toEqual(names);

    const listWithContent = await list('');
    expect(listWithContent.body.nextCursor).toBeNull();
    expect(listWithContent.body.data[0]).toHaveProperty('content', { styles: {}, stripes: [] });
    const listWithoutContent = await list('&content=false');
    expect(listWithoutContent.body.data.map(({ name }) => name)).toEqual(names);
    for (const template of listWithoutContent.body.data)
      expect(template).not.toHaveProperty('content');

    const searchNames = async (search: string) =>
      (await list(`&search=${encodeURIComponent(search)}`)).body.data.map(({ name }) => name);
    expect(await searchNames('APPLE')).toEqual(['Apple tree', 'Apple pie']);
    expect(await searchNames('%')).toEqual(['50% off_now']);
    expect(await searchNames('_')).toEqual(['50% off_now']);
    expect(await searchNames("'")).toEqual([]);
  });

  it('is empty for a new workspace', async () => {
    const { id } = await galley.createWorkspaceFor('ada');
    const { body } = await ada.get(`/api/templates?workspaceId=${id}`);
    expect(body).toEqual({ data: [], nextCursor: null, syncCursor: null });
  });
});

describe('a document', () => {
  const folders = ['apps/settings/samples', 'test/samples', '../shared/samples'];
  const samplePaths = folders.flatMap((folder) => {
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(folder, name));
    } catch {
      // A clone of the repository alone does not have the last folder.
      return [];
    }
  });

  it.each(samplePaths)('%s is stored, versioned and returned byte for byte', async (path) => {
    const file = readFileSync(path, 'utf8').trim();
    const parsed = JSON.parse(file) as { content?: object };
    // The samples are templates, except for those in test/samples, which are only documents.
    const content = parsed.content ? JSON.stringify(parsed.content) : file;
    const jsonHeaders = { 'content-type': 'application/json' };
    const body = `{"name":"Sample","workspaceId":"${workspace.id}","content":${content}}`;
    const created = await ada.raw<Template>('POST', '/api/templates', body, jsonHeaders);
    expect(created.status).toBe(201);
    expect(created.text.endsWith(`"content":${content}}`)).toBe(true);
    const readResponse = await ada.get(pathOf(created.body));
    expect(readResponse.text).toBe(created.text);
    await ada.put(pathOf(created.body), { content: {} });
    const version = await ada.get(`${pathOf(created.body)}/versions/1`);
    expect(version.text.endsWith(`"content":${content}}`)).toBe(true);
    const restored = await ada.post(`${pathOf(created.body)}/versions/1/restore`);
    expect(restored.text.endsWith(`"content":${content}}`)).toBe(true);
  });
});
