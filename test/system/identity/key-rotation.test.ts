import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

let galley: Galley;
let tokenNumber = 0;

beforeEach(async () => {
  galley = await startGalley();
});
afterEach(async () => {
  jest.useRealTimers();
  await galley.stop();
});

const statusWith = async (token: string) =>
  (await new Client(galley.url, token).get('/api/auth/me')).status;
/** A token that is not in the cache of verified tokens, so that Galley needs the key that signed it. */
const newToken = (keyId?: string) =>
  galley.issuer.token('ada', { claims: { jti: `${++tokenNumber}` }, ...(keyId && { keyId }) });

/** Moves only the clock: timers, sockets and PostgreSQL are real. */
const advanceClock = (seconds: number) => jest.setSystemTime(Date.now() + seconds * 1000);
const useFakeClock = () =>
  jest.useFakeTimers({
    now: Date.now(),
    doNotFake: [
      ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
      ...(['setTimeout', 'clearTimeout'] as const),
    ],
  });

it('a new key works from its first token on, also for parallel requests', async () => {
  expect(await statusWith(await newToken())).toBe(200);
  const oldToken = await newToken();
  await galley.issuer.rotate('second');
  const tokens = await Promise.all(Array.from({ length: 50 }, () => newToken()));
  const statuses = await Promise.all(tokens.map(statusWith));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await statusWith(oldToken)).toBe(200);
  expect(galley.issuer.keyRequests).toBe(2);
});

it('a withdrawn key is refused after the keys were fetched again', async () => {
  expect(await statusWith(await newToken())).toBe(200);
  const oldToken = await newToken();
  await galley.issuer.rotate('second', { withdraw: true });
  expect(await statusWith(await newToken())).toBe(200);
  expect(await statusWith(oldToken)).toBe(401);
});

it('10,000 requests with unknown keys cause one request to the provider', async () => {
  // The clock stands still. Otherwise, Galley would fetch the keys again after half a minute, and a busy
  // machine takes longer than that for these requests.
  useFakeClock();
  expect(await statusWith(await newToken())).toBe(200);
  const [header = '', payload = ''] = (await newToken()).split('.');
  const forgeToken = () => {
    const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string };
    const forgedHeader = Buffer.from(JSON.stringify({ alg, kid: randomUUID() })).toString(
      'base64url',
    );
    return `${forgedHeader}.${payload}.AAAA`;
  };
  const statuses = new Map<number, number>();
  const genuineStatuses: number[] = [];
  const flood = async () => {
    for (let sent = 0; sent < 200; sent++) {
      const status = await statusWith(forgeToken());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    genuineStatuses.push(await statusWith(await newToken()));
  };
  await Promise.all(Array.from({ length: 50 }, flood));
  expect([...statuses]).toEqual([[401, 10_000]]);
  expect(new Set(genuineStatuses)).toEqual(new Set([200]));
  // One request for the first token, and one for the first unknown key.
  expect(galley.issuer.keyRequests).toBe(2);
});

it('while the provider is down for a minute, its users are served, and few requests reach the provider', async () => {
  useFakeClock();
  expect(await statusWith(await newToken())).toBe(200);
  galley.issuer.isDown = true;
  // The keys are older than the ten minutes after which they are fetched again.
  advanceClock(11 * 60);
  const before = galley.issuer.keyRequests;
  for (let second = 0; second < 60; second += 5) {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => newToken()));
    expect(new Set(await Promise.all(tokens.map(statusWith)))).toEqual(new Set([200]));
    // While the provider is down, nobody knows whether such a key exists.
    expect(await statusWith(await newToken('unknown'))).toBe(503);
    advanceClock(5);
  }
  // One request at once, and one after half a minute.
  expect(galley.issuer.keyRequests - before).toBe(2);

  galley.issuer.isDown = false;
  await galley.issuer.rotate('second');
  advanceClock(30);
  expect(await statusWith(await newToken())).toBe(200);
  expect(await statusWith(await newToken('unknown'))).toBe(401);
});
