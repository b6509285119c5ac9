import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createMany, kinds, resourceOf, sendBatch } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

const galley = useSharedGalley();
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const eventsIn = (workspace: string) => galley.eventsOf<{ id: string; name: string }>(workspace);

describe.each(kinds)('a batch of $path', (kind) => {
  const runBatch = (operations: unknown[]) => sendBatch(ada, kind, workspaceId, operations);
  const getResource = (id: string) => ada.get<Record<string, unknown>>(`${kind.path}/${id}`);

  it('of a viewer changes and deletes nothing', async () => {
    const [id = ''] = await createMany(ada, kind, workspaceId, 1);
    const viewer = await galley.clientFor(`viewer of ${kind.name}s`);
    const { body: caller } = await viewer.get<{ user: { id: string } }>('/api/auth/me');
    const member = { userId: caller.user.id, role: 'viewer' };
    await ada.post(`/api/workspaces/${workspaceId}/members`, member);
    for (const operation of [
      { action: 'update', id, name: 'B' },
      { action: 'delete', id },
    ]) {
      const { status } = await sendBatch(viewer, kind, workspaceId, [operation]);
      expect([operation.action, status]).toEqual([operation.action, 403]);
    }
    expect((await getResource(id)).body).toMatchObject({ version: 1 });
  });

  it('returns the result of each operation, in order', async () => {
    const [updated = '', deleted = '', unchanged = ''] = await createMany(
      ada,
      kind,
      workspaceId,
      3,
    );
    const { status, body } = await runBatch([
      { action: 'update', id: updated, name: ' B ' },
      { action: 'create', name: ' New ', content: { b: 1 } },
      { action: 'delete', id: deleted.toUpperCase() },
      { action: 'update', id: unchanged, name: 'A ' },
      { action: 'create', name: 'Newer', ...kind.required },
    ]);
    expect(status).toBe(200);
    const created = body.data.flatMap(({ action, ...result }) =>
      action === 'create' ? [resourceOf({ action, ...result }).id] : [],
    );
    const summaryOf = async (action: string, id: string) => {
      const { content, ...summary } = (await getResource(id)).body;
      expect(content).toBeDefined();
      return { action, [kind.name]: summary };
    };
    expect(body).toEqual({
      data: [
        await summaryOf('update', updated),
        await summaryOf('create', created[0] ?? ''),
        { action: 'delete', id: deleted },
        await summaryOf('update', unchanged),
        await summaryOf('create', created[1] ?? ''),
      ],
    });
    expect(body.data.map((result) => resourceOf(result).name)).toEqual([
      'B',
      'New',
      '',
      'A',
      'Newer',
    ]);
    expect((await getResource(deleted)).status).toBe(404);
    const events = (await eventsIn(workspaceId)).slice(-4);
    expect(events.map((event) => [event.kind, event.sequence, event.data.id])).toEqual([
      [`${kind.name}.updated`, 2, updated],
      [`${kind.name}.created`, 1, created[0]],
      [`${kind.name}.deleted`, 2, deleted],
      [`${kind.name}.created`, 1, created[1]],
    ]);
  });

  it('changes resources that match ifMatch', async () => {
    const [id = ''] = await createMany(ada, kind, workspaceId, 1);
    const etag = (await getResource(id)).headers.get('etag');
    const changeResponse = await runBatch([{ action: 'update', id, name: 'B', ifMatch: etag }]);
    expect(changeResponse.status).toBe(200);
    const staleResponse = await runBatch([{ action: 'delete', id, ifMatch: etag }]);
    expect(staleResponse.status).toBe(412);
    const currentEtag = (await getResource(id)).headers.get('etag');
    expect(staleResponse.body.details?.[0]?.message).toContain(
      `the current ETag is ${currentEtag}`,
    );
    expect((await runBatch([{ action: 'delete', id, ifMatch: currentEtag }])).status).toBe(200);
  });

  it('keeps documents as they were sent, and recognizes equal ones', async () => {
    const [updated = '', renamed = ''] = await createMany(ada, kind, workspaceId, 2);
    const content =
      '{ "2":1.0,"1" :[1e400,12345678901234567890], "é":"\\u00e9\\ud83d\\ude00", "a":{}}';
    const send = (operations: string[]) =>
      ada.raw<{ data: { action: string }[] }>(
        'POST',
        `${kind.path}/batch`,
        `{"workspaceId":"${workspaceId}","operations":[${operations.join(',')}]}`,
        { 'content-type': 'application/json' },
      );
    const operations = [
      `{"action":"update","content":null,"id":"${updated}","content":${content}}`,
      `{"action":"update","name":"Kept","id":"${renamed}"}`,
      `{"content":${content},"action":"create","name":"C"}`,
    ];
    const { status, body } = await send(operations);
    expect(status).toBe(200);
    for (const id of [updated, resourceOf(body.data[2] ?? { action: '' }).id]) {
      expect((await ada.get(`${kind.path}/${id}`)).text).toContain(`"content":${content}`);
    }
    const before = await eventsIn(workspaceId);
    const reformatted = content.replaceAll(':', ' : ').replace('1.0', '1');
    expect(
      (await send([`{"action":"update","id":"${updated}","content":${reformatted}}`])).status,
    ).toBe(200);
    expect((await getResource(updated)).text).toContain(`"content":${content}`);
    expect(await eventsIn(workspaceId)).toEqual(before);
  });

  it.each([1_023, 1_024, 1_025])(
    'recognizes an equal document of %d bytes of white space where a single update does',
    async (bytes) => {
      const content = `{"a":1${' '.repeat(bytes - 7)}}`;
      const create = () =>
        ada.raw<{ id: string }>(
          'POST',
          kind.path,
          `{"workspaceId":"${workspaceId}","name":"A","content":${content}}`,
          { 'content-type': 'application/json' },
        );
      const [singleId, batchId] = [(await create()).body.id, (await create()).body.id];
      const change = { content: { a: 1 } };
      const before = (await eventsIn(workspaceId)).length;
      await ada.put(`${kind.path}/${singleId}`, change);
      const eventsBySingleUpdate = (await eventsIn(workspaceId)).length - before;
      await runBatch([{ action: 'update', id: batchId, ...change }]);
      expect((await eventsIn(workspaceId)).length - before).toBe(2 * eventsBySingleUpdate);
    },
  );

  it('compares more documents than fit into one response of the database', async () => {
    // Random characters, which PostgreSQL cannot compress.
    const largeContent = () => ({ a: randomBytes(450_000).toString('base64') });
    const contents = [largeContent(), largeContent(), largeContent(), largeContent()];
    const createResponse = await runBatch(
      contents.map((content) => ({ action: 'create', name: 'A', content })),
    );
    const ids = createResponse.body.data.map((result) => resourceOf(result).id);
    const before = await eventsIn(workspaceId);
    const updates = ids.map((id, index) => ({
      action: 'update',
      id,
      content: index === 2 ? { ...contents[index], b: 1 } : contents[index],
    }));
    expect((await runBatch(updates)).status).toBe(200);
    const events = (await eventsIn(workspaceId)).slice(before.length);
    expect(events.map(({ data }) => data.id)).toEqual([ids[2]]);
  });
});
