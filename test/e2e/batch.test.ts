import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSome, kinds, resourceOf, sendBatch } from '../support/batches.js';
import type { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.as('ada');
  workspaceId = (await galley.workspaceOf('ada')).id;
});
afterAll(() => galley.stop());

interface Event {
  kind: string;
  sequence: number;
  data: { id: string; name: string };
}

const eventsIn = (workspace: string) =>
  galley.database.query<Event>(
    'SELECT kind, sequence, data FROM outbox WHERE workspace_id = $1 ORDER BY number',
    [workspace],
  );

describe.each(kinds)('a batch of $path', (kind) => {
  const batch = (operations: unknown[]) => sendBatch(ada, kind, workspaceId, operations);
  const get = (id: string) => ada.get<Record<string, unknown>>(`${kind.path}/${id}`);

  it('answers with what has become of each operation, in their order', async () => {
    const [updated = '', deleted = '', same = ''] = await createSome(ada, kind, workspaceId, 3);
    const { status, body } = await batch([
      { action: 'update', id: updated, name: ' B ' },
      { action: 'create', name: ' New ', content: { b: 1 } },
      { action: 'delete', id: deleted.toUpperCase() },
      { action: 'update', id: same, name: 'A ' },
      { action: 'create', name: 'Newer', ...kind.required },
    ]);
    expect(status).toBe(200);
    const created = body.data.flatMap(({ action, ...result }) =>
      action === 'create' ? [resourceOf({ action, ...result }).id] : [],
    );
    const shown = async (action: string, id: string) => {
      const { content, ...summary } = (await get(id)).body;
      expect(content).toBeDefined();
      return { action, [kind.name]: summary };
    };
    expect(body).toEqual({
      data: [
        await shown('update', updated),
        await shown('create', created[0] ?? ''),
        { action: 'delete', id: deleted },
        await shown('update', same),
        await shown('create', created[1] ?? ''),
      ],
    });
    expect(body.data.map((result) => resourceOf(result).name)).toEqual([
      ...['B', 'New', '', 'A', 'Newer'],
    ]);
    expect((await get(deleted)).status).toBe(404);
    const events = (await eventsIn(workspaceId)).slice(-4);
    expect(events.map((event) => [event.kind, event.sequence, event.data.id])).toEqual([
      [`${kind.name}.updated`, 2, updated],
      [`${kind.name}.created`, 1, created[0]],
      [`${kind.name}.deleted`, 2, deleted],
      [`${kind.name}.created`, 1, created[1]],
    ]);
  });

  it('changes what is as it was seen', async () => {
    const [id = ''] = await createSome(ada, kind, workspaceId, 1);
    const tag = (await get(id)).headers.get('etag');
    const change = await batch([{ action: 'update', id, name: 'B', ifMatch: tag }]);
    expect(change.status).toBe(200);
    const stale = await batch([{ action: 'delete', id, ifMatch: tag }]);
    expect(stale.status).toBe(412);
    const now = (await get(id)).headers.get('etag');
    expect(stale.body.details?.[0]?.message).toContain(`the ETag is ${now} now`);
    expect((await batch([{ action: 'delete', id, ifMatch: now }])).status).toBe(200);
  });

  it('keeps documents as they were sent, and knows which are the same', async () => {
    const [updated = '', kept = ''] = await createSome(ada, kind, workspaceId, 2);
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
      `{"action":"update","name":"Kept","id":"${kept}"}`,
      `{"content":${content},"action":"create","name":"C"}`,
    ];
    const { status, body } = await send(operations);
    expect(status).toBe(200);
    for (const id of [updated, resourceOf(body.data[2] ?? { action: '' }).id]) {
      expect((await ada.get(`${kind.path}/${id}`)).text).toContain(`"content":${content}`);
    }
    const before = await eventsIn(workspaceId);
    const spaced = content.replaceAll(':', ' : ').replace('1.0', '1');
    expect((await send([`{"action":"update","id":"${updated}","content":${spaced}}`])).status).toBe(
      200,
    );
    expect((await get(updated)).text).toContain(`"content":${content}`);
    expect(await eventsIn(workspaceId)).toEqual(before);
  });

  it.each([1_023, 1_024, 1_025])(
    'takes a document of %d bytes, most of them white space, for the same when one change does',
    async (bytes) => {
      const content = `{"a":1${' '.repeat(bytes - 7)}}`;
      const make = () =>
        ada.raw<{ id: string }>(
          'POST',
          kind.path,
          `{"workspaceId":"${workspaceId}","name":"A","content":${content}}`,
          { 'content-type': 'application/json' },
        );
      const [single, many] = [(await make()).body.id, (await make()).body.id];
      const change = { content: { a: 1 } };
      const before = (await eventsIn(workspaceId)).length;
      await ada.put(`${kind.path}/${single}`, change);
      const bySingle = (await eventsIn(workspaceId)).length - before;
      await batch([{ action: 'update', id: many, ...change }]);
      expect((await eventsIn(workspaceId)).length - before).toBe(2 * bySingle);
    },
  );

  it('compares more documents than fit into one answer of the database', async () => {
    // Of random characters, which PostgreSQL cannot compress.
    const large = () => ({ a: randomBytes(450_000).toString('base64') });
    const contents = [large(), large(), large(), large()];
    const made = await batch(contents.map((content) => ({ action: 'create', name: 'A', content })));
    const ids = made.body.data.map((result) => resourceOf(result).id);
    const before = await eventsIn(workspaceId);
    const again = ids.map((id, at) => ({
      ...{ action: 'update', id, content: at === 2 ? { ...contents[at], b: 1 } : contents[at] },
    }));
    expect((await batch(again)).status).toBe(200);
    const events = (await eventsIn(workspaceId)).slice(before.length);
    expect(events.map(({ data }) => data.id)).toEqual([ids[2]]);
  });
});
