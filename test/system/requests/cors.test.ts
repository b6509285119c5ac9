import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations, openApi, resolve, type Parameter } from '../../support/api/openapi.js';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

const APP = 'https://app.example.com';
const LOCAL_APP = 'http://localhost:5173';
const OTHER = 'https://evil.example';
const IP_LIMIT = 40;

let galley: Galley;
let ada: Client;

beforeAll(async () => {
  galley = await startGalley({
    environment: {
      CORS_ORIGINS: `${APP}, ${LOCAL_APP}`,
      TRUSTED_PROXIES: '127.0.0.0/8',
      RATE_LIMIT_ADDRESS: String(IP_LIMIT),
    },
  });
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());

const preflight = (path: string, origin: string, headers: Record<string, string> = {}) =>
  fetch(galley.url + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT', ...headers },
  });

const listOf = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '').split(', ').map((item) => item.toLowerCase());

/** The origin whose pages may read the response; null if there is none. */
const readableBy = ({ headers }: { headers: Headers }) =>
  headers.get('access-control-allow-origin');

describe('a preflight', () => {
  it.each([APP, LOCAL_APP])(
    'allows the origin %s, for a day and without credentials',
    async (origin) => {
      const response = await preflight('/api/templates/x', origin);
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(readableBy(response)).toBe(origin);
      expect(response.headers.get('access-control-max-age')).toBe('86400');
      expect(response.headers.get('vary')).toBe('Origin');
      expect(response.headers.has('access-control-allow-credentials')).toBe(false);
      expect(response.headers.get('x-request-id')).not.toBeNull();
    },
  );

  it('allows all methods and request headers of the operations', async () => {
    const { headers } = await preflight('/api/templates', APP);
    const methods = listOf(headers, 'access-control-allow-methods');
    expect(new Set(methods)).toEqual(new Set(operations.map(({ method }) => method.toLowerCase())));
    const parameters = operations
      .flatMap(({ parameters = [] }) => parameters)
      .map((parameter) => resolve<Parameter>(parameter))
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name.toLowerCase());
    const allowed = new Set(['authorization', 'content-type', 'x-request-id', ...parameters]);
    expect(new Set(listOf(headers, 'access-control-allow-headers'))).toEqual(allowed);
  });

  it.each([
    OTHER,
    'null',
    `${APP}:444`,
    `${APP}.evil.example`,
    'http://app.example.com',
    'http://localhost:5174',
  ])('of %s gets the usual response, which allows nothing', async (origin) => {
    const response = await preflight('/api/templates', origin);
    expect([response.status, await response.text(), readableBy(response)]).toEqual([204, '', null]);
  });

  it('gets its response on every path, and is not counted', async () => {
    const fromOneAddress = { 'x-forwarded-for': '203.0.113.7' };
    const paths = ['/api/templates', '/api/nothing', '/health/ready', '/', '/openapi.json'];
    for (let sent = 0; sent <= IP_LIMIT; sent++) {
      const path = paths[sent % paths.length] ?? '';
      const { status, headers } = await preflight(path, APP, fromOneAddress);
      expect([path, status, headers.has('ratelimit')]).toEqual([path, 204, false]);
    }
    expect((await ada.with(fromOneAddress).get('/api/auth/me')).status).toBe(200);
  });

  it.each([
    ['an origin', { 'access-control-request-method': 'PUT' }],
    ['a method', { origin: APP }],
  ])('without %s is a request without a route', async (_missing, headers) => {
    const { status, body } = await galley.anonymous.raw(
      'OPTIONS',
      '/api/templates',
      undefined,
      headers,
    );
    expect([status, body]).toMatchObject([404, { code: 'not_found' }]);
  });
});

describe('a response', () => {
  const asApp = (client: Client, origin = APP) => client.with({ origin });

  it('can be read by a page of an allowed origin, with all headers that have a meaning', async () => {
    const response = await asApp(ada).get('/api/auth/me');
    expect([response.status, readableBy(response)]).toEqual([200, APP]);
    expect(response.headers.get('vary')).toBe('Origin');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);

    const { headers } = openApi.components as unknown as { headers: object };
    // Browsers let every page read Cache-Control, so it is not listed. The last three headers are not in
    // the document, because no operation is deprecated at the moment.
    const described = Object.keys(headers).filter((name) => name !== 'Cache-Control');
    const names = [...described, 'Deprecation', 'Sunset', 'Link'].map((name) => name.toLowerCase());
    expect(new Set(listOf(response.headers, 'access-control-expose-headers'))).toEqual(
      new Set(names),
    );
  });

  it('can be read if it is 304', async () => {
    const { body } = await ada.post<{ id: string }>('/api/workspaces', { name: 'A' });
    const path = `/api/workspaces/${body.id}`;
    const etag = (await ada.get(path)).headers.get('etag') ?? '';
    const response = await asApp(ada).with({ 'if-none-match': etag }).get(path);
    expect([response.status, readableBy(response)]).toEqual([304, APP]);
  });

  it('can be read if it is an error', async () => {
    const refused = { 'x-forwarded-for': '203.0.113.8' };
    for (let sent = 0; sent < IP_LIMIT; sent++) await ada.with(refused).get('/api/auth/me');
    const json = { 'content-type': 'application/json' };
    const responses = [
      await asApp(ada).raw('POST', '/api/workspaces', '{', json),
      await asApp(galley.anonymous).get('/api/auth/me'),
      await asApp(ada).get('/api/templates/x'),
      await asApp(ada).get('/api/nothing'),
      await asApp(ada).raw('POST', '/api/workspaces', `"${'x'.repeat(2_000_000)}"`, json),
      await asApp(ada).raw('POST', '/api/workspaces', 'x', { 'content-type': 'text/plain' }),
      await asApp(ada).with(refused).get('/api/auth/me'),
    ];
    expect(responses.map((response) => [response.status, readableBy(response)])).toEqual(
      [400, 401, 404, 404, 413, 415, 429].map((status) => [status, APP]),
    );
    expect(responses.map(({ headers }) => headers.get('vary'))).toEqual(
      responses.map(() => 'Origin'),
    );
  });

  it('to a page of another origin, or to a program, is the usual one', async () => {
    for (const client of [asApp(ada, OTHER), ada]) {
      const response = await client.get('/api/auth/me');
      expect([response.status, readableBy(response)]).toEqual([200, null]);
      expect(response.headers.has('access-control-expose-headers')).toBe(false);
      expect(response.headers.get('vary')).toBe('Origin');
    }
  });

  it.each(['/', '/openapi.json', '/health/ready'])('of %s can be read as well', async (path) => {
    const response = await fetch(galley.url + path, { headers: { origin: APP } });
    expect([response.status, readableBy(response)]).toEqual([200, APP]);
    expect(response.headers.get('vary')).toContain('Origin');
  });
});

it('without CORS_ORIGINS, no page of another origin can read anything', async () => {
  const closed = await startGalley();
  const headers = { origin: APP, 'access-control-request-method': 'GET' };
  const responses = [
    await fetch(`${closed.url}/api/auth/me`, { method: 'OPTIONS', headers }),
    await fetch(`${closed.url}/health/ready`, { headers: { origin: APP } }),
  ];
  expect(responses.map((response) => [response.status, readableBy(response)])).toEqual([
    [204, null],
    [200, null],
  ]);
  await closed.stop();
});
