import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { DomainError } from '#errors';
import { FairQueue, type Ticket, type WaitRules } from './fair-queue.js';

const MAX_WAITING = 100;
const WAIT_TIMEOUT_MS = 5_000;
const rules: WaitRules = {
  maxWaiting: MAX_WAITING,
  timeoutMs: WAIT_TIMEOUT_MS,
  tooManyWaiting: (key) => new DomainError('too_many_requests', `${key}: too many`),
  waitedForOwn: (key) => new DomainError('too_many_requests', `${key}: waited for own`),
  waitedForOthers: (key) => new DomainError('unavailable', `${key}: waited for others`),
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** By default, the queue has 8 slots: one caller holds at most 4, and 2 are reserved. */
function createQueue(slots = 8, silence?: string) {
  const notResponding = () => (silence ? new DomainError('unavailable', silence) : undefined);
  const queue = new FairQueue(slots, { ...rules, notResponding });
  const running = new Map<string, Ticket[]>();
  const refused: [caller: string, error: DomainError][] = [];
  const enter = (caller: string, isLong = false) =>
    queue.enter(
      caller,
      (ticket, refusal) => {
        if (refusal) refused.push([caller, refusal]);
        else running.set(caller, [...(running.get(caller) ?? []), ticket]);
      },
      isLong,
    );
  const leave = (caller: string) => {
    const ticket = running.get(caller)?.shift();
    if (ticket) queue.leave(ticket);
  };
  const count = (caller: string) => running.get(caller)?.length ?? 0;
  const enterOften = (caller: string, times: number) => {
    for (let each = 0; each < times; each++) enter(caller);
  };
  return { queue, enter, enterOften, leave, count, refused };
}

it('lets one caller hold at most half of the slots', () => {
  const { enterOften, leave, count } = createQueue();
  enterOften('ada', 10);
  expect(count('ada')).toBe(4);
  leave('ada');
  expect(count('ada')).toBe(4);
});

it('lets the long requests of one caller hold at most a fifth of the slots', () => {
  const { enter, leave, count } = createQueue(10);
  for (let each = 0; each < 5; each++) enter('ada', true);
  expect(count('ada')).toBe(2);
  // Short requests do not wait for long ones.
  enter('ada');
  expect(count('ada')).toBe(3);
  leave('ada');
  expect(count('ada')).toBe(3);
  enter('bob', true);
  expect(count('bob')).toBe(1);
});

it('does not count the end of a short request as the end of a long one', () => {
  const { enter, leave, count } = createQueue(10);
  enter('ada');
  for (let each = 0; each < 3; each++) enter('ada', true);
  leave('ada');
  expect(count('ada')).toBe(2);
  leave('ada');
  expect(count('ada')).toBe(2);
});

it('counts free slots and waiting requests', () => {
  const { queue, enter, enterOften, leave } = createQueue();
  const counts = () => [queue.freeSlotCount, queue.waitingCount];
  enterOften('ada', 6);
  expect(counts()).toEqual([4, 2]);
  leave('ada');
  expect(counts()).toEqual([4, 1]);
  queue.leave(enter('ada'));
  expect(counts()).toEqual([4, 1]);
  jest.advanceTimersByTime(WAIT_TIMEOUT_MS);
  expect(counts()).toEqual([4, 0]);
});

it('keeps the reserve for short requests of callers that hold no slot', () => {
  const { enter, enterOften, count } = createQueue();
  enterOften('ada', 10);
  enterOften('bob', 10);
  expect([count('ada'), count('bob')]).toEqual([4, 2]);
  enter('eve', true);
  expect(count('eve')).toBe(0);
  enter('fay');
  enter('gus');
  enter('hal');
  expect([count('fay'), count('gus'), count('hal')]).toEqual([1, 1, 0]);
});

it('gives a free slot to the caller that holds the fewest slots', () => {
  const { enterOften, leave, count } = createQueue();
  enterOften('ada', 10);
  enterOften('bob', 10);
  enterOften('eve', 10);
  expect([count('ada'), count('bob'), count('eve')]).toEqual([4, 2, 1]);
  // The first slot that becomes free stays free: two slots are reserved, and so far only one was free.
  leave('ada');
  expect([count('ada'), count('bob'), count('eve')]).toEqual([3, 2, 1]);
  leave('ada');
  expect([count('ada'), count('bob'), count('eve')]).toEqual([2, 2, 2]);
});

it('denies the reserve to a heavy caller until that caller has been idle', () => {
  const { enter, leave, count } = createQueue(4);
  for (const caller of ['ada', 'bob', 'eve']) enter(caller, true);
  expect([count('ada'), count('bob'), count('eve')]).toEqual([1, 1, 1]);
  jest.advanceTimersByTime(2_000);
  leave('ada');
  enter('fay', true);
  enter('ada');
  expect(count('ada')).toBe(0);
  jest.advanceTimersByTime(4_000);
  leave('fay');
  expect(count('ada')).toBe(1);
  leave('ada');
  jest.advanceTimersByTime(10_000);
  enter('fay', true);
  enter('ada');
  expect(count('ada')).toBe(1);
});

// Each second with a slot counts as 750 ms of use. A caller with more than a second of use is heavy.
it.each([
  [1_300, 1],
  [1_400, 0],
])('after %i ms with a slot, a caller may use %i reserved slots', (milliseconds, slots) => {
  const { enter, leave, count } = createQueue(4);
  for (const caller of ['ada', 'bob', 'eve']) enter(caller, true);
  jest.advanceTimersByTime(milliseconds);
  leave('ada');
  enter('fay', true);
  enter('ada');
  expect(count('ada')).toBe(slots);
});

it('refuses only the caller that has too many waiting requests', () => {
  const { enterOften, count, refused } = createQueue();
  enterOften('ada', 4 + MAX_WAITING + 2);
  expect(refused).toHaveLength(2);
  for (const [caller, { code, message }] of refused) {
    expect([caller, code, message]).toEqual(['ada', 'too_many_requests', 'ada: too many']);
  }
  enterOften('bob', 2);
  expect(count('bob')).toBe(2);
});

it('refuses requests that waited too long, and says whose requests they waited for', () => {
  const { enter, enterOften, leave, refused } = createQueue(2);
  enterOften('ada', 3);
  for (const caller of ['bob', 'eve', 'fay']) enter(caller);
  jest.advanceTimersByTime(WAIT_TIMEOUT_MS - 1);
  leave('bob');
  jest.advanceTimersByTime(1);
  expect(refused.map(([caller, { code }]) => [caller, code])).toEqual([
    ['ada', 'too_many_requests'],
    ['ada', 'too_many_requests'],
    ['fay', 'unavailable'],
  ]);
});

it('tells a caller with one long request that the request waited for others', () => {
  const { enter, leave, count, refused } = createQueue(4);
  for (const caller of ['ada', 'bob', 'eve', 'fay']) enter(caller, true);
  expect(count('fay')).toBe(0);
  // A request ends, but its slot belongs to the reserve.
  enter('gus');
  jest.advanceTimersByTime(1);
  leave('gus');
  jest.advanceTimersByTime(WAIT_TIMEOUT_MS);
  expect(refused.map(([caller, { code }]) => [caller, code])).toEqual([['fay', 'unavailable']]);
});

it('tells a heavy caller that its request waited for its own earlier requests', () => {
  const { enter, leave, refused } = createQueue(4);
  for (const caller of ['ada', 'bob', 'eve']) enter(caller);
  jest.advanceTimersByTime(10_000);
  leave('ada');
  enter('fay', true);
  enter('ada');
  enter('gus');
  jest.advanceTimersByTime(1);
  leave('gus');
  jest.advanceTimersByTime(WAIT_TIMEOUT_MS - 1);
  expect(refused.map(([, { message }]) => message)).toEqual(['ada: waited for own']);
});

it('blames no caller while the resource behind the slots does not respond', () => {
  const { enterOften, leave, refused } = createQueue(2, 'silent');
  enterOften('ada', 1 + MAX_WAITING + 1);
  leave('ada');
  jest.advanceTimersByTime(WAIT_TIMEOUT_MS);
  const messages = new Set(refused.map(([, { message }]) => message));
  expect([refused.length, ...messages]).toEqual([MAX_WAITING, 'silent']);
});

it('drops a waiting request that leaves, and frees each slot only once', () => {
  const { queue, enter, leave, count, refused } = createQueue(2);
  const first = enter('ada');
  const second = enter('ada');
  queue.leave(second);
  expect(refused).toHaveLength(1);
  queue.leave(first);
  queue.leave(first);
  leave('ada');
  for (const caller of ['bob', 'eve', 'fay']) enter(caller);
  expect([count('bob'), count('eve'), count('fay')]).toEqual([1, 1, 0]);
  const third = enter('gus');
  queue.leave(third);
  jest.advanceTimersByTime(WAIT_TIMEOUT_MS);
  // No request is refused twice.
  expect(refused.map(([caller]) => caller)).toEqual(['ada', 'gus', 'fay']);
  leave('bob');
  enter('hal');
  expect(count('hal')).toBe(1);
});

it('starts a short request once the long request before it is refused', () => {
  const { enter, count, refused } = createQueue(4);
  for (const caller of ['ada', 'bob', 'eve']) enter(caller, true);
  enter('fay', true);
  jest.advanceTimersByTime(1_000);
  enter('fay');
  expect(count('fay')).toBe(0);
  jest.advanceTimersByTime(WAIT_TIMEOUT_MS - 1_000);
  expect([count('fay'), refused.length]).toEqual([1, 1]);
});

it('starts a waiting request in its own async context', () => {
  const queue = new FairQueue(1, rules);
  const context = new AsyncLocalStorage<string>();
  const started: (string | undefined)[] = [];
  const enter = (name: string) =>
    context.run(name, () => queue.enter(name, () => started.push(context.getStore())));
  const first = enter('ada');
  enter('bob');
  context.run('ada', () => queue.leave(first));
  expect(started).toEqual(['ada', 'bob']);
});

it('starts many requests that end immediately, without recursion', () => {
  const queue = new FairQueue(1, rules);
  const first = queue.enter('ada', () => undefined);
  let finished = 0;
  let depth = 0;
  let maxDepth = 0;
  for (let caller = 0; caller < 1_000; caller++) {
    queue.enter(`caller ${caller}`, (ticket) => {
      maxDepth = Math.max(maxDepth, ++depth);
      finished++;
      queue.leave(ticket);
      depth--;
    });
  }
  queue.leave(first);
  expect([finished, maxDepth]).toEqual([1_000, 1]);
});
