import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds, resourceOf, sendBatch, type Kind } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { restore } from '../../support/api/trash.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { itRaces } from '../../support/it-races.js';

interface Listed {
  id: string;
  name: string;
  externalId: string | null;
  version: number;
}

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

describe.each(kinds)('a batch of $path', (batchKind: Kind) => {
  const { name: kind, path, required } = batchKind;
  const send = (...operations: object[]) => sendBatch(ada, batchKind, workspaceId, operations);
  const upsert = (externalId: string, fields: object = {}) => ({
    action: 'upsert',
    externalId,
    name: 'A',
    ...required,
    ...fields,
  });
  const create = async (externalId: string | null, fields: object = {}) =>
    (await ada.post<Listed>(path, { workspaceId, name: 'A', ...required, externalId, ...fields }))
      .body;
  const list = async () => {
    const query = `workspaceId=${workspaceId}&sort=-createdAt&content=false`;
    const { body } = await ada.get<{ data: Listed[] }>(`${path}?${query}`);
    // In this order, no open transaction of another test holds the list back.
    return body.data.toReversed();
  };
  const namesByExternalId = async () =>
    Object.fromEntries((await list()).map(({ externalId, name }) => [String(externalId), name]));
  const eventKinds = async () => (await galley.eventsOf(workspaceId)).map((event) => event.kind);

  it('creates and updates by external ids, and repeated it changes nothing', async () => {
    const { id } = await create('a');
    const operations = [
      upsert('a', { name: 'New name' }),
      upsert('b', { tags: ['x'] }),
      { action: 'create', name: 'C', externalId: 'c', ...required },
    ];
    const { status, body } = await send(...operations);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { action: 'update', [kind]: { id, externalId: 'a', version: 2 } },
      { action: 'create', [kind]: { externalId: 'b', version: 1, tags: ['x'] } },
      { action: 'create', [kind]: { externalId: 'c', version: 1 } },
    ]);
    const before = await list();
    const repeated = await send(...operations.slice(0, 2));
    expect(repeated.body.data.map(({ action }) => action)).toEqual(['update', 'update']);
    expect(await list()).toEqual(before);
    expect(await eventKinds()).toEqual([
      `${kind}.created`,
      `${kind}.updated`,
      `${kind}.created`,
      `${kind}.created`,
    ]);
  });

  it('names the operation whose external id another document has, and changes nothing', async () => {
    await create('a');
    const { id } = await create('b');
    const before = await list();
    const { status, body } = await send(
      upsert('new'),
      { action: 'create', name: 'A', externalId: 'a', ...required },
      { action: 'update', id, name: 'B', externalId: 'b' },
    );
    expect([status, body.details?.map((detail) => detail.path)]).toEqual([
      409,
      ['operations.1.externalId'],
    ]);
    const update = await send({ action: 'update', id, externalId: 'a' });
    expect([update.status, update.body.details]).toEqual([
      409,
      [expect.objectContaining({ path: 'operations.0.externalId' })],
    ]);
    expect(await list()).toEqual(before);
  });

  it('moves external ids between documents', async () => {
    const [a, b, c] = [await create('a'), await create('b'), await create('c')];
    const { status, text } = await send(
      { action: 'create', name: 'new a', externalId: 'a', ...required },
      { action: 'update', id: a.id, name: 'was a', externalId: 'b' },
      { action: 'update', id: b.id, externalId: 'c' },
      { action: 'delete', id: c.id },
    );
    expect([status, text]).toEqual([200, text]);
    expect(await namesByExternalId()).toEqual({ a: 'new a', b: 'was a', c: 'A' });
    expect(await list()).toMatchObject([{ version: 2 }, { version: 1 }, { version: 1 }]);
    // The trash still has the external id.
    expect((await restore(ada, c.id)).status).toBe(409);
    await ada.put(`${path}/${b.id}`, { externalId: null });
    expect((await restore(ada, c.id)).status).toBe(200);
    expect((await ada.get<Listed>(`${path}/${c.id}`)).body.externalId).toBe('c');
  });

  it('swaps two external ids', async () => {
    const [a, b] = [await create('a'), await create('b', { name: 'B' })];
    const { status } = await send(
      { action: 'update', id: a.id, externalId: 'b' },
      { action: 'update', id: b.id, externalId: 'a' },
    );
    expect(status).toBe(200);
    expect(await namesByExternalId()).toEqual({ a: 'B', b: 'A' });
  });

  it('refuses operations that name the same document', async () => {
    const { id } = await create('a');
    const sameId = await send({ action: 'update', id, name: 'B' }, upsert('a'));
    expect([sameId.status, sameId.body.details]).toEqual([
      400,
      [
        {
          path: 'operations.1.externalId',
          message: `operations.1.externalId names the same ${kind} as operations.0`,
        },
      ],
    ]);
    const sameExternalId = await send(upsert('b'), upsert('b'));
    expect([sameExternalId.status, sameExternalId.body.details]).toEqual([
      400,
      [expect.objectContaining({ path: 'operations.1.externalId' })],
    ]);
    expect(await list()).toHaveLength(1);
  });

  it.each([undefined, null, '', ' a', 7])('refuses an upsert of %j', async (externalId) => {
    const { status, body } = await send({ ...upsert(''), externalId });
    expect([status, body.details?.[0]?.path]).toEqual([400, 'operations.0.externalId']);
  });

  it('honours ifMatch of an upsert, with which it only updates', async () => {
    const missing = await send(upsert('a', { ifMatch: '"k0"' }));
    expect([missing.status, missing.body.details?.[0]?.path]).toEqual([
      404,
      'operations.0.externalId',
    ]);
    const { id } = await create('a');
    const stale = await send(upsert('a', { ifMatch: '"k0"', name: 'B' }));
    expect([stale.status, stale.body.details?.[0]?.path]).toEqual([412, 'operations.0.ifMatch']);
    const etag = (await ada.get(`${path}/${id}`)).headers.get('etag');
    const { status } = await send(upsert('a', { ifMatch: etag, name: 'B' }));
    expect([status, await namesByExternalId()]).toEqual([200, { a: 'B' }]);
  });

  it('tells an outsider nothing about external ids', async () => {
    await create('a');
    const eve = await galley.clientFor('eve');
    for (const externalId of ['a', 'b']) {
      const operation = { action: 'create', name: 'A', externalId, ...required };
      expect((await sendBatch(eve, batchKind, workspaceId, [operation])).status).toBe(403);
    }
  });

  itRaces('meets other batches and requests with the same external ids', async () => {
    const externalIds = Array.from({ length: 20 }, (_, index) => `id ${index}`);
    const batches = [externalIds, externalIds.toReversed(), externalIds.toSorted()].map(
      (ids, number) => send(...ids.map((id) => upsert(id, { name: `Batch ${number}` }))),
    );
    const puts = externalIds.map((externalId) =>
      ada.put(
        `${path}/by-external-id/${encodeURIComponent(externalId)}?workspaceId=${workspaceId}`,
        {
          name: 'PUT',
          ...required,
        },
      ),
    );
    const responses = await Promise.all([...batches, ...puts]);
    expect(responses.filter(({ status }) => status >= 300)).toEqual([]);
    expect((await list()).map(({ externalId }) => externalId).sort()).toEqual(
      externalIds.toSorted(),
    );
  });

  it('keeps an external id in the result of an update that does not name it', async () => {
    const { id } = await create('a');
    const { body } = await send({ action: 'update', id, name: 'B' });
    expect(body.data.map((result) => resourceOf(result))).toMatchObject([{ id, externalId: 'a' }]);
  });
});
