import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { restore } from '../../support/api/trash.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';
import { itRaces } from '../../support/it-races.js';

interface Document {
  id: string;
  name: string;
  tags: string[];
  version: number;
  updatedAt: string;
  updatedBy: string;
}
type List = { data: Document[]; nextCursor: string | null };

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const create = (kind: string, tags: string[], fields: object = {}) =>
  createResource(ada, `/api/${kind}s`, { name: 'A', workspaceId, content: {}, tags, ...fields });
const read = async (path: string) => (await ada.get<Document>(path)).body;
const tagUsages = async (query = '') =>
  (
    await ada.get<{ data: { name: string }[]; nextCursor: string | null }>(
      `/api/tags?workspaceId=${workspaceId}${query}`,
    )
  ).body;
const eventsOf = async (id: string) => {
  const rows = await galley.eventsOf(id);
  return rows.map(({ kind, sequence }) => `${kind} ${sequence}`);
};
const indexedTags = (id: string) =>
  galley.query('SELECT tag FROM document_tags WHERE document_id = $1 ORDER BY tag', [id]);

describe.each(kinds)('the tags of a $name', (documentKind: Kind) => {
  const { name: kind, path } = documentKind;

  it('are sorted, trimmed and unique', async () => {
    const id = await create(kind, ['sale', ' 2026 ', 'sale', 'Sale', 'Füße']);
    expect((await read(`${path}/${id}`)).tags).toEqual(['2026', 'Füße', 'Sale', 'sale']);
    expect(await indexedTags(id)).toHaveLength(4);
  });

  it('change with an event, and without a version', async () => {
    const id = await create(kind, ['sale']);
    const before = await read(`${path}/${id}`);
    const { status, body } = await ada.put<Document>(`${path}/${id}`, { tags: ['b', 'a'] });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, tags: ['a', 'b'], updatedAt: body.updatedAt });
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect(await read(`${path}/${id}`)).toEqual(body);
    expect((await ada.get<List>(`${path}/${id}/versions`)).body.data).toHaveLength(1);
    const changed = await ada.put<Document>(`${path}/${id}`, { name: 'B', tags: ['c'] });
    expect(changed.body).toMatchObject({ name: 'B', tags: ['c'], version: 2 });
    expect(await eventsOf(id)).toEqual([
      `${kind}.created 1`,
      `${kind}.updated 2`,
      `${kind}.updated 3`,
    ]);
    expect(await indexedTags(id)).toEqual([{ tag: 'c' }]);
  });

  it('can be sent back as they were read, which changes nothing', async () => {
    const id = await create(kind, ['b', 'a']);
    const before = await read(`${path}/${id}`);
    expect((await ada.put(`${path}/${id}`, before)).body).toEqual(before);
    expect(await eventsOf(id)).toEqual([`${kind}.created 1`]);
  });

  it('stay through other changes, restores, duplicates and the trash', async () => {
    const id = await create(kind, ['sale']);
    await ada.put(`${path}/${id}`, { name: 'B' });
    await ada.post(`${path}/${id}/versions/1/restore`);
    expect(await read(`${path}/${id}`)).toMatchObject({ name: 'A', tags: ['sale'], version: 3 });
    const copy = await ada.post<Document>(`${path}/${id}/duplicate`);
    expect(copy.body.tags).toEqual(['sale']);
    await ada.delete(`${path}/${id}`);
    expect(await indexedTags(id)).toEqual([]);
    await restore(ada, id);
    expect((await read(`${path}/${id}`)).tags).toEqual(['sale']);
    expect(await indexedTags(id)).toEqual([{ tag: 'sale' }]);
  });

  it('change in a batch as in separate requests', async () => {
    const [tagged, both, same] = [
      await create(kind, []),
      await create(kind, ['a']),
      await create(kind, ['a']),
    ];
    const { status, body } = await sendBatch(ada, documentKind, workspaceId, [
      { action: 'update', id: tagged, tags: ['b', 'a'] },
      { action: 'update', id: both, name: 'B', tags: [] },
      { action: 'update', id: same, tags: ['a'], content: {} },
      { action: 'create', name: 'C', content: {}, tags: ['c'] },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [
        { [kind]: { tags: ['a', 'b'], version: 1 } },
        { [kind]: { tags: [], version: 2, name: 'B' } },
        { [kind]: { tags: ['a'], version: 1 } },
        { [kind]: { tags: ['c'], version: 1 } },
      ],
    });
    expect(await eventsOf(tagged)).toEqual([`${kind}.created 1`, `${kind}.updated 2`]);
    expect(await eventsOf(same)).toEqual([`${kind}.created 1`]);
    expect(await indexedTags(both)).toEqual([]);
  });

  it.each([
    [['a,b'], 'tags must be an array of tags; a tag must not contain a comma.'],
    [[' '], 'tags must be an array of tags; a tag must not be empty.'],
    ['sale', 'tags must be an array of tags.'],
    [Array.from({ length: 21 }, (_, index) => `${index}`), 'tags must have at most 20 tags.'],
  ])('cannot be %j', async (tags, message) => {
    const id = await create(kind, ['a']);
    const { status, body } = await ada.put(`${path}/${id}`, { tags });
    expect([status, body]).toMatchObject([400, { message }]);
    expect((await read(`${path}/${id}`)).tags).toEqual(['a']);
  });

  it.each([
    ['tags=sale', ['both', 'one']],
    ['tags=sale,offer', ['both']],
    ['tags=sale,offer&tagsMatch=any', ['both', 'one', 'other']],
    ['tags=Sale', []],
    ['tags=sale&search=o', ['both', 'one']],
  ])('are a filter of the list: %s', async (query, names) => {
    for (const [name, tags] of [
      ['none', []],
      ['other', ['offer']],
      ['one', ['sale']],
      ['both', ['sale', 'offer', 'x']],
    ] as const) {
      await create(kind, [...tags], { name });
    }
    // Ascending, a list ends at the low watermark, which waits for the writes of other files.
    for (const sort of ['-updatedAt', '-createdAt', 'name']) {
      const url = `${path}?workspaceId=${workspaceId}&${query}&sort=${sort}`;
      const { body } = await ada.get<List>(url);
      expect(body.data.map(({ name }) => name).sort()).toEqual([...names].sort());
      expect(body.nextCursor).toBeNull();
    }
  });
});

describe('the tags of a workspace', () => {
  it('are listed with counts, page by page', async () => {
    await create('template', ['a', 'b']);
    await create('template', ['b']);
    await create('module', ['b', 'Ü']);
    expect(await tagUsages()).toEqual({
      data: [
        { name: 'a', templates: 1, modules: 0 },
        { name: 'b', templates: 2, modules: 1 },
        { name: 'Ü', templates: 0, modules: 1 },
      ],
      nextCursor: null,
    });
    const first = await tagUsages('&limit=2');
    expect(first.data.map(({ name }) => name)).toEqual(['a', 'b']);
    const second = await tagUsages(`&limit=2&cursor=${first.nextCursor}`);
    expect(second).toEqual({ data: [{ name: 'Ü', templates: 0, modules: 1 }], nextCursor: null });
  });

  it('are renamed and removed in all documents, each with its event', async () => {
    const ids = [
      await create('template', ['old', 'new']),
      await create('template', ['x']),
      await create('module', ['old']),
    ];
    const body = { workspaceId, name: 'old', newName: 'new' };
    const renamed = await ada.post('/api/tags/rename', body);
    expect([renamed.status, renamed.body]).toEqual([200, { changed: 2, isComplete: true }]);
    const paths = [
      `/api/templates/${ids[0]}`,
      `/api/templates/${ids[1]}`,
      `/api/modules/${ids[2]}`,
    ];
    const tags = async () => (await Promise.all(paths.map(read))).map((document) => document.tags);
    expect(await tags()).toEqual([['new'], ['x'], ['new']]);
    expect(await eventsOf(ids[0] ?? '')).toEqual(['template.created 1', 'template.updated 2']);
    expect(await eventsOf(ids[2] ?? '')).toEqual(['module.created 1', 'module.updated 2']);
    expect((await ada.post('/api/tags/rename', body)).body).toEqual({
      changed: 0,
      isComplete: true,
    });
    const same = { ...body, newName: ' old ' };
    expect((await ada.post('/api/tags/rename', same)).body).toMatchObject({
      message: 'newName must differ from name',
    });
    const removed = await ada.post('/api/tags/remove', { workspaceId, name: 'new' });
    expect(removed.body).toEqual({ changed: 2, isComplete: true });
    expect(await tags()).toEqual([[], ['x'], []]);
    expect((await tagUsages()).data).toEqual([{ name: 'x', templates: 1, modules: 0 }]);
  });

  it('change 1,000 documents in a request, and count no further', async () => {
    const operations = Array.from({ length: 1_000 }, () => ({
      action: 'create',
      name: 'A',
      content: {},
      tags: ['old'],
    }));
    for (const kind of kinds) await sendBatch(ada, kind, workspaceId, operations);
    await create('module', ['old']);
    expect((await tagUsages()).data).toEqual([{ name: 'old', templates: 1_000, modules: 1_000 }]);
    const results = [];
    for (let isComplete = false; !isComplete;) {
      const { body } = await ada.post<{ isComplete: boolean }>('/api/tags/rename', {
        workspaceId,
        name: 'old',
        newName: 'new',
      });
      results.push(body);
      ({ isComplete } = body);
    }
    expect(results).toEqual([
      { changed: 2_000, isComplete: false },
      { changed: 1, isComplete: true },
    ]);
  });

  itRaces('survive parallel renames and updates of the same documents', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => create('template', ['a'])));
    await Promise.all([
      ...['b', 'c', 'd'].map((newName) =>
        ada.post('/api/tags/rename', { workspaceId, name: 'a', newName }),
      ),
      ...ids.map((id) => ada.put(`/api/templates/${id}`, { name: 'B' })),
      ...ids.map((id, index) => ada.put(`/api/templates/${id}`, { tags: ['a', `${index}`] })),
    ]);
    for (const id of ids) {
      const { tags } = await read(`/api/templates/${id}`);
      expect(await indexedTags(id)).toEqual(tags.map((tag) => ({ tag })));
      expect(await eventsOf(id)).toHaveLength(
        Number((await eventsOf(id)).at(-1)?.split(' ').at(-1)),
      );
    }
  });
});
