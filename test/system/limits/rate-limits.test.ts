import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../../support/api/api-response.js';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { requestFrom, newIpAddress, readRateLimits } from '../../support/api/rate-limit-headers.js';
import { itRaces } from '../../support/it-races.js';

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
      proxyDatabase: async (databaseUrl) => {
        proxy = await PostgresProxy.to(databaseUrl, 'galley api');
        return proxy.databaseUrl;
      },
    });
  });
  afterAll(async () => {
    await galley.stop();
    await proxy.stop();
  });

  const statusesOfConcurrent = async (
    repeated: number,
    send: () => Promise<ApiResponse<unknown>>,
  ) => {
    const responses = await Promise.all(Array.from({ length: repeated }, send));
    return responses.map(({ status }) => status).sort();
  };
  const repeated = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

  it('are served as long as the user has any left, and show how many are left', async () => {
    const ada = await galley.clientFor('ada');
    for (let remaining = USER_LIMIT - 1; remaining >= 0; remaining--) {
      const response = await requestFrom(newIpAddress(), ada);
      expect(response.status).toBe(200);
      const { policies, remaining: reported, retryAfter } = readRateLimits(response);
      expect(policies).toEqual(POLICIES);
      expect(reported).toMatchObject({
        address: { r: IP_LIMIT - 1, t: 60 },
        user: { r: remaining },
      });
      expect(reported['user']?.['t']).toBeGreaterThan(0);
      expect(reported['user']?.['t']).toBeLessThanOrEqual(60);
      expect(retryAfter).toBeUndefined();
    }
    const refused = await requestFrom(newIpAddress(), ada);
    const { policies, remaining, retryAfter = NaN } = readRateLimits(refused);
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
        message: `Too many requests: the limit is ${USER_LIMIT} requests in 60 seconds for each user or API key. Retry in ${retryAfter} seconds.`,
      },
    ]);
    // Other callers from the same IP address are served.
    const bob = await galley.clientFor('bob');
    expect((await requestFrom(newIpAddress(), bob)).status).toBe(200);
  });

  itRaces('are served exactly up to the limit when they arrive at once', async () => {
    const carol = await galley.clientFor('carol');
    const send = () => requestFrom(newIpAddress(), carol);
    expect(await statusesOfConcurrent(3 * USER_LIMIT, send)).toEqual([
      ...repeated(USER_LIMIT, 200),
      ...repeated(2 * USER_LIMIT, 429),
    ]);
  });

  it("are counted by API key, and not for another key or the key's creator", async () => {
    const dan = await galley.clientFor('dan');
    const { id } = await galley.createWorkspaceFor('dan');
    const path = `/api/workspaces/${id}/keys`;
    const keys = [];
    for (const name of ['one', 'two']) {
      const { body } = await dan.post<{ key: string }>(path, { name, role: 'viewer' });
      keys.push(new Client(galley.url, body.key));
    }
    for (const key of keys) {
      const send = () => requestFrom(newIpAddress(), key);
      expect(await statusesOfConcurrent(USER_LIMIT + 1, send)).toEqual([
        ...repeated(USER_LIMIT, 200),
        429,
      ]);
    }
    // Dan has sent four requests: for the workspace, for the two keys, and this one.
    expect(readRateLimits(await requestFrom(newIpAddress(), dan)).remaining['user']).toMatchObject({
      r: USER_LIMIT - 4,
    });
  });

  it('are counted by IP address, for all callers', async () => {
    const ipAddress = newIpAddress();
    const send = () => requestFrom(ipAddress, galley.anonymous);
    expect(await statusesOfConcurrent(IP_LIMIT, send)).toEqual(repeated(IP_LIMIT, 401));
    const eve = await galley.clientFor('eve');
    const refused = await requestFrom<{ message: string }>(ipAddress, eve);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toContain(
      `the limit is ${IP_LIMIT} requests in 60 seconds for each IP address`,
    );
    const { remaining, retryAfter } = readRateLimits(refused);
    expect(remaining).toEqual({ address: { r: 0, t: retryAfter } });
    const responseFromElsewhere = await requestFrom(newIpAddress(), eve);
    expect([
      responseFromElsewhere.status,
      readRateLimits(responseFromElsewhere).remaining['user'],
    ]).toMatchObject([200, { r: USER_LIMIT - 1 }]);
  });

  it('are refused before their body is read', async () => {
    const ipAddress = newIpAddress();
    expect(
      await statusesOfConcurrent(IP_LIMIT, () => requestFrom(ipAddress, galley.anonymous)),
    ).toEqual(repeated(IP_LIMIT, 401));
    // This route reads a body without a token.
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

  it('are counted by /64 network of IPv6', async () => {
    const network = `2001:db8:${newIpAddress().replace(/^203\.(\d+)\.(\d+)\..*/, '$1:$2')}`;
    let host = 1;
    const send = () => requestFrom(`${network}::${(host++).toString(16)}`, galley.anonymous);
    expect(await statusesOfConcurrent(IP_LIMIT + 1, send)).toEqual([
      ...repeated(IP_LIMIT, 401),
      429,
    ]);
    const neighbour = network.replace(/\d+$/, (last) => String(Number(last) + 1));
    expect((await requestFrom(`${neighbour}::1`, galley.anonymous)).status).toBe(401);
  });

  it('cost no statement once their IP address is over its limit, with any token', async () => {
    const ipAddress = newIpAddress();
    const token = (await galley.issuer.token('new')).replace(/\.[^.]+$/, '.AAAA');
    const key = `glk_${'A'.repeat(43)}`;
    const invalidClients = [token, key].map((each) => new Client(galley.url, each));
    const flood = (count: number) => async () => {
      for (let sent = 0; sent < count; sent++) {
        await requestFrom(ipAddress, invalidClients[sent % invalidClients.length] as Client);
      }
    };
    expect((await proxy.measureCost(flood(IP_LIMIT))).statements).toBe(IP_LIMIT / 2);
    expect(await proxy.measureCost(flood(50))).toEqual({ roundTrips: 0, statements: 0 });
    // A refused request with the token of a new user does not create the user.
    const newUserClient = new Client(galley.url, await galley.issuer.token('unseen'));
    const cost = await proxy.measureCost(async () => {
      expect((await requestFrom(ipAddress, newUserClient)).status).toBe(429);
    });
    expect(cost).toEqual({ roundTrips: 0, statements: 0 });
  });

  it.each([
    ['GET', '/api/auth/me', 401],
    ['POST', '/api/auth/webhook', 404],
    ['GET', '/api/nothing', 404],
    ['DELETE', '/', 404],
    ['GET', '/health/none', 404],
  ])('are counted by IP address: %s %s', async (method, path, status) => {
    const ipAddress = newIpAddress();
    for (let remaining = IP_LIMIT - 1; remaining >= 0; remaining--) {
      const response = await requestFrom(ipAddress, galley.anonymous, path, method);
      expect(response.status).toBe(status);
      expect(readRateLimits(response)).toMatchObject({
        policies: POLICIES,
        remaining: { address: { r: remaining } },
      });
    }
    expect((await requestFrom(ipAddress, galley.anonymous, path, method)).status).toBe(429);
  });

  it.each(['/health/live', '/health/ready'])(
    'are not counted, and cost almost nothing: %s',
    async (path) => {
      const ipAddress = newIpAddress();
      const send = () => requestFrom(ipAddress, galley.anonymous, path);
      const { statements } = await proxy.measureCost(async () => {
        expect(await statusesOfConcurrent(2 * IP_LIMIT, send)).toEqual(repeated(2 * IP_LIMIT, 200));
      });
      // The API asks the database once for each second that the requests take.
      expect(statements).toBeLessThan(IP_LIMIT);
      expect(readRateLimits(await send())).toEqual({
        policies: {},
        remaining: {},
        retryAfter: undefined,
      });
    },
  );
});

it('requests without a limit are not counted and have no headers', async () => {
  const galley = await startGalley();
  expect(readRateLimits(await (await galley.clientFor('ada')).get('/api/auth/me'))).toEqual({
    policies: {},
    remaining: {},
    retryAfter: undefined,
  });
  await galley.stop();
});
