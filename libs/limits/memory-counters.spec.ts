import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { MemoryCounters } from './memory-counters.js';

const policy = { name: 'user', quota: 10 } as const;
const bucket = (key: string) => ({ policy, key });

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('counts each bucket separately, and restarts from zero when its window ends', () => {
  const counters = new MemoryCounters();
  expect(counters.increment(bucket('a'))).toMatchObject({ used: 1, resetsInMs: 60_000 });
  expect(counters.increment(bucket('a')).used).toBe(2);
  expect(counters.increment(bucket('b')).used).toBe(1);
  jest.advanceTimersByTime(59_999);
  expect(counters.peek(bucket('a'))).toMatchObject({ used: 2, resetsInMs: 1 });
  jest.advanceTimersByTime(1);
  expect(counters.peek(bucket('a')).used).toBe(0);
  expect(counters.increment(bucket('a')).used).toBe(1);
});

it('adopts the count that all processes share', () => {
  const counters = new MemoryCounters();
  const merge = (used: number, resetsInMs: number) => {
    counters.merge({ ...bucket('a'), used, resetsInMs });
    return counters.peek(bucket('a'));
  };
  expect(merge(7, 30_000).used).toBe(7);
  expect(counters.increment(bucket('a')).used).toBe(8);
  // This response from Redis was in flight while another request was counted.
  expect(merge(6, 29_900).used).toBe(8);
  expect(merge(9, 29_900).used).toBe(9);
  // A different end means another window, whose count replaces the earlier count.
  expect(merge(1, 60_000).used).toBe(1);
  expect(merge(5, 10)).toMatchObject({ used: 5, resetsInMs: 10 });
});

it('keeps a limited number of windows, and drops the least recently used ones', () => {
  const counters = new MemoryCounters();
  const ipAddressBucket = { policy: { name: 'address', quota: 10 }, key: 'address' } as const;
  counters.increment(ipAddressBucket);
  counters.increment(bucket('seldom'));
  for (let index = 0; index < 50_000; index++) {
    counters.increment(bucket(String(index)));
    counters.increment(bucket('often'));
  }
  expect(counters.peek(bucket('seldom')).used).toBe(0);
  expect(counters.peek(bucket('often')).used).toBe(50_000);
  // Each policy has its own capacity.
  expect(counters.peek(ipAddressBucket).used).toBe(1);
});
