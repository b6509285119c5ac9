import { beforeAll, describe, expect, it } from '@jest/globals';
import { kinds, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { listTrash, purge, restore } from '../../support/api/trash.js';
import { box } from '../../support/api/references.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Document {
  id: string;
  version: number;
  createdAt: string;
  updatedAt: string;
}

const galley = useSharedGalley();
let ada: Client;
let adaId: string;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  adaId = (await ada.get<{ user: Document }>('/api/auth/me')).body.user.id;
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const create = (kind: string, fields: object = {}) =>
  createResource(ada, `/api/${kind}s`, { name: 'A', workspaceId, content: {}, ...fields });
const createModule = (...moduleIds: string[]) => create('module', { content: box(...moduleIds) });
const eventsOf = async (id: string) => {
  const rows = await galley.eventsOf(id);
  return rows.map(({ kind, sequence }) => `${kind} ${sequence}`);
};
const withoutTime = ({ updatedAt, ...document }: Document) => document;

describe.each(kinds)('a deleted $name', ({ name: kind, path }: Kind) => {
  it('is in the trash, and 404 everywhere else', async () => {
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const id = await create(kind, { name: 'Füße "1"', workspaceId });
    await ada.put(`${path}/${id}`, { name: 'Füße "2"' });
    await ada.delete(`${path}/${id}`);
    const { data } = await listTrash(ada, workspaceId);
    expect(data).toEqual([
      {
        id,
        kind,
        name: 'Füße "2"',
        workspaceId,
        version: 2,
        deletedAt: expect.any(String),
        deletedBy: adaId,
        expiresAt: expect.any(String),
      },
    ]);
    const days =
      (Date.parse(data[0]?.expiresAt ?? '') - Date.parse(data[0]?.deletedAt ?? '')) / 86_400_000;
    expect(days).toBe(30);
    const reads = ['', '/versions', '/versions/1', '/compare?from=1', '?expand=modules'];
    for (const read of reads) expect((await ada.get(`${path}/${id}${read}`)).status).toBe(404);
    if (kind === 'module') expect((await ada.get(`${path}/${id}/usages`)).status).toBe(404);
    expect((await ada.put(`${path}/${id}`, { name: 'B' })).status).toBe(404);
    expect((await ada.delete(`${path}/${id}`)).status).toBe(404);
    expect((await ada.post(`${path}/${id}/duplicate`)).status).toBe(404);
    expect((await ada.post(`${path}/${id}/versions/1/restore`)).status).toBe(404);
    const { body } = await ada.get<{ data: [] }>(`${path}?workspaceId=${workspaceId}`);
    expect(body.data).toEqual([]);
  });

  it('comes back with its document, versions, labels, usages and times', async () => {
    const module = await create('module');
    const inner = await create('module', { content: box(module) });
    const id = await create(kind, { content: box(module, inner, module) });
    await ada.put(`${path}/${id}`, { name: 'B', content: { ...box(module), n: 1.0 } });
    await ada.send('PATCH', `${path}/${id}/versions/1`, { label: 'approved', note: 'By legal.' });
    const readAll = async () => [
      withoutTime((await ada.get<Document>(`${path}/${id}`)).body),
      withoutTime((await ada.get<Document>(`${path}/${id}?expand=modules`)).body),
      (await ada.get(`${path}/${id}/versions?content=true`)).text,
      (await ada.get(`${path}/${id}/compare?from=1`)).text,
      (await ada.get(`/api/modules/${module}/usages`)).text,
    ];
    const [before, document] = [await readAll(), (await ada.get<Document>(`${path}/${id}`)).body];
    await ada.delete(`${path}/${id}`);
    expect((await readAll()).at(-1)).not.toBe(before.at(-1));
    const { status, body } = await restore(ada, id);
    expect([status, body]).toEqual([
      200,
      {
        id,
        kind,
        name: 'B',
        workspaceId,
        version: 2,
        createdAt: document.createdAt,
        updatedAt: expect.any(String),
      },
    ]);
    expect(await readAll()).toEqual(before);
    // Clients that follow the list must see the document again.
    expect(body.updatedAt > document.updatedAt).toBe(true);
    expect((await listTrash(ada, workspaceId)).data.map((entry) => entry.id)).not.toContain(id);
    expect((await restore(ada, id)).status).toBe(404);
  });

  it('continues the sequence of its events after each restore', async () => {
    const id = await create(kind);
    for (const name of ['B', 'C']) {
      await ada.delete(`${path}/${id}`);
      await restore(ada, id);
      await ada.put(`${path}/${id}`, { name });
    }
    const operations = [{ action: 'update', id, name: 'D' }];
    await sendBatch(ada, { name: kind, path } as Kind, workspaceId, operations);
    const deletion = [{ action: 'delete', id }];
    await sendBatch(ada, { name: kind, path } as Kind, workspaceId, deletion);
    await restore(ada, id);
    const actions =
      'created deleted restored updated deleted restored updated updated deleted restored';
    expect(await eventsOf(id)).toEqual(
      actions.split(' ').map((action, index) => `${kind}.${action} ${index + 1}`),
    );
    const { body } = await ada.get<Document>(`${path}/${id}`);
    expect(body.version).toBe(4);
    expect((await galley.eventsOf(id)).at(-1)?.data).toEqual({
      id,
      name: 'D',
      workspaceId,
      externalId: null,
      ...(kind === 'module' && { category: '' }),
      version: 4,
    });
  });

  it('is restored once for an idempotency key', async () => {
    const id = await create(kind);
    await ada.delete(`${path}/${id}`);
    const client = ada.with({ 'idempotency-key': `restore-${id}` });
    const [first, second] = [await restore(client, id), await restore(client, id)];
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect(await eventsOf(id)).toHaveLength(3);
  });

  it('goes to the trash with a batch, and not if the batch is refused', async () => {
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const ids = [await create(kind, { workspaceId }), await create(kind, { workspaceId })];
    const deletions = ids.map((id) => ({ action: 'delete', id }));
    const batchKind = { name: kind, path } as Kind;
    const stale = [
      ...deletions.slice(1),
      { action: 'update', id: ids[0], name: 'B', ifMatch: '"a"' },
    ];
    expect((await sendBatch(ada, batchKind, workspaceId, stale)).status).toBe(412);
    expect((await listTrash(ada, workspaceId)).data).toEqual([]);
    expect((await sendBatch(ada, batchKind, workspaceId, deletions)).status).toBe(200);
    const { data } = await listTrash(ada, workspaceId);
    expect(data.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('gets its copy name from the documents that are not in the trash', async () => {
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const id = await create(kind, { workspaceId });
    const duplicate = async () =>
      (await ada.post<Document & { name: string }>(`${path}/${id}/duplicate`)).body;
    const copy = await duplicate();
    await ada.delete(`${path}/${copy.id}`);
    expect((await duplicate()).name).toBe('A (copy)');
    // Names need not be unique, so a restore never conflicts.
    expect((await restore(ada, copy.id)).status).toBe(200);
  });
});

it('the trash is listed in pages, the latest deletion first', async () => {
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    const kind = index % 2 ? 'template' : 'module';
    ids.unshift(await create(kind, { workspaceId }));
    await ada.delete(`/api/${kind}s/${ids[0]}`);
  }
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await listTrash(ada, workspaceId, `&limit=2${cursor && `&cursor=${cursor}`}`);
    found.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(found).toEqual(ids);
});

describe('references to a module in the trash', () => {
  const expandedOf = async (id: string, kind = 'template') => {
    const { body } = await ada.get<{ warnings: { problem: string }[] }>(
      `/api/${kind}s/${id}?expand=modules`,
    );
    return body.warnings.map(({ problem }) => problem);
  };
  const deleteModule = (id: string) => ada.delete(`/api/modules/${id}?force=true`);

  it('resolve as not_found, and work again after the restore', async () => {
    const module = await createModule();
    const template = await create('template', { content: box(module) });
    await ada.put(`/api/modules/${module}`, { name: 'B' });
    expect((await ada.delete(`/api/modules/${module}`)).status).toBe(409);
    await deleteModule(module);
    expect(await expandedOf(template)).toEqual(['not_found']);
    const content = box(module);
    expect((await ada.post('/api/templates', { name: 'A', workspaceId, content })).status).toBe(
      400,
    );
    await restore(ada, module);
    expect(await expandedOf(template)).toEqual([]);
    // The usage of the template is still there, too.
    expect((await ada.delete(`/api/modules/${module}`)).status).toBe(409);
  });

  it('do not keep the module from being deleted if the document is in the trash', async () => {
    const module = await createModule();
    const template = await create('template', { content: box(module) });
    await ada.delete(`/api/templates/${template}`);
    expect((await ada.delete(`/api/modules/${module}`)).status).toBe(204);
    // A restore succeeds with broken references.
    expect((await restore(ada, template)).status).toBe(200);
    expect(await expandedOf(template)).toEqual(['not_found']);
    await restore(ada, module);
    expect(await expandedOf(template)).toEqual([]);
    expect((await ada.delete(`/api/modules/${module}`)).status).toBe(409);
  });

  it('cannot close a cycle', async () => {
    const last = await createModule();
    const trashed = await createModule(last);
    const first = await createModule(trashed);
    await deleteModule(trashed);
    // The cycle would be last → first → trashed → last.
    const update = { content: box(first) };
    const { status, text } = await ada.put(`/api/modules/${last}`, update);
    expect([status, text]).toEqual([400, expect.stringContaining('uses this module')]);
    await restore(ada, trashed);
    expect((await ada.put(`/api/modules/${last}`, update)).status).toBe(400);
    expect(await expandedOf(first, 'module')).toEqual([]);
    // A module that is gone for good refers to nothing.
    await deleteModule(trashed);
    await purge(ada, trashed);
    await galley.query('DELETE FROM document_versions WHERE document_id = $1', [trashed]);
    expect((await ada.put(`/api/modules/${last}`, update)).status).toBe(200);
  });

  it('count for the depth, and a restore that nests too deep succeeds', async () => {
    const chain: string[] = [await createModule()];
    while (chain.length < 5) chain.push(await createModule(chain.at(-1) ?? ''));
    const [last = '', , middle = '', , top = ''] = chain;
    const template = await create('template', { content: box(top) });
    await deleteModule(middle);
    const deeper = { name: 'A', workspaceId, content: box(top) };
    expect((await ada.post('/api/modules', deeper)).status).toBe(400);
    // Nothing in the trash follows a module, so this module may use another one.
    const content = box(await createModule());
    expect((await ada.put(`/api/modules/${last}`, { content })).status).toBe(200);
    expect((await restore(ada, middle)).status).toBe(200);
    expect(await expandedOf(template)).toEqual(['too_deep']);
  });
});

it('a trash of another workspace, or a malformed id, is refused', async () => {
  const id = await create('template');
  await ada.delete(`/api/templates/${id}`);
  const eve = await galley.clientFor('eve');
  const statuses = [restore(eve, id), purge(eve, id), restore(ada, 'x'), purge(ada, 'x')];
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([403, 403, 404, 404]);
  expect((await eve.get(`/api/trash?workspaceId=${workspaceId}`)).status).toBe(403);
});
