import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client, comparableResponse } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';
import { createResource } from '../../support/galley/resources.js';
import { expectNoChange, rowsAddedBy } from '../../support/galley/database-snapshot.js';

let galley: Galley;
let users: Record<'ada' | 'bob' | 'eve', TestUser>;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley();
  users = await signInUsers(galley, ['ada', 'bob', 'eve']);
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterAll(() => galley.stop());

const adaWithKey = (key: string = randomUUID()) =>
  users.ada.client.with({ 'idempotency-key': key });
const templateBody = (name = 'A') => ({ workspaceId, name });
const countRows = (table: string) => galley.database.count(table);
const KEY_REUSED = {
  statusCode: 422,
  code: 'key_reused',
  message:
    'This Idempotency-Key was used before with another path or body; use a new key for a new request.',
};

describe('a key', () => {
  const post = <Body>(key: string, body: object = templateBody()) =>
    adaWithKey(key).post<Body>('/api/templates', body);

  it('belongs to one request: another body or path is refused', async () => {
    const client = adaWithKey();
    const path = '/api/templates';
    const first = await client.post(path, templateBody());
    await expectNoChange(galley.database, async () => {
      const conflictingRequests = [
        client.post(path, templateBody('B')),
        client.raw('POST', path, ` ${JSON.stringify(templateBody())}`, {
          'content-type': 'application/json',
        }),
        client.post('/api/modules', { ...templateBody(), content: {} }),
        client.post(`/api/webhooks/${randomUUID()}/test`),
      ];
      for (const { status, body } of await Promise.all(conflictingRequests)) {
        expect([status, body]).toEqual([422, KEY_REUSED]);
      }
      expect(comparableResponse(await client.post(path, templateBody()))).toEqual(
        comparableResponse(first),
      );
    });
  });

  it('belongs to its caller: another user or API key may use the same key', async () => {
    const key = randomUUID();
    const { eve } = users;
    const body = { userId: eve.id, role: 'editor' };
    await users.ada.client.post(`/api/workspaces/${workspaceId}/members`, body);
    const apiKeyResponse = await users.ada.client.post<{ key: string }>(
      `/api/workspaces/${workspaceId}/keys`,
      { name: 'Shop', role: 'editor' },
    );
    const callers = [users.ada.client, eve.client, new Client(galley.url, apiKeyResponse.body.key)];
    const send = () =>
      Promise.all(
        callers.map((caller) =>
          caller
            .with({ 'idempotency-key': key })
            .post<{ id: string }>('/api/templates', templateBody()),
        ),
      );
    const added = await rowsAddedBy(galley.database, async () => {
      const [first, repeated] = [await send(), await send()];
      expect(repeated.map(comparableResponse)).toEqual(first.map(comparableResponse));
      expect(new Set(first.map(({ body: { id } }) => id)).size).toBe(3);
    });
    expect(added).toMatchObject({ documents: 3, document_versions: 3, outbox: 3 });
  });

  it.each([
    ['abc', '"abc"'],
    ['a,b;c=1', '"a,b;c=1"'],
    ["a\\'b", `"a\\\\'b"`],
    ['x'.repeat(255), `"${'x'.repeat(255)}"`],
  ])('%s is the same as %s', async (bare, quoted) => {
    const [first, repeated] = [await post(bare), await post(quoted)];
    expect([first.status, comparableResponse(repeated)]).toEqual([201, comparableResponse(first)]);
    expect((await post(quoted, templateBody('B'))).status).toBe(422);
  });

  it.each([
    '',
    '""',
    '"',
    '"abc',
    '"a"b"',
    '"a\\b"',
    '"abc";a=1',
    'a b',
    '"a b"',
    'a, b',
    'é',
    'a\tb',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
  ])('is not %j', async (key) => {
    await expectNoChange(galley.database, async () => {
      const { status, body } = await post<{ details: unknown }>(key);
      expect([status, body.details]).toMatchObject([400, [{ path: 'Idempotency-Key' }]]);
    });
  });

  it('is ignored by requests that can be repeated, or create nothing', async () => {
    const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
    const id = await createResource(users.ada.client, '/api/webhooks', webhook);
    const client = adaWithKey('no key');
    const replay = { since: '2026-01-01T00:00:00Z', dryRun: true };
    const responses = [
      await client.post(`/api/webhooks/${id}/disable`),
      await client.put(`/api/webhooks/${id}`, { description: 'B' }),
      await client.get(`/api/webhooks/${id}`),
    ];
    const dryRunClient = adaWithKey();
    for (const description of ['C', 'D']) {
      await client.put(`/api/webhooks/${id}`, { description });
      responses.push(await dryRunClient.post(`/api/webhooks/${id}/replays`, replay));
    }
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('is free again after 24 hours', async () => {
    const key = randomUUID();
    const setAge = (age: string) =>
      galley.database.query(
        `UPDATE idempotency_keys SET created_at = now() - interval '${age}' WHERE key = $1`,
        [key],
      );
    const first = await post<{ id: string }>(key);
    await setAge('23 hours 59 minutes');
    expect(comparableResponse(await post(key))).toEqual(comparableResponse(first));
    await setAge('24 hours 1 second');
    const second = await post<{ id: string; name: string }>(key, templateBody('B'));
    expect([second.status, second.body.name]).toEqual([201, 'B']);
    expect(comparableResponse(await post(key, templateBody('B')))).toEqual(
      comparableResponse(second),
    );
    expect((await post(key)).status).toBe(422);
  });

  it('is new again after a request that failed', async () => {
    const key = randomUUID();
    const failingBodies: [number, object][] = [
      [400, templateBody('')],
      [404, { ...templateBody(), workspaceId: randomUUID() }],
      [403, { ...templateBody(), workspaceId: (await galley.createWorkspaceFor('bob')).id }],
    ];
    await expectNoChange(galley.database, async () => {
      for (const [status, body] of failingBodies)
        expect((await post(key, body)).status).toBe(status);
    });
    expect((await post(key)).status).toBe(201);
  });

  it('of a duplicate requires the rights in both workspaces', async () => {
    const [source, target] = [
      await galley.createWorkspaceFor('ada'),
      await galley.createWorkspaceFor('ada'),
    ];
    const membersPath = (id: string) => `/api/workspaces/${id}/members`;
    const { bob } = users;
    const grant = (id: string, role: string) =>
      users.ada.client.post(membersPath(id), { userId: bob.id, role });
    await grant(source.id, 'viewer');
    await grant(target.id, 'editor');
    for (const kind of ['templates', 'modules']) {
      const body = { workspaceId: source.id, name: 'A', content: {} };
      const id = await createResource(users.ada.client, `/api/${kind}`, body);
      const sender = bob.client.with({ 'idempotency-key': randomUUID() });
      const send = () => sender.post(`/api/${kind}/${id}/duplicate`, { workspaceId: target.id });
      const first = await send();
      expect(first.status).toBe(201);
      for (const [workspace, role] of [
        [source.id, 'viewer'],
        [target.id, 'editor'],
      ] as const) {
        await users.ada.client.delete(`${membersPath(workspace)}/${bob.id}`);
        expect((await send()).status).toBe(403);
        await grant(workspace, role);
        expect(comparableResponse(await send())).toEqual(comparableResponse(first));
      }
    }
  });

  it('does not decrypt the response while the caller lacks the rights', async () => {
    const { id } = await galley.createWorkspaceFor('ada');
    const members = `/api/workspaces/${id}/members`;
    await users.ada.client.post(members, { userId: users.bob.id, role: 'admin' });
    const sender = users.bob.client.with({ 'idempotency-key': randomUUID() });
    const send = () =>
      sender.post<{ key: string }>(`/api/workspaces/${id}/keys`, { name: 'Shop', role: 'viewer' });
    expect((await send()).body.key).toMatch(/^glk_/);
    await galley.database.query(
      `UPDATE idempotency_keys SET encrypted_body = '' WHERE user_id = $1`,
      [users.bob.id],
    );
    // The stored response is damaged, so the attempt to decrypt it ends in 409. The 403 below shows that
    // there is no such attempt without the right.
    expect((await send()).status).toBe(409);
    await users.ada.client.put(`${members}/${users.bob.id}`, { role: 'editor' });
    const refused = await send();
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="Galley", error="insufficient_scope", ' +
        'error_description="Your role in the workspace no longer allows what this request did."',
    ]);
  });

  it('returns the response with an API key that has expired meanwhile', async () => {
    const client = adaWithKey();
    const endsAt = Date.now() + 5_000;
    const body = { name: 'Brief', role: 'viewer', expiresAt: new Date(endsAt).toISOString() };
    const create = async () =>
      comparableResponse(await client.post(`/api/workspaces/${workspaceId}/keys`, body));
    const first = await create();
    expect(first.status).toBe(201);
    await eventually('the key to expire', () => Date.now() > endsAt);
    expect(await create()).toEqual(first);
  });

  it('has one effect in any combination of keys, bodies and failures', async () => {
    const keys = fc.constantFrom('one', 'two');
    const names = fc.constantFrom('A', 'B', '');
    const sends = fc.array(fc.tuple(keys, names), { minLength: 2, maxLength: 20 });
    const property = fc.asyncProperty(sends, async (requests) => {
      const round = randomUUID();
      const before = await countRows('documents');
      const send = async ([key, name]: [string, string]) => {
        const response = await post(`${key} ${round}`.replace(' ', '-'), templateBody(name));
        return { key, name, ...comparableResponse(response) };
      };
      const responses = await Promise.all(requests.map(send));
      const served = responses.filter(({ status }) => status === 201);
      const firstByKey = new Map(served.map(({ key, ...response }) => [key, response]));
      for (const { key, ...response } of responses) {
        if (response.name === '') expect(response.status).toBe(400);
        else if (response.name === firstByKey.get(key)?.name)
          expect(response).toEqual(firstByKey.get(key));
        else expect(response.status).toBe(422);
      }
      expect(await countRows('documents')).toBe(before + firstByKey.size);
    });
    await fc.assert(property, { numRuns: 20 });
  });
});
