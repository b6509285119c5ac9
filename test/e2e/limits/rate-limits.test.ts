import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../support/api/api-response.js';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { askFrom, newAddress, toldBy } from '../../support/api/rate-limit-headers.js';

const USER_LIMIT = 6;
const IP_LIMIT = 10;
const POLICIES = { address: { q: IP_LIMIT, w: 60 }, user: { q: USER_LIMIT, w: 60 } };
const redisUrl = process.env['REDIS_URL'];
const stores = [['in memory', ''] as const, ...(redisUrl ? [['in Redis', redisUrl] as const] : [])];

describe.each(stores)('requests that are counted %s', (_store, REDIS_URL) => {
  let galley: Galley;
  let proxy: PostgresProxy;

  beforeAll(async () => {
    galley = await startGalley({
      environment: {
        REDIS_URL,
        TRUSTED_PROXIES: '127.0.0.0/8',
        RATE_LIMIT_USER: String(USER_LIMIT),
        RATE_LIMIT_ADDRESS: String(IP_LIMIT),
      },
      through: async (databaseUrl) => {
        proxy = await PostgresProxy.to(databaseUrl, 'galley api');
        return proxy.databaseUrl;
      },
    });
  });
  afterAll(async () => {
    await galley.stop();
    await proxy.stop();
  });

  const statusesOfConcurrent = async (repeated: number, send: () => Promise<Answer<unknown>>) => {
    const responses = await Promise.all(Array.from({ length: repeated }, send));
    return responses.map(({ status }) => status).sort();
  };
  const repeated = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

  it('are served as long as a user has any left, and told how many these are', async () => {
    const ada = await galley.as('ada');
    for (let remaining = USER_LIMIT - 1; remaining >= 0; remaining--) {
      const response = await askFrom(newAddress(), ada);
      expect(response.status).toBe(200);
      const { policies, remaining: reported, retryAfter } = toldBy(response);
      expect(policies).toEqual(POLICIES);
      expect(reported).toMatchObject({
        address: { r: IP_LIMIT - 1, t: 60 },
        user: { r: remaining },
      });
      expect(reported['user']?.['t']).toBeGreaterThan(0);
      expect(reported['user']?.['t']).toBeLessThanOrEqual(60);
      expect(retryAfter).toBeUndefined();
    }
    const refused = await askFrom(newAddress(), ada);
    const { policies, remaining, retryAfter = NaN } = toldBy(refused);
    expect(policies).toEqual(POLICIES);
    expect(remaining).toEqual({ user: { r: 0, t: retryAfter } });
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(refused.headers.get('x-request-id')).not.toBeNull();
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        statusCode: 429,
        code: 'too_many_requests',
        message: `Too many requests: ${USER_LIMIT} in 60 seconds are allowed for one user or API key. Retry in ${retryAfter} seconds.`,
      },
    ]);
    // Whoever else comes from there is served.
    const bob = await galley.as('bob');
    expect((await askFrom(newAddress(), bob)).status).toBe(200);
  });

  it('are served exactly as often as is allowed when they come all at once', async () => {
    const carol = await galley.as('carol');
    const send = () => askFrom(newAddress(), carol);
    expect(await statusesOfConcurrent(3 * USER_LIMIT, send)).toEqual([
      ...repeated(USER_LIMIT, 200),
      ...repeated(2 * USER_LIMIT, 429),
    ]);
  });

  it('are those of an API key, and neither of another one nor of its maker', async () => {
    const dan = await galley.as('dan');
    const { id } = await galley.workspaceOf('dan');
    const path = `/api/workspaces/${id}/keys`;
    const keys = [];
    for (const name of ['one', 'two']) {
      const { body } = await dan.post<{ key: string }>(path, { name, role: 'viewer' });
      keys.push(new Client(galley.url, body.key));
    }
    for (const key of keys) {
      const send = () => askFrom(newAddress(), key);
      expect(await statusesOfConcurrent(USER_LIMIT + 1, send)).toEqual([
        ...repeated(USER_LIMIT, 200),
        429,
      ]);
    }
    // The workspace and two keys.
    expect(toldBy(await askFrom(newAddress(), dan)).remaining['user']).toMatchObject({
      r: USER_LIMIT - 4,
    });
  });

  it('are those of an address, whoever sends them', async () => {
    const ipAddress = newAddress();
    const send = () => askFrom(ipAddress, galley.nobody);
    expect(await statusesOfConcurrent(IP_LIMIT, send)).toEqual(repeated(IP_LIMIT, 401));
    const eve = await galley.as('eve');
    const refused = await askFrom<{ message: string }>(ipAddress, eve);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toContain(
      `${IP_LIMIT} in 60 seconds are allowed from one IP address`,
    );
    const { remaining, retryAfter } = toldBy(refused);
    expect(remaining).toEqual({ address: { r: 0, t: retryAfter } });
    const responseFromElsewhere = await askFrom(newAddress(), eve);
    expect([
      responseFromElsewhere.status,
      toldBy(responseFromElsewhere).remaining['user'],
    ]).toMatchObject([200, { r: USER_LIMIT - 1 }]);
  });

  it('are refused before their body is read', async () => {
    const ipAddress = newAddress();
    expect(await statusesOfConcurrent(IP_LIMIT, () => askFrom(ipAddress, galley.nobody))).toEqual(
      repeated(IP_LIMIT, 401),
    );
    // The route that reads a body of anybody.
    const clientRequest = request(`${galley.url}/api/auth/webhook`, {
      method: 'POST',
      headers: {
        'x-forwarded-for': ipAddress,
        'content-type': 'application/json',
        'content-length': 1_000_000,
      },
    });
    clientRequest.write('{');
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(429);
    clientRequest.on('error', () => undefined).destroy();
  });

  it('are those of a whole network of IPv6', async () => {
    const network = `2001:db8:${newAddress().replace(/^203\.(\d+)\.(\d+)\..*/, '$1:$2')}`;
    let host = 1;
    const send = () => askFrom(`${network}::${(host++).toString(16)}`, galley.nobody);
    expect(await statusesOfConcurrent(IP_LIMIT + 1, send)).toEqual([
      ...repeated(IP_LIMIT, 401),
      429,
    ]);
    const neighbour = network.replace(/\d+$/, (last) => String(Number(last) + 1));
    expect((await askFrom(`${neighbour}::1`, galley.nobody)).status).toBe(401);
  });

  it('cost no statement once their address is over its limit, whatever token they bring', async () => {
    const ipAddress = newAddress();
    const token = (await galley.issuer.token('new')).replace(/\.[^.]+$/, '.AAAA');
    const key = `glk_${'A'.repeat(43)}`;
    const invalidClients = [token, key].map((each) => new Client(galley.url, each));
    const flood = (count: number) => async () => {
      for (let sent = 0; sent < count; sent++) {
        await askFrom(ipAddress, invalidClients[sent % invalidClients.length] as Client);
      }
    };
    expect((await proxy.costOf(flood(IP_LIMIT))).statements).toBe(IP_LIMIT / 2);
    expect(await proxy.costOf(flood(50))).toEqual({ roundTrips: 0, statements: 0 });
    // A token that would make a user makes none.
    const newUserClient = new Client(galley.url, await galley.issuer.token('unseen'));
    const cost = await proxy.costOf(async () => {
      expect((await askFrom(ipAddress, newUserClient)).status).toBe(429);
    });
    expect(cost).toEqual({ roundTrips: 0, statements: 0 });
  });

  it.each([
    ['GET', '/api/auth/me', 401],
    ['POST', '/api/auth/webhook', 404],
    ['GET', '/api/nothing', 404],
    ['DELETE', '/', 404],
    ['GET', '/health/none', 404],
  ])('are counted by their address: %s %s', async (method, path, status) => {
    const ipAddress = newAddress();
    for (let remaining = IP_LIMIT - 1; remaining >= 0; remaining--) {
      const response = await askFrom(ipAddress, galley.nobody, path, method);
      expect(response.status).toBe(status);
      expect(toldBy(response)).toMatchObject({
        policies: POLICIES,
        remaining: { address: { r: remaining } },
      });
    }
    expect((await askFrom(ipAddress, galley.nobody, path, method)).status).toBe(429);
  });

  it.each(['/health/live', '/health/ready'])(
    'are not counted, and cost next to nothing: %s',
    async (path) => {
      const ipAddress = newAddress();
      const send = () => askFrom(ipAddress, galley.nobody, path);
      const { statements } = await proxy.costOf(async () => {
        expect(await statusesOfConcurrent(2 * IP_LIMIT, send)).toEqual(repeated(2 * IP_LIMIT, 200));
      });
      // One for each second that they take.
      expect(statements).toBeLessThan(IP_LIMIT);
      expect(toldBy(await send())).toEqual({ policies: {}, remaining: {}, retryAfter: undefined });
    },
  );
});

it('requests without a limit are not counted and told nothing', async () => {
  const galley = await startGalley();
  expect(toldBy(await (await galley.as('ada')).get('/api/auth/me'))).toEqual({
    policies: {},
    remaining: {},
    retryAfter: undefined,
  });
  await galley.stop();
});
