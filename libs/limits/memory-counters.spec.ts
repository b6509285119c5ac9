import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { MemoryCounters } from './memory-counters.js';

const policy = { name: 'user', quota: 10 } as const;
const bucket = (key: string) => ({ policy, key });

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('counts each bucket by itself until its window ends, and then anew', () => {
  const counters = new MemoryCounters(60_000);
  expect(counters.count(bucket('a'))).toMatchObject({ used: 1, endsInMs: 60_000 });
  expect(counters.count(bucket('a')).used).toBe(2);
  expect(counters.count(bucket('b')).used).toBe(1);
  jest.advanceTimersByTime(59_999);
  expect(counters.look(bucket('a'))).toMatchObject({ used: 2, endsInMs: 1 });
  jest.advanceTimersByTime(1);
  expect(counters.look(bucket('a')).used).toBe(0);
  expect(counters.count(bucket('a')).used).toBe(1);
});

it('takes over what was counted in all processes', () => {
  const counters = new MemoryCounters(60_000);
  const keep = (used: number, endsInMs: number) => {
    counters.keep({ ...bucket('a'), used, endsInMs });
    return counters.look(bucket('a'));
  };
  expect(keep(7, 30_000).used).toBe(7);
  expect(counters.count(bucket('a')).used).toBe(8);
  // An answer that was on its way while another one was counted.
  expect(keep(6, 29_900).used).toBe(8);
  expect(keep(9, 29_900).used).toBe(9);
  // The window is over elsewhere, or has been from the start.
  expect(keep(1, 60_000).used).toBe(1);
  expect(keep(5, 10)).toMatchObject({ used: 5, endsInMs: 10 });
});

it('keeps no more windows than it has room for, and forgets those first that are used least', () => {
  const counters = new MemoryCounters(60_000);
  const address = { policy: { name: 'address', quota: 10 }, key: 'address' } as const;
  counters.count(address);
  counters.count(bucket('seldom'));
  for (let at = 0; at < 50_000; at++) {
    counters.count(bucket(String(at)));
    counters.count(bucket('often'));
  }
  expect(counters.look(bucket('seldom')).used).toBe(0);
  expect(counters.look(bucket('often')).used).toBe(50_000);
  // Each policy has room of its own.
  expect(counters.look(address).used).toBe(1);
});
