import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import type { Client } from '../../support/api/client.js';
import { rawRequest } from '../../support/requests/raw-request.js';

const VARY = 'Origin, Accept-Encoding';
const LARGE = { text: 'Many different words, which are not so different here. '.repeat(100) };

let galley: Galley;
let plain: Galley;
let ada: Client;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  galley = await startGalley({ environment: { COMPRESS_RESPONSES: 'true' } });
  ada = await galley.clientFor('ada');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  const template = { name: 'A', workspaceId, content: LARGE };
  path = `/api/templates/${await createResource(ada, '/api/templates', template)}`;
  plain = await startGalley();
});
afterAll(() => Promise.all([galley.stop(), plain.stop()]));

const get = (encoding: string, target = path, headers: Record<string, string> = {}) =>
  rawRequest(galley.url, 'GET', target, {
    authorization: `Bearer ${ada.token}`,
    'accept-encoding': encoding,
    ...headers,
  });

it('JSON of 4 KiB and more is compressed for callers that accept gzip', async () => {
  const { headers, body } = await get('br, gzip');
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: VARY });
  expect(Number(headers['content-length'])).toBe(body.length);
  expect(body.length).toBeLessThan(1_000);
  expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ name: 'A', content: LARGE });
});

it.each(['identity', 'gzip;q=0', 'br', 'gzip;q=0, *', '*, GZIP ; q=0.00'])(
  'a caller that accepts %s gets the response uncompressed',
  async (encoding) => {
    const { headers, body } = await get(encoding);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toBe(VARY);
    expect(JSON.parse(body.toString())).toMatchObject({ content: LARGE });
  },
);

it.each(['GZIP', '*', 'gzip;q=0.5, *;q=0'])(
  'a caller that accepts %s gets gzip',
  async (encoding) => {
    expect((await get(encoding)).headers['content-encoding']).toBe('gzip');
  },
);

it.each(['/api/auth/me', '/api/templates/none'])('%s is too small', async (target) => {
  const { headers } = await get('gzip', target);
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Origin']);
});

it('the compressed response has another ETag, and preconditions accept both', async () => {
  const compressed = String((await get('gzip')).headers.etag);
  const identical = String((await get('identity')).headers.etag);
  expect(compressed).toBe(identical.replace(/"$/, '-gzip"'));
  for (const tag of [compressed, identical, `W/${compressed}`]) {
    for (const encoding of ['gzip', 'identity']) {
      const { status, headers, body } = await get(encoding, path, { 'if-none-match': tag });
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({
        etag: tag === identical ? identical : compressed,
        vary: VARY,
      });
      expect(headers['content-length']).toBeUndefined();
    }
  }
  const put = (tag: string, name: string) =>
    ada.raw('PUT', path, JSON.stringify({ name }), {
      'content-type': 'application/json',
      'if-match': tag,
    });
  const changed = await put(compressed, 'B');
  expect(changed.status).toBe(200);
  expect((await put(compressed, 'C')).status).toBe(412);
  expect((await put(String(changed.headers.get('etag')), 'C')).status).toBe(200);
});

it('a batch takes the ETag of a compressed response', async () => {
  const ifMatch = String((await get('gzip')).headers.etag);
  const operations = [{ action: 'update', id: path.split('/').at(-1), name: 'D', ifMatch }];
  const batch = () => ada.post('/api/templates/batch', { workspaceId, operations });
  expect((await batch()).status).toBe(200);
  expect((await batch()).status).toBe(412);
});

it('without COMPRESS_RESPONSES, nothing is compressed', async () => {
  const client = await plain.clientFor('ada');
  const { id } = await plain.createWorkspaceFor('ada');
  const template = { name: 'A', workspaceId: id, content: LARGE };
  const { headers } = await client.post('/api/templates', template);
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, 'Origin']);
});
