import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { pictureForm, randomPicture } from '../../support/pictures.js';

interface Picture {
  id: string;
  name: string;
  tags: string[];
  url: string;
  bytes: number;
  updatedAt: string;
  deletedAt: string | null;
  message?: string;
}

interface Page {
  data: Picture[];
  nextCursor: string | null;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley({
    pictures: true,
    environment: { MAX_ASSETS: '20', MAX_ASSETS_BYTES: '40000', MAX_ASSET_BYTES: '20000' },
  });
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());
beforeAll(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const newWorkspace = async () => (await galley.createWorkspaceFor('ada')).id;

const upload = (form: FormData = pictureForm(), workspace = workspaceId, client = ada) =>
  client.raw<Picture>('POST', `/api/assets?workspaceId=${workspace}`, form);

async function uploaded(...parameters: Parameters<typeof upload>): Promise<Picture> {
  const { status, text, body } = await upload(...parameters);
  expect([text, status]).toEqual([text, 201]);
  return body;
}

const list = async (query = '', workspace = workspaceId) =>
  (await ada.get<Page>(`/api/assets?workspaceId=${workspace}${query}`)).body;

const idsOf = ({ data }: Page) => data.map(({ id }) => id);

describe('an upload', () => {
  it('describes the picture, and its URL has the bytes', async () => {
    const picture = randomPicture(12, 7);
    const { headers, status, body } = await upload(
      pictureForm({ name: ' Crème brûlée ', tags: 'b, a,b' }, picture),
    );
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/assets/${body.id}`);
    expect(body).toMatchObject({
      name: 'Crème brûlée',
      workspaceId,
      tags: ['a', 'b'],
      url: expect.stringMatching(
        /^https:\/\/galley\.example\.com\/assets\/[\da-f]{64}\/creme-brulee\.png$/,
      ),
      type: 'image/png',
      width: 12,
      height: 7,
      bytes: picture.length,
      deletedAt: null,
      expiresAt: null,
    });
    const response = await fetch(body.url.replace('https://galley.example.com', galley.url));
    expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true);
    const got = await ada.get<Picture>(`/api/assets/${body.id}`);
    expect(got.body).toEqual(body);
    expect(got.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('takes the name of the file, and each tag as a part', async () => {
    const form = pictureForm({}, randomPicture(), 'Header 1.png');
    form.append('tags', 'x');
    form.append('tags', 'y');
    expect(await uploaded(form)).toMatchObject({ name: 'Header 1.png', tags: ['x', 'y'] });
  });

  it('of the same picture returns the first one', async () => {
    const picture = randomPicture();
    const first = await uploaded(pictureForm({ name: 'First' }, picture));
    const second = await upload(pictureForm({ name: 'Second' }, picture));
    expect([second.status, second.body]).toEqual([200, first]);
    expect(second.headers.get('location')).toBeNull();
  });

  it('of the same picture at the same time makes one', async () => {
    const picture = randomPicture();
    const workspace = await newWorkspace();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => upload(pictureForm({}, picture), workspace)),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect(idsOf(await list('', workspace))).toHaveLength(1);
  });

  it('of a deleted picture restores it', async () => {
    const picture = randomPicture();
    const { id, updatedAt } = await uploaded(pictureForm({}, picture));
    await ada.delete(`/api/assets/${id}`);
    const again = await upload(pictureForm({}, picture));
    expect([again.status, again.body.id, again.body.deletedAt]).toEqual([200, id, null]);
    expect(again.body.updatedAt > updatedAt).toBe(true);
  });
});

describe('limits of a workspace', () => {
  it('count files and bytes, and are shown', async () => {
    const workspace = await newWorkspace();
    const first = await uploaded(pictureForm({}, randomPicture(60)), workspace);
    const usage = await ada.get(`/api/workspaces/${workspace}/storage-usage`);
    expect(usage.body).toEqual({
      files: 1,
      bytes: first.bytes,
      maxFiles: 20,
      maxBytes: 40_000,
      maxFileBytes: 20_000,
    });
    await uploaded(pictureForm({}, randomPicture(60)), workspace);
    const refused = await upload(pictureForm({}, randomPicture(60)), workspace);
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'limit_reached' }]);
    // Small enough.
    await uploaded(pictureForm(), workspace);
  });

  it('hold for uploads at the same time', async () => {
    const workspace = await newWorkspace();
    const responses = await Promise.all(
      Array.from({ length: 25 }, () => upload(pictureForm({}, randomPicture(4)), workspace)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
  });
});

describe('a list', () => {
  it('has pages, the latest change first, and filters', async () => {
    const workspace = await newWorkspace();
    const create = (name: string, tags: string) =>
      uploaded(pictureForm({ name, tags }), workspace).then(({ id }) => id);
    const logo = await create('Logo', 'brand');
    const hero = await create('Hero', 'brand,summer');
    const banner = await create('Summer banner', 'summer');
    expect(idsOf(await list('', workspace))).toEqual([banner, hero, logo]);
    const page = await list('&limit=2', workspace);
    expect(idsOf(page)).toEqual([banner, hero]);
    expect(idsOf(await list(`&limit=2&cursor=${page.nextCursor}`, workspace))).toEqual([logo]);
    expect(idsOf(await list('&search=LOGO', workspace))).toEqual([logo]);
    expect(idsOf(await list('&tags=brand,summer', workspace))).toEqual([hero]);
    expect(idsOf(await list('&tags=brand,summer&tagsMatch=any', workspace))).toEqual([
      banner,
      hero,
      logo,
    ]);
    await ada.delete(`/api/assets/${hero}`);
    expect(idsOf(await list('&tags=brand', workspace))).toEqual([logo]);
    expect(idsOf(await list('&deleted=true', workspace))).toEqual([hero]);
  });
});

describe('a change', () => {
  it('renames and keeps the URL', async () => {
    const { id, url } = await uploaded();
    const { body } = await ada.send<Picture>('PATCH', `/api/assets/${id}`, {
      name: 'New',
      tags: ['z'],
    });
    expect(body).toMatchObject({ name: 'New', tags: ['z'], url });
    const same = await ada.send<Picture>('PATCH', `/api/assets/${id}`, body);
    expect(same.body).toEqual(body);
    const refused = await ada.send<Picture>('PATCH', `/api/assets/${id}`, { name: 'x', width: 9 });
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'width cannot be changed; leave it out, or send it back as you read it',
    ]);
  });

  it('with If-Match is refused after another change', async () => {
    const { id } = await uploaded();
    const stale = (await ada.get(`/api/assets/${id}`)).headers.get('etag') ?? '';
    await ada.send('PATCH', `/api/assets/${id}`, { name: 'First' });
    const guarded = ada.with({ 'if-match': stale });
    expect((await guarded.send('PATCH', `/api/assets/${id}`, { name: 'x' })).status).toBe(412);
    const replaced = await guarded.raw('PUT', `/api/assets/${id}/content`, pictureForm());
    expect(replaced.status).toBe(412);
    expect((await guarded.delete(`/api/assets/${id}`)).status).toBe(412);
  });

  it('of the content gives another URL, and the earlier one keeps working', async () => {
    const before = await uploaded();
    const picture = randomPicture(9);
    const path = `/api/assets/${before.id}/content`;
    const { status, body } = await ada.raw<Picture>('PUT', path, pictureForm({}, picture));
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: before.id, name: before.name, width: 9 });
    expect(body.url).not.toBe(before.url);
    for (const { url } of [before, body]) {
      const { status } = await fetch(url.replace('https://galley.example.com', galley.url));
      expect(status).toBe(200);
    }
    const again = await ada.raw<Picture>('PUT', path, pictureForm({}, picture));
    expect(again.body).toEqual(body);
    const other = await uploaded();
    const taken = await ada.raw('PUT', `/api/assets/${other.id}/content`, pictureForm({}, picture));
    expect([taken.status, taken.body]).toMatchObject([409, { code: 'already_exists' }]);
  });
});

describe('usages', () => {
  const documentWith = (url: string) => ({ stripes: [{ note: url }] });
  const usagesOf = async (id: string) =>
    (await ada.get<{ data: object[] }>(`/api/assets/${id}/usages`)).body.data;

  it('are the documents whose latest version has the URL, however it is written', async () => {
    const { id, url } = await uploaded();
    const path = new URL(url).pathname;
    const create = (kind: string, content: object) =>
      createResource(ada, `/api/${kind}s`, { name: kind, workspaceId, content });
    const template = await create('template', documentWith(url));
    const module = await create('module', documentWith(`https://cdn.example.com${path}?width=320`));
    const other = await create('template', documentWith(url.replace('/assets/', '/files/')));
    const escaped = JSON.stringify({ name: 'PHP', workspaceId, content: documentWith(url) });
    const php = await ada.raw<{ id: string }>(
      'POST',
      '/api/templates',
      escaped.replaceAll('/', '\\/'),
      { 'content-type': 'application/json' },
    );
    const usage = { workspaceId, version: 1 };
    expect(await usagesOf(id)).toEqual([
      { ...usage, kind: 'template', id: template, name: 'template' },
      { ...usage, kind: 'module', id: module, name: 'module' },
      { ...usage, kind: 'template', id: php.body.id, name: 'PHP' },
    ]);
    await ada.put(`/api/templates/${template}`, { content: {} });
    await ada.put(`/api/templates/${other}`, { content: documentWith(url) });
    await ada.delete(`/api/modules/${module}`);
    expect(await usagesOf(id)).toMatchObject([{ id: other, version: 2 }, { id: php.body.id }]);
    const pages = await ada.get<{ data: object[]; nextCursor: string }>(
      `/api/assets/${id}/usages?limit=1`,
    );
    const next = `/api/assets/${id}/usages?limit=1&cursor=${pages.body.nextCursor}`;
    expect((await ada.get<Page>(next)).body).toMatchObject({
      data: [{ id: php.body.id }],
      nextCursor: null,
    });
  });

  it('keep a picture from being deleted, unless the deletion is forced', async () => {
    const { id, url } = await uploaded();
    await createResource(ada, '/api/templates', {
      name: 'A',
      workspaceId,
      content: documentWith(url),
    });
    const refused = await ada.delete<Picture>(`/api/assets/${id}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'A template or module refers to this picture. Remove the references, or send force=true to delete the picture anyway.',
    ]);
    expect((await ada.delete(`/api/assets/${id}?force=true`)).status).toBe(204);
  });
});

describe('a deleted picture', () => {
  it('is in the trash, and comes back as it was', async () => {
    const { updatedAt, ...picture } = await uploaded(pictureForm({ name: 'Back', tags: 'a' }));
    const path = `/api/assets/${picture.id}`;
    expect((await ada.delete(path)).status).toBe(204);
    for (const read of ['', '/usages']) expect((await ada.get(path + read)).status).toBe(404);
    expect((await ada.send('PATCH', path, { name: 'x' })).status).toBe(404);
    expect((await ada.delete(path)).status).toBe(404);
    const [deleted] = (await list('&deleted=true')).data;
    expect(deleted).toMatchObject({ id: picture.id, expiresAt: expect.any(String) });
    const restored = await ada.post<Picture>(`${path}/restore`);
    expect(restored.body).toMatchObject(picture);
    expect((await ada.post(`${path}/restore`)).status).toBe(404);
    expect((await ada.get<Picture>(path)).body).toEqual(restored.body);
  });
});

it('a workspace with pictures is deleted only with force', async () => {
  const workspace = await newWorkspace();
  const { id } = await uploaded(pictureForm(), workspace);
  expect((await ada.delete(`/api/workspaces/${workspace}`)).body).toMatchObject({ code: 'in_use' });
  await ada.delete(`/api/assets/${id}`);
  expect((await ada.delete(`/api/workspaces/${workspace}`)).status).toBe(204);
  const other = await newWorkspace();
  await uploaded(pictureForm(), other);
  expect((await ada.delete(`/api/workspaces/${other}?force=true`)).status).toBe(204);
});

it('without a storage, uploads say what to do, and the rest works', async () => {
  const plain = await startGalley();
  try {
    const client = await plain.clientFor('ada');
    const { id } = await plain.createWorkspaceFor('ada');
    const refused = await upload(pictureForm(), id, client);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This Galley stores no pictures. Ask its operator to set ASSETS_STORAGE.',
    ]);
    expect((await client.get<Page>(`/api/assets?workspaceId=${id}`)).body.data).toEqual([]);
    const { status } = await fetch(`${plain.url}/assets/${'0'.repeat(64)}/logo.png`);
    expect(status).toBe(404);
  } finally {
    await plain.stop();
  }
});
