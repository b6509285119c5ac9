import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { DomainError } from '#errors';
import { Turns, type Turn } from './turns.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const QUICK = { cost: 20, characters: 28_000 };
const LARGE = { cost: 900, characters: 1_000_000 };
const MAX_WAIT_MS = 10_000;

/** Requests turns, and records the outcomes. */
function takeTurns(processors: number) {
  const turns = new Turns(processors);
  const running: [tenant: string, turn: Turn][] = [];
  const refused: [tenant: string, error: DomainError][] = [];
  const take = (tenant: string, load = LARGE): Turn => {
    const turn = turns.take(tenant, load);
    turn.granted.then(
      () => running.push([tenant, turn]),
      (error: unknown) => refused.push([tenant, error as DomainError]),
    );
    return turn;
  };
  const settle = () => jest.advanceTimersByTimeAsync(0);
  const tenants = async () => {
    await settle();
    return running.map(([tenant]) => tenant);
  };
  const endFirst = async () => {
    await settle();
    running.shift()?.[1].end();
    return tenants();
  };
  return { turns, take, tenants, endFirst, refused };
}

it.each([1, 2, 5])(
  'with %i processors, one tenant holds at most half of the threads',
  async (n) => {
    const { take, tenants } = takeTurns(n);
    for (let each = 0; each < 20; each++) {
      take('mallory');
      take('mallory', QUICK);
    }
    expect(await tenants()).toHaveLength(Math.ceil(n / 2) + n);
    take('ada', QUICK);
    expect((await tenants()).at(-1)).toBe('ada');
  },
);

it('quick documents do not wait for large documents of other tenants', async () => {
  const { take, tenants } = takeTurns(1);
  for (let tenant = 0; tenant < 10; tenant++) take(`mallory ${tenant}`);
  expect(await tenants()).toEqual(['mallory 0']);
  take('ada', QUICK);
  expect(await tenants()).toEqual(['mallory 0', 'ada']);
});

it('waiting tenants get turns in rotation', async () => {
  const { take, tenants, endFirst } = takeTurns(1);
  for (let each = 0; each < 5; each++) take('mallory');
  take('ada');
  take('ada');
  expect(await tenants()).toEqual(['mallory']);
  const order = [];
  for (let each = 0; each < 5; each++) order.push(...(await endFirst()));
  expect(order).toEqual(['ada', 'mallory', 'ada', 'mallory', 'mallory']);
});

it('a tenant with too many large documents is refused, and learns when to retry', async () => {
  const { take, tenants, refused } = takeTurns(1);
  for (let each = 0; each < 20; each++) take('mallory');
  await tenants();
  // One document is being rendered, and eleven documents of 0.9 s each wait.
  expect(refused).toHaveLength(8);
  const [, refusal] = refused[0] ?? [];
  expect(refusal).toMatchObject({
    code: 'too_many_requests',
    message: expect.stringContaining('Too many documents of the same workspace or user'),
    hints: { retryAfterSeconds: 11 },
  });
});

it('a tenant may have a thousand documents waiting, and other tenants go first', async () => {
  const { turns, take, tenants, endFirst, refused } = takeTurns(1);
  for (let each = 0; each < 5_000; each++) take('mallory', { cost: 1, characters: 100 });
  expect(await tenants()).toHaveLength(1);
  expect(turns.waitingCount).toBe(1_000);
  expect(refused).toHaveLength(3_999);
  take('ada', QUICK);
  take('bob', QUICK);
  expect(await tenants()).toEqual(['mallory', 'ada']);
  expect(await endFirst()).toEqual(['ada', 'bob']);
});

it('ten thousand tenants with one document each get turns in order', async () => {
  const { turns, take, tenants, endFirst, refused } = takeTurns(1);
  for (let tenant = 0; tenant < 10_000; tenant++) take(`${tenant}`, { cost: 1, characters: 100 });
  expect(await tenants()).toEqual(['0', '1']);
  expect(turns.waitingCount).toBe(9_998);
  for (let tenant = 2; tenant < 10_000; tenant++) {
    expect((await endFirst()).at(-1)).toBe(`${tenant}`);
  }
  expect([turns.waitingCount, refused]).toEqual([0, []]);
});

it('waiting documents do not exceed the memory limit', async () => {
  const { take, tenants, refused } = takeTurns(1);
  const prose = { cost: 60, characters: 1_000_000 };
  for (let each = 0; each < 30; each++) take('mallory', prose);
  await tenants();
  expect(refused.map(([, { code }]) => code)).toEqual(Array(13).fill('too_many_requests'));
  for (let tenant = 0; tenant < 100; tenant++) take(`${tenant}`, prose);
  await tenants();
  expect(refused).toHaveLength(62);
  const [, refusal] = refused.at(-1) ?? [];
  expect(refusal).toMatchObject({ code: 'unavailable', hints: { retryAfterSeconds: 5 } });
});

it('the error after a long wait depends on whose documents the tenant waited for', async () => {
  const { take, tenants, refused } = takeTurns(1);
  take('mallory');
  take('mallory');
  take('ada');
  await tenants();
  await jest.advanceTimersByTimeAsync(MAX_WAIT_MS);
  expect(refused.map(([tenant, { code }]) => [tenant, code])).toEqual([
    ['mallory', 'too_many_requests'],
    ['ada', 'unavailable'],
  ]);
});

it('a turn that ends while it waits leaves the queue', async () => {
  const { turns, take, tenants, endFirst } = takeTurns(1);
  take('mallory');
  const waiting = take('mallory');
  take('ada');
  waiting.end();
  expect([await tenants(), turns.waitingCount]).toEqual([['mallory'], 1]);
  expect(await endFirst()).toEqual(['ada']);
  expect(await endFirst()).toEqual([]);
});
