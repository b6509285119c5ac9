import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../../support/api/api-response.js';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { snapshot } from '../../support/galley/database-snapshot.js';

interface Resource {
  id: string;
  name: string;
  updatedAt: string;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterAll(() => galley.stop());

type ResourceKind = [path: string, body: () => object, field: string];
const resourceKinds: ResourceKind[] = [
  ['/api/templates', () => ({ workspaceId, name: 'A' }), 'name'],
  ['/api/modules', () => ({ workspaceId, name: 'A', content: {} }), 'name'],
  ['/api/workspaces', () => ({ name: 'A' }), 'name'],
  [
    '/api/webhooks',
    () => ({ workspaceId, url: 'https://example.com/', events: ['module.created'] }),
    'description',
  ],
];

const etagOf = ({ headers }: ApiResponse<unknown>) => headers.get('etag') ?? '';
const send = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<ApiResponse<Resource & { message: string }>> =>
  ada.raw(method, path, body && JSON.stringify(body), {
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
  });

const tableOf = (collection = '') =>
  ({ webhooks: 'webhook_endpoints', workspaces: 'workspaces' })[collection] ?? 'documents';

/** Runs `work` while another transaction holds the lock of a resource's row. */
async function withRowLocked(path: string, work: () => Promise<void>): Promise<void> {
  const [, , collection, id] = path.split('/');
  const table = tableOf(collection);
  const releaseLock = await galley.database.holdLock(
    `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`,
    [id],
  );
  await work().finally(() => releaseLock());
}

describe.each(resourceKinds)('one of %s', (collection, body, field) => {
  const create = async () => {
    const response = await ada.post<Resource>(collection, body());
    return { path: `${collection}/${response.body.id}`, etag: etagOf(response) };
  };

  it('has an ETag that all responses agree on, and that changes only with the resource', async () => {
    const { path, etag } = await create();
    expect(etag).toMatch(/^"[\da-z]+(?:-owner)?"$/);
    expect(etagOf(await ada.get(path))).toBe(etag);
    expect(etagOf(await ada.put(path, { [field]: (await readBody(path))[field] }))).toBe(etag);
    const etags = new Set([etag]);
    for (let change = 1; change <= 20; change++) {
      const changedEtag = etagOf(await ada.put(path, { [field]: `B ${change % 2}` }));
      expect(etagOf(await ada.get(path))).toBe(changedEtag);
      etags.add(changedEtag);
    }
    expect(etags.size).toBe(21);
  });

  const readBody = async (path: string) => (await ada.get<Record<string, string>>(path)).body;

  it('has a new ETag after each change, even if the clock was set back', async () => {
    const { path } = await create();
    const [, , collection, id] = path.split('/');
    const table = tableOf(collection);
    await galley.database.query(
      `WITH setting AS (SELECT set_config('galley.no_event', 'a test', true))
       UPDATE ${table} SET updated_at = now() + interval '1 hour' FROM setting WHERE id = $1`,
      [id],
    );
    const timeOf = (etag: string) => parseInt(etag.slice(1, -1), 36);
    const before = timeOf(etagOf(await ada.get(path)));
    const first = timeOf(etagOf(await ada.put(path, { [field]: 'B' })));
    const second = timeOf(etagOf(await ada.put(path, { [field]: 'C' })));
    expect([first, second]).toEqual([before + 1, before + 2]);
  });

  it('is not sent to a client that has the current state', async () => {
    const { path, etag } = await create();
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await send('GET', path, { 'if-none-match': header });
      expect([header, status, text, headers.get('etag')]).toEqual([header, 304, '', etag]);
      // RFC 9110, section 8.6: the length could only be that of the 200.
      expect(headers.get('content-length')).toBeNull();
    }
    await ada.put(path, { [field]: 'B' });
    for (const header of [etag, '"other"', 'nonsense', '']) {
      const { status } = await send('GET', path, { 'if-none-match': header });
      expect([header, status]).toEqual([header, 200]);
    }
  });

  it('is changed and deleted only with a current ETag', async () => {
    const { path, etag } = await create();
    const listed = { 'if-match': `"a,b", ${etag}` };
    expect((await send('PUT', path, listed, { [field]: 'A' })).status).toBe(200);
    const newerEtag = etagOf(await ada.put(path, { [field]: 'B' }));
    const before = await snapshot(galley.database);
    for (const staleEtag of [etag, `W/${newerEtag}`, '"x"', `${etag}, "x"`]) {
      const headers = { 'if-match': staleEtag };
      const putResponse = await send('PUT', path, headers, { [field]: 'C' });
      const deletion = await send('DELETE', path, headers);
      for (const { status, body: error, headers: responseHeaders } of [putResponse, deletion]) {
        const message = 'The resource has changed since you read it; read it again.';
        expect([status, error]).toEqual([412, { statusCode: 412, code: 'stale', message }]);
        expect(responseHeaders.get('etag')).toBe(newerEtag);
      }
    }
    expect(await snapshot(galley.database)).toEqual(before);
    const putResponse = await send(
      'PUT',
      path,
      { 'if-match': `"x", ${newerEtag}` },
      { [field]: 'C' },
    );
    expect(putResponse.status).toBe(200);
    expect((await send('PUT', path, { 'if-match': '*' }, { [field]: 'D' })).status).toBe(200);
    const latestEtag = etagOf(await ada.get(path));
    expect((await send('DELETE', path, { 'if-match': latestEtag })).status).toBe(204);
    expect((await send('DELETE', path, { 'if-match': latestEtag })).status).toBe(404);
  });

  it.each(['x', '"', 'W/x', '"a" "b"', ''])('is not changed if If-Match is %j', async (header) => {
    const { path } = await create();
    const { status, body: error } = await send(
      'PUT',
      path,
      { 'if-match': header },
      { [field]: 'C' },
    );
    expect([status, error.message]).toMatchObject([400, expect.stringContaining('If-Match')]);
  });

  it('refuses a stale ETag without waiting for the lock', async () => {
    const { path, etag } = await create();
    const currentEtag = etagOf(await ada.put(path, { [field]: 'B' }));
    await withRowLocked(path, async () => {
      for (const method of ['PUT', 'DELETE']) {
        const headers = {
          'if-match': `${etag}, "0", "zzzzzzzzz", ${currentEtag.replace('"', '"0')}`,
        };
        const body = method === 'PUT' ? { [field]: 'C' } : undefined;
        const response = await send(method, path, headers, body);
        expect([response.status, etagOf(response)]).toEqual([412, currentEtag]);
      }
    });
  });

  it('is changed by one of a thousand requests with the same ETag', async () => {
    const { path, etag } = await create();
    const putUntilAdmitted = async (value: string): Promise<ApiResponse<Resource>> => {
      const response = await send('PUT', path, { 'if-match': etag }, { [field]: value });
      // On a busy machine, the last requests wait for a connection longer than the API allows (503), or a
      // request arrives before the API has finished an earlier one of the same user (429).
      return [429, 503].includes(response.status) ? putUntilAdmitted(value) : response;
    };
    const values = Array.from({ length: 1_000 }, (_, index) => `B ${index}`).values();
    const responses: ApiResponse<Resource>[] = [];
    const runWriter = async () => {
      for (const value of values) responses.push(await putUntilAdmitted(value));
    };
    // At most 100 requests of one user may wait in the API.
    await Promise.all(Array.from({ length: 100 }, runWriter));
    const [winner, ...others] = responses.sort((a, b) => a.status - b.status);
    expect(winner?.status).toBe(200);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([412]));
    const currentEtag = etagOf(await ada.get(path));
    expect(new Set(responses.map(etagOf))).toEqual(new Set([currentEtag]));
    expect((await readBody(path))[field]).toBe(
      (winner?.body as unknown as Record<string, string>)[field],
    );
  });
});

it('a version of a template is restored only with a current ETag', async () => {
  const created = await ada.post<Resource>('/api/templates', { workspaceId, name: 'A' });
  const path = `/api/templates/${created.body.id}`;
  const newerEtag = etagOf(await ada.put(path, { name: 'B' }));
  const restore = (etag: string) =>
    send('POST', `${path}/versions/1/restore`, { 'if-match': etag });

  const refused = await restore(etagOf(created));
  expect(refused.status).toBe(412);
  expect(refused.headers.get('etag')).toBe(newerEtag);
  expect((await ada.get(path)).body).toMatchObject({ version: 2, name: 'B' });
  const restored = await restore(newerEtag);
  expect(restored).toMatchObject({ status: 200, body: { version: 3, name: 'A' } });
  expect((await restore(newerEtag)).status).toBe(412);
});

it('a change of status changes the ETag', async () => {
  const body = { workspaceId, url: 'https://example.com/', events: ['module.created'] };
  const { id } = (await ada.post<Resource>('/api/webhooks', body)).body;
  const initialEtag = etagOf(await ada.get(`/api/webhooks/${id}`));
  const disabled = await ada.post(`/api/webhooks/${id}/disable`);
  expect(etagOf(disabled)).not.toBe(initialEtag);
  const { status } = await send(
    'PUT',
    `/api/webhooks/${id}`,
    { 'if-match': initialEtag },
    { status: 'active' },
  );
  expect(status).toBe(412);
});
