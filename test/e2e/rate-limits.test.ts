import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/answer.js';
import { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { PostgresProxy } from '../support/postgres-proxy.js';
import { askFrom, newAddress, toldBy } from '../support/rate-limits.js';

const USER = 6;
const ADDRESS = 10;
const POLICIES = { address: { q: ADDRESS, w: 60 }, user: { q: USER, w: 60 } };
const redisUrl = process.env['REDIS_URL'];
const ways = [['in memory', ''] as const, ...(redisUrl ? [['in Redis', redisUrl] as const] : [])];

describe.each(ways)('requests that are counted %s', (_way, REDIS_URL) => {
  let galley: Galley;
  let proxy: PostgresProxy;

  beforeAll(async () => {
    galley = await startGalley({
      environment: {
        ...{ REDIS_URL, TRUSTED_PROXIES: '127.0.0.0/8' },
        ...{ RATE_LIMIT_USER: String(USER), RATE_LIMIT_ADDRESS: String(ADDRESS) },
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

  const statusesOf = async (times: number, ask: () => Promise<Answer<unknown>>) => {
    const answers = await Promise.all(Array.from({ length: times }, ask));
    return answers.map(({ status }) => status).sort();
  };
  const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

  it('are served as long as a user has any left, and told how many these are', async () => {
    const ada = await galley.as('ada');
    for (let left = USER - 1; left >= 0; left--) {
      const answer = await askFrom(newAddress(), ada);
      expect(answer.status).toBe(200);
      const { policies, left: told, retryAfter } = toldBy(answer);
      expect(policies).toEqual(POLICIES);
      expect(told).toMatchObject({ address: { r: ADDRESS - 1, t: 60 }, user: { r: left } });
      expect(told['user']?.['t']).toBeGreaterThan(0);
      expect(told['user']?.['t']).toBeLessThanOrEqual(60);
      expect(retryAfter).toBeUndefined();
    }
    const refused = await askFrom(newAddress(), ada);
    const { policies, left, retryAfter = NaN } = toldBy(refused);
    expect(policies).toEqual(POLICIES);
    expect(left).toEqual({ user: { r: 0, t: retryAfter } });
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(refused.headers.get('x-request-id')).not.toBeNull();
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        statusCode: 429,
        code: 'too_many_requests',
        message: `Too many requests: ${USER} in 60 seconds are allowed of one user or API key. Come again in ${retryAfter} seconds.`,
      },
    ]);
    // Whoever else comes from there is served.
    const bob = await galley.as('bob');
    expect((await askFrom(newAddress(), bob)).status).toBe(200);
  });

  it('are served exactly as often as is allowed when they come all at once', async () => {
    const carol = await galley.as('carol');
    const ask = () => askFrom(newAddress(), carol);
    expect(await statusesOf(3 * USER, ask)).toEqual([...times(USER, 200), ...times(2 * USER, 429)]);
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
      const ask = () => askFrom(newAddress(), key);
      expect(await statusesOf(USER + 1, ask)).toEqual([...times(USER, 200), 429]);
    }
    // The workspace and two keys.
    expect(toldBy(await askFrom(newAddress(), dan)).left['user']).toMatchObject({ r: USER - 4 });
  });

  it('are those of an address, whoever sends them', async () => {
    const address = newAddress();
    const ask = () => askFrom(address, galley.nobody);
    expect(await statusesOf(ADDRESS, ask)).toEqual(times(ADDRESS, 401));
    const eve = await galley.as('eve');
    const refused = await askFrom<{ message: string }>(address, eve);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toContain(`${ADDRESS} in 60 seconds are allowed from one address`);
    const { left, retryAfter } = toldBy(refused);
    expect(left).toEqual({ address: { r: 0, t: retryAfter } });
    const elsewhere = await askFrom(newAddress(), eve);
    expect([elsewhere.status, toldBy(elsewhere).left['user']]).toMatchObject([
      200,
      { r: USER - 1 },
    ]);
  });

  it('are refused before their body is read', async () => {
    const address = newAddress();
    expect(await statusesOf(ADDRESS, () => askFrom(address, galley.nobody))).toEqual(
      times(ADDRESS, 401),
    );
    // The route that reads a body of anybody.
    const sending = request(`${galley.url}/api/auth/webhook`, {
      method: 'POST',
      headers: {
        ...{ 'x-forwarded-for': address, 'content-type': 'application/json' },
        'content-length': 1_000_000,
      },
    });
    sending.write('{');
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(429);
    sending.on('error', () => undefined).destroy();
  });

  it('are those of a whole network of IPv6', async () => {
    const network = `2001:db8:${newAddress().replace(/^203\.(\d+)\.(\d+)\..*/, '$1:$2')}`;
    let host = 1;
    const ask = () => askFrom(`${network}::${(host++).toString(16)}`, galley.nobody);
    expect(await statusesOf(ADDRESS + 1, ask)).toEqual([...times(ADDRESS, 401), 429]);
    const neighbour = network.replace(/\d+$/, (last) => String(Number(last) + 1));
    expect((await askFrom(`${neighbour}::1`, galley.nobody)).status).toBe(401);
  });

  it('cost no statement once their address is over its limit, whatever token they bring', async () => {
    const address = newAddress();
    const token = (await galley.issuer.token('new')).replace(/\.[^.]+$/, '.AAAA');
    const key = `glk_${'A'.repeat(43)}`;
    const bad = [token, key].map((each) => new Client(galley.url, each));
    const flood = (count: number) => async () => {
      for (let sent = 0; sent < count; sent++) {
        await askFrom(address, bad[sent % bad.length] as Client);
      }
    };
    expect((await proxy.costOf(flood(ADDRESS))).statements).toBe(ADDRESS / 2);
    expect(await proxy.costOf(flood(50))).toEqual({ roundTrips: 0, statements: 0 });
    // A token that would make a user makes none.
    const unseen = new Client(galley.url, await galley.issuer.token('unseen'));
    const cost = await proxy.costOf(async () => {
      expect((await askFrom(address, unseen)).status).toBe(429);
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
    const address = newAddress();
    for (let left = ADDRESS - 1; left >= 0; left--) {
      const answer = await askFrom(address, galley.nobody, path, method);
      expect(answer.status).toBe(status);
      expect(toldBy(answer)).toMatchObject({ policies: POLICIES, left: { address: { r: left } } });
    }
    expect((await askFrom(address, galley.nobody, path, method)).status).toBe(429);
  });

  it.each(['/health/live', '/health/ready'])(
    'are not counted, and cost next to nothing: %s',
    async (path) => {
      const address = newAddress();
      const ask = () => askFrom(address, galley.nobody, path);
      const { statements } = await proxy.costOf(async () => {
        expect(await statusesOf(2 * ADDRESS, ask)).toEqual(times(2 * ADDRESS, 200));
      });
      // One for each second that they take.
      expect(statements).toBeLessThan(ADDRESS);
      expect(toldBy(await ask())).toEqual({ policies: {}, left: {}, retryAfter: undefined });
    },
  );
});

it('requests without a limit are not counted and told nothing', async () => {
  const galley = await startGalley();
  expect(toldBy(await (await galley.as('ada')).get('/api/auth/me'))).toEqual({
    policies: {},
    left: {},
    retryAfter: undefined,
  });
  await galley.stop();
});
