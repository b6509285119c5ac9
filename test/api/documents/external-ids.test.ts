import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { restore } from '../../support/api/trash.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { itRaces } from '../../support/it-races.js';

interface Document {
  id: string;
  name: string;
  externalId: string | null;
  tags: string[];
  version: number;
  content: object;
  updatedAt: string;
}
interface Refusal {
  code: string;
  message: string;
  details?: { path: string }[];
}
type Response = Document & Refusal;

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const eventsOf = async (id: string) => {
  const rows = await galley.eventsOf<{ externalId: string | null }>(id);
  return rows.map(({ kind, sequence, data }) => `${kind} ${sequence} ${data.externalId}`);
};

describe.each(kinds)('the external id of a $name', ({ name: kind, path, required }: Kind) => {
  const create = (fields: object = {}, client = ada) =>
    client.post<Response>(path, { workspaceId, name: 'A', ...required, ...fields });
  const pathOf = (externalId: string, inWorkspace = workspaceId) =>
    `${path}/by-external-id/${encodeURIComponent(externalId)}?workspaceId=${inWorkspace}`;
  const upsert = (externalId: string, fields: object = {}, client = ada) =>
    client.put<Response>(pathOf(externalId), { name: 'A', ...required, ...fields });
  const read = async (id: string) => (await ada.get<Response>(`${path}/${id}`)).body;
  const expectTaken = ({ status, body }: { status: number; body: Refusal }) => {
    expect([status, body.code, body.details]).toEqual([
      409,
      'already_exists',
      [expect.objectContaining({ path: 'externalId' })],
    ]);
    expect(body.message).toContain(`another ${kind} in the workspace`);
  };

  it('is set, changed and removed without a new version', async () => {
    const { body: created } = await create({ externalId: 'crm/1', tags: ['a'] });
    expect(created).toMatchObject({ externalId: 'crm/1', version: 1 });
    const { id } = created;
    const changed = await ada.put<Response>(`${path}/${id}`, { externalId: 'crm/2' });
    expect(changed.body).toMatchObject({ externalId: 'crm/2', version: 1, tags: ['a'] });
    expect(changed.body.updatedAt > created.updatedAt).toBe(true);
    await ada.put(`${path}/${id}`, { name: 'B' });
    expect(await read(id)).toMatchObject({ externalId: 'crm/2', version: 2 });
    await ada.put(`${path}/${id}`, { tags: [] });
    expect(await read(id)).toMatchObject({ externalId: 'crm/2', tags: [] });
    await ada.put(`${path}/${id}`, { externalId: null });
    expect(await read(id)).toMatchObject({ externalId: null, version: 2 });
    await ada.put(`${path}/${id}`, { externalId: null });
    expect(await eventsOf(id)).toEqual([
      `${kind}.created 1 crm/1`,
      `${kind}.updated 2 crm/2`,
      `${kind}.updated 3 crm/2`,
      `${kind}.updated 4 crm/2`,
      `${kind}.updated 5 null`,
    ]);
  });

  it('is null without one, also if the request says so', async () => {
    expect((await create()).body.externalId).toBeNull();
    expect((await create({ externalId: null })).body.externalId).toBeNull();
  });

  it('stays when a version is restored and when a tag is renamed', async () => {
    const { id } = (await create({ externalId: 'a', tags: ['old'] })).body;
    await ada.put(`${path}/${id}`, { name: 'B', externalId: 'b' });
    await ada.post(`${path}/${id}/versions/1/restore`);
    await ada.post('/api/tags/rename', { workspaceId, name: 'old', newName: 'new' });
    expect(await read(id)).toMatchObject({ name: 'A', externalId: 'b', tags: ['new'] });
  });

  it('is unique in a workspace and kind', async () => {
    await create({ externalId: 'a' });
    expectTaken(await create({ externalId: 'a' }));
    const { id } = (await create({ externalId: 'b' })).body;
    expectTaken(await ada.put<Response>(`${path}/${id}`, { externalId: 'a' }));
    expectTaken(await ada.put<Response>(`${path}/${id}`, { name: 'New', externalId: 'a' }));
    expect(await read(id)).toMatchObject({ name: 'A', externalId: 'b', version: 1 });
    expect((await create({ externalId: 'A' })).status).toBe(201);
    const other = kinds.find(({ name }) => name !== kind) as Kind;
    const body = { workspaceId, name: 'A', ...other.required, externalId: 'a' };
    expect((await ada.post(other.path, body)).status).toBe(201);
    const elsewhere = (await galley.createWorkspaceFor('ada')).id;
    expect((await create({ externalId: 'a', workspaceId: elsewhere })).status).toBe(201);
  });

  it('is refused for a viewer even if it is taken, and an idempotent request is refused alike', async () => {
    await create({ externalId: 'a' });
    const key = ada.with({ 'idempotency-key': crypto.randomUUID() });
    expectTaken(await create({ externalId: 'a' }, key));
    const eve = await galley.clientFor('eve');
    expect((await create({ externalId: 'a' }, eve)).status).toBe(403);
    expect((await upsert('a', {}, eve)).status).toBe(403);
    expect((await eve.get(pathOf('a'))).status).toBe(403);
  });

  it.each(['', ' a', 'a ', 'a\u00a0', 'a\nb', 'a\u007fb', '.', '..', 'x'.repeat(256), 7])(
    'may not be %j',
    async (externalId) => {
      for (const { status, body } of [
        await create({ externalId }),
        await ada.put<Response>(`${path}/${(await create()).body.id}`, { externalId }),
      ]) {
        expect([status, body.details?.[0]?.path]).toEqual([400, 'externalId']);
      }
    },
  );

  it.each(['a\u0000b', '\ud800'])('may not be %j, as no other text', async (externalId) => {
    expect((await create({ externalId })).status).toBe(400);
  });

  it.each([
    'ä/ö?#%2F..',
    '...',
    'x'.repeat(255),
    '😀'.repeat(255),
    '00000000-0000-0000-0000-000000000000',
  ])('may be %s, in a path and in a filter', async (externalId) => {
    const { status, body, headers } = await upsert(externalId);
    expect([status, body.externalId]).toEqual([201, externalId]);
    expect(headers.get('location')).toBe(`${path}/${body.id}`);
    expect((await ada.get<Response>(pathOf(externalId))).body.id).toBe(body.id);
    const query = `workspaceId=${workspaceId}&externalId=${encodeURIComponent(externalId)}`;
    const list = await ada.get<{ data: Document[]; nextCursor: null }>(`${path}?${query}`);
    expect(list.body).toMatchObject({ data: [{ id: body.id, externalId }], nextCursor: null });
  });

  it('is refused in a path and in a filter as in a body', async () => {
    for (const externalId of [' a', 'x'.repeat(256), 'a\tb']) {
      expect((await upsert(externalId)).status).toBe(400);
      expect((await ada.get(pathOf(externalId))).status).toBe(400);
      const filter = `externalId=${encodeURIComponent(externalId)}`;
      expect((await ada.get(`${path}?workspaceId=${workspaceId}&${filter}`)).status).toBe(400);
    }
  });

  it('filters together with other filters, and only in its workspace', async () => {
    await create({ externalId: 'a', tags: ['x'] });
    const elsewhere = (await galley.createWorkspaceFor('ada')).id;
    await create({ externalId: 'a', workspaceId: elsewhere });
    const count = async (query: string) =>
      (await ada.get<{ data: object[] }>(`${path}?workspaceId=${workspaceId}&${query}`)).body.data
        .length;
    expect(await count('externalId=a&sort=name')).toBe(1);
    expect(await count('externalId=a&tags=x')).toBe(1);
    expect(await count('externalId=a&tags=y')).toBe(0);
    expect(await count('externalId=b')).toBe(0);
  });

  it('creates, and then updates only what differs', async () => {
    const created = await upsert('a', { content: { a: 1 }, tags: ['x'] });
    expect([created.status, created.body.version]).toEqual([201, 1]);
    const { id } = created.body;
    const repeated = await upsert('a', { content: { a: 1 }, tags: ['x'] });
    expect([repeated.status, repeated.text]).toEqual([200, created.text]);
    expect(repeated.headers.get('location')).toBeNull();
    expect(repeated.headers.get('etag')).toBe(created.headers.get('etag'));
    const tagged = await upsert('a', { content: { a: 1 }, tags: ['y'] });
    expect(tagged.body).toMatchObject({ id, version: 1, tags: ['y'] });
    const renamed = await upsert('a', { content: { a: 1 }, name: 'B' });
    expect(renamed.body).toMatchObject({ id, version: 2, tags: ['y'], name: 'B' });
    expect(await eventsOf(id)).toEqual([
      `${kind}.created 1 a`,
      `${kind}.updated 2 a`,
      `${kind}.updated 3 a`,
    ]);
  });

  it('accepts neither a workspace nor an external id in the body of its PUT', async () => {
    expect((await upsert('a', { workspaceId })).status).toBe(400);
    expect((await upsert('a', { externalId: 'b' })).status).toBe(400);
    expect((await ada.put(pathOf('a'), { content: {} })).status).toBe(400);
    expect((await ada.get(pathOf('a'))).status).toBe(404);
  });

  it('honours If-Match, with which it only updates', async () => {
    const withTag = (tag: string) => ada.with({ 'if-match': tag });
    for (const tag of ['*', '"k0"']) {
      expect((await upsert('a', {}, withTag(tag))).status).toBe(404);
    }
    const etag = (await upsert('a')).headers.get('etag') ?? '';
    const changed = await upsert('a', { name: 'B' }, withTag(etag));
    expect([changed.status, changed.body.name]).toEqual([200, 'B']);
    const stale = await upsert('a', { name: 'C' }, withTag(etag));
    expect([stale.status, stale.headers.get('etag')]).toEqual([412, changed.headers.get('etag')]);
    expect((await upsert('a', { name: 'C' }, withTag('*'))).body.name).toBe('C');
    const unsupported = await upsert('a', {}, ada.with({ 'if-none-match': '*' }));
    expect(unsupported.body.code).toBe('precondition_unsupported');
  });

  it('gets 304, 404 and an unknown workspace like an id', async () => {
    const { headers } = await upsert('a');
    const client = ada.with({ 'if-none-match': headers.get('etag') ?? '' });
    expect((await client.get(pathOf('a'))).status).toBe(304);
    expect((await ada.get(pathOf('b'))).status).toBe(404);
    expect((await ada.get(pathOf('a', crypto.randomUUID()))).status).toBe(404);
    expect((await ada.get(`${path}/by-external-id/a`)).status).toBe(400);
  });

  it('is not copied', async () => {
    const { id } = (await create({ externalId: 'a' })).body;
    for (const body of [undefined, { name: 'B' }]) {
      const copy = await ada.post<Response>(`${path}/${id}/duplicate`, body);
      expect([copy.status, copy.body.externalId]).toEqual([201, null]);
    }
    expect((await read(id)).externalId).toBe('a');
  });

  it('stays in the trash, where it is free for another document', async () => {
    const { id } = (await create({ externalId: 'a' })).body;
    await ada.delete(`${path}/${id}`);
    expect((await ada.get(pathOf('a'))).status).toBe(404);
    const { status, body: successor } = await upsert('a');
    expect([status, successor.id === id]).toEqual([201, false]);
    const refused = (await restore(ada, id)) as unknown as { status: number; body: Refusal };
    expect([refused.status, refused.body.code]).toEqual([409, 'already_exists']);
    expect(refused.body.message).toContain(`"a" now belongs to another ${kind}`);
    await ada.put(`${path}/${successor.id}`, { externalId: null });
    expect((await restore(ada, id)).status).toBe(200);
    expect((await ada.get<Response>(pathOf('a'))).body.id).toBe(id);
    expect(await eventsOf(id)).toEqual([
      `${kind}.created 1 a`,
      `${kind}.deleted 2 a`,
      `${kind}.restored 3 a`,
    ]);
  });

  itRaces('is created once by many requests at the same time', async () => {
    const requests = Array.from({ length: 20 }, (_, index) => upsert('a', { name: `N ${index}` }));
    const responses = await Promise.all(requests);
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(19).fill(200),
      201,
    ]);
    const [id = '', ...others] = new Set(responses.map(({ body }) => body.id));
    expect(others).toEqual([]);
    expect((await read(id)).version).toBe(20);
    expect(await eventsOf(id)).toHaveLength(20);
  });

  itRaces('is given to one of many creations at the same time', async () => {
    const requests = Array.from({ length: 10 }, () => create({ externalId: 'a' }));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  itRaces('survives deletions, restores and writes at the same time', async () => {
    const { id } = (await create({ externalId: 'a' })).body;
    const statuses = new Set<number>();
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all([
        ada.delete(`${path}/${id}`),
        upsert('a', { name: `N ${round}` }),
        restore(ada, id),
        upsert('a', { name: `M ${round}` }),
      ]);
      for (const { status } of responses) statuses.add(status);
      // The deletion may come last. The template of this creation is then the only one.
      expect((await upsert('a', { name: 'Last' })).status).toBeLessThan(300);
      const list = `${path}?workspaceId=${workspaceId}&sort=name`;
      const { body } = await ada.get<{ data: Document[] }>(list);
      expect(body.data.filter(({ externalId }) => externalId === 'a')).toHaveLength(1);
    }
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  });
});

it('the events of publications have the external id', async () => {
  const body = { workspaceId, name: 'A', externalId: 'a' };
  const { id } = (await ada.post<Response>('/api/templates', body)).body;
  await ada.post(`/api/templates/${id}/publish`, { version: 1 });
  await ada.post(`/api/templates/${id}/unpublish`);
  expect(await eventsOf(id)).toEqual([
    'template.created 1 a',
    'template.published 2 a',
    'template.unpublished 3 a',
  ]);
});

describe('the external ids of modules that use each other', () => {
  const refer = (moduleId: string) => ({ type: 'box', blocks: [{ type: 'module', moduleId }] });
  const upsert = (externalId: string, content: object) => {
    const path = `/api/modules/by-external-id/${externalId}?workspaceId=${workspaceId}`;
    return ada.put<Response>(path, { name: 'A', content });
  };

  it('create and update with references, without a cycle', async () => {
    const inner = await upsert('inner', {});
    const outer = await upsert('outer', refer(inner.body.id));
    expect([inner.status, outer.status]).toEqual([201, 201]);
    expect((await upsert('outer', refer(inner.body.id))).body.version).toBe(1);
    const changed = await upsert('outer', { ...refer(inner.body.id), a: 1 });
    expect([changed.status, changed.body.version]).toEqual([200, 2]);
    expect((await upsert('inner', refer(outer.body.id))).status).toBe(400);
    const expanded = await ada.get<Response>(
      `/api/modules/by-external-id/outer?workspaceId=${workspaceId}&expand=modules`,
    );
    expect(JSON.stringify(expanded.body.content)).toContain('$module');
  });

  itRaces('are created once by many requests with references', async () => {
    const inner = await upsert('inner', {});
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        upsert('outer', { ...refer(inner.body.id), number: index }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(9).fill(200),
      201,
    ]);
  });
});
