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
/** One that was not verified before, so that its key is looked for. */
const newToken = (keyId?: string) =>
  galley.issuer.token('ada', { claims: { jti: `${++tokenNumber}` }, ...(keyId && { keyId }) });

/** Only the clock goes faster: timers, sockets and PostgreSQL stay as they are. */
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

it('a rotation is seen at the first token of the new key, by all who bring one', async () => {
  expect(await statusWith(await newToken())).toBe(200);
  const oldToken = await newToken();
  await galley.issuer.rotate('second');
  const tokens = await Promise.all(Array.from({ length: 50 }, () => newToken()));
  const statuses = await Promise.all(tokens.map(statusWith));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await statusWith(oldToken)).toBe(200);
  expect(galley.issuer.keyRequests).toBe(2);
});

it('a key that is withdrawn serves no more once the keys were asked for again', async () => {
  expect(await statusWith(await newToken())).toBe(200);
  const oldToken = await newToken();
  await galley.issuer.rotate('second', { withdraw: true });
  expect(await statusWith(await newToken())).toBe(200);
  expect(await statusWith(oldToken)).toBe(401);
});

it('10,000 requests with made-up keys reach the provider once', async () => {
  // It may be asked again after half a minute, and a busy machine needs longer.
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
  // The first one for all, and one for the first key that nobody knows.
  expect(galley.issuer.keyRequests).toBe(2);
});

it('while the provider is down for a minute its users are served, and it is hardly asked', async () => {
  useFakeClock();
  expect(await statusWith(await newToken())).toBe(200);
  galley.issuer.isDown = true;
  // The keys are past the ten minutes for which they are not asked for.
  advanceClock(11 * 60);
  const before = galley.issuer.keyRequests;
  for (let second = 0; second < 60; second += 5) {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => newToken()));
    expect(new Set(await Promise.all(tokens.map(statusWith)))).toEqual(new Set([200]));
    // Whether there is such a key nobody can say now.
    expect(await statusWith(await newToken('unknown'))).toBe(503);
    advanceClock(5);
  }
  // At once, and after half a minute.
  expect(galley.issuer.keyRequests - before).toBe(2);

  galley.issuer.isDown = false;
  await galley.issuer.rotate('second');
  advanceClock(30);
  expect(await statusWith(await newToken())).toBe(200);
  expect(await statusWith(await newToken('unknown'))).toBe(401);
});
