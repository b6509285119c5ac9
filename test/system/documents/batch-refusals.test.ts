import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMany, kinds } from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { snapshot } from '../../support/galley/database-snapshot.js';

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
const MIB = 1024 * 1024;

let galley: Galley;
let ada: Client;
let workspaceId: string;
let ids: Record<string, string>;

beforeAll(async () => {
  galley = await startGalley({ environment: { MAX_BATCH_BYTES: String(3 * MIB) } });
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  // PostgreSQL itself refuses these names, so a batch fails after it has written other rows.
  await galley.database.query(
    `ALTER TABLE documents ADD CONSTRAINT no_poison CHECK (name <> 'poison')`,
  );
  await galley.database.query(
    `ALTER TABLE outbox ADD CONSTRAINT no_secret CHECK (data ->> 'name' <> 'secret')`,
  );
});
afterAll(() => galley.stop());

type Fault = [status: number, path: string | undefined, operation: unknown];
const faults: Fault[] = [
  [400, '', null],
  [400, '', []],
  [400, '.action', {}],
  [400, '.action', { action: 'rename', id: '<mine>' }],
  [400, '.action', { action: 'constructor' }],
  [400, '.name', { action: 'create', content: {} }],
  [400, '.name', { action: 'create', name: ' ', content: {} }],
  [400, '.name', { action: 'update', id: '<mine>', name: null }],
  [400, '.id', { action: 'create', name: 'A', content: {}, id: '<mine>' }],
  [400, '.workspaceId', { action: 'delete', id: '<mine>', workspaceId: '<elsewhere>' }],
  [400, '.toString', { action: 'delete', id: '<mine>', toString: 1 }],
  [400, '.content', { action: 'create', name: 'A', content: [] }],
  [400, '.content', { action: 'update', id: '<mine>', content: { stripes: [7] } }],
  [400, '.content', { action: 'create', name: 'A', content: { a: 'x'.repeat(MIB) } }],
  [400, '', { action: 'update', id: '<mine>' }],
  [400, '', { action: 'update', id: '<mine>', ifMatch: '"x"' }],
  [400, '.id', { action: 'update', name: 'B' }],
  [400, '.id', { action: 'delete', id: 7 }],
  [400, '.id', { action: 'delete', id: '<first>' }],
  [400, '.ifMatch', { action: 'delete', id: '<mine>', ifMatch: 'x' }],
  [400, '.ifMatch', { action: 'delete', id: '<mine>', ifMatch: ['"x"'] }],
  [404, '.id', { action: 'delete', id: UNKNOWN_ID }],
  [404, '.id', { action: 'update', id: 'x', name: 'B' }],
  [404, '.id', { action: 'update', id: '<elsewhere>', name: 'B' }],
  [404, '.id', { action: 'delete', id: '<theirs>' }],
  [412, '.ifMatch', { action: 'update', id: '<mine>', name: 'B', ifMatch: '"x"' }],
  [400, '.ifMatch', { action: 'delete', id: '<mine>', ifMatch: 'W/"x"' }],
  [500, undefined, { action: 'create', name: 'poison', content: {} }],
  [500, undefined, { action: 'update', id: '<mine>', name: 'poison' }],
  [500, undefined, { action: 'create', name: 'secret', content: {} }],
];

describe.each(kinds)('a batch of $path', (kind) => {
  beforeAll(async () => {
    const eve = await galley.clientFor('eve');
    const foreignWorkspaceId = (await galley.createWorkspaceFor('eve')).id;
    const otherWorkspaceId = (await galley.createWorkspaceFor('ada')).id;
    const [first = '', mine = ''] = await createMany(ada, kind, workspaceId, 2);
    ids = {
      first,
      mine,
      elsewhere: (await createMany(ada, kind, otherWorkspaceId, 1))[0] ?? '',
      theirs: (await createMany(eve, kind, foreignWorkspaceId, 1))[0] ?? '',
    };
  });

  const send = (operations: readonly unknown[]) => {
    const text = JSON.stringify({ workspaceId, operations });
    const body = text.replace(/<(\w+)>/g, (_match, name: string) => ids[name] ?? '');
    return ada.raw<{ message: string; details?: { path: string; message: string }[] }>(
      'POST',
      `${kind.path}/batch`,
      body,
      { 'content-type': 'application/json' },
    );
  };
  const creations = (count: number) =>
    Array.from({ length: count }, () => ({ action: 'create', name: 'A', content: {} }));
  const precedingOperations = () => [
    { action: 'update', id: '<first>', name: 'B' },
    ...creations(998),
  ];

  it.each(faults)(
    'is refused with %i at %j and changes nothing if the last of 1,000 operations is %j',
    async (...fault) => {
      const [status, pathSuffix, operation] = fault;
      const before = await snapshot(galley.database);
      const { text, body, ...response } = await send([...precedingOperations(), operation]);
      expect([response.status, text.slice(0, 300)]).toEqual([status, expect.any(String)]);
      const path = `operations.999${pathSuffix ?? ''}`;
      expect(body.details).toEqual(
        pathSuffix === undefined
          ? undefined
          : [{ path, message: expect.stringContaining(`${path} `) }],
      );
      expect(response.headers.get('etag')).toBeNull();
      expect(await snapshot(galley.database)).toEqual(before);
    },
  );

  it("says that another workspace's resources do not exist, without waiting for their locks", async () => {
    const releaseLock = await galley.database.holdLock(
      `SELECT FROM documents WHERE kind = '${kind.name}' FOR UPDATE`,
    );
    const deletionTextFor = async (id: string) => (await send([{ action: 'delete', id }])).text;
    expect(await deletionTextFor('<theirs>')).toBe(await deletionTextFor(UNKNOWN_ID));
    expect(await deletionTextFor('<elsewhere>')).toBe(await deletionTextFor(UNKNOWN_ID));
    expect(await deletionTextFor('nonsense')).toBe(await deletionTextFor(UNKNOWN_ID));
    await releaseLock();
  });

  it('gets the first twenty problems', async () => {
    const indexes = Array.from({ length: 1_000 }, (_, index) => index);
    const unknownFields = Object.fromEntries(indexes.map((at) => [`unknown${at}`, at]));
    const cases: [number, object[]][] = [
      [400, indexes.map(() => ({ action: 'create', name: '', content: {} }))],
      [400, [{ action: 'create', name: 'A', content: {}, ...unknownFields }]],
      [400, indexes.map((at) => ({ action: 'delete', id: `x${at % 500}` }))],
      [404, indexes.map((at) => ({ action: 'delete', id: `x${at}` }))],
      [404, indexes.map(() => ({ action: 'delete', id: randomUUID() }))],
    ];
    for (const [status, operations] of cases) {
      const response = await send(operations);
      expect([response.status, response.body.details?.length]).toEqual([status, 20]);
      expect(response.text.length).toBeLessThan(5_000);
    }
  });

  it('may have 3 MiB, as MAX_BATCH_BYTES says, and any other body 1 MiB', async () => {
    const large = { action: 'create', name: 'A', content: { a: 'x'.repeat(900_000) } };
    expect((await send([large, large, large])).status).toBe(200);
    const tooLarge = await send([large, large, large, large]);
    expect([tooLarge.status, tooLarge.body.message]).toEqual([
      413,
      'The body is too large: the limit is 3 MiB.',
    ]);
    const { content } = large;
    const singleResponse = await ada.post<{ message: string }>(kind.path, {
      content: { ...content, b: content },
    });
    expect([singleResponse.status, singleResponse.body.message]).toEqual([
      413,
      'The body is too large: the limit is 1 MiB.',
    ]);
  });
});
