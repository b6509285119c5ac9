import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { VerifiedTokens } from './verified-tokens.js';

const userId = 'ada';
let tokens: VerifiedTokens;

beforeEach(() => {
  jest.useFakeTimers();
  // Fake timers begin at 0, and lru-cache never expires an entry that was set at time 0.
  jest.advanceTimersByTime(1);
  tokens = new VerifiedTokens();
});
afterEach(() => void jest.useRealTimers());

it('keeps a token until it expires, and no longer', () => {
  tokens.add('brief', userId, Date.now() + 500);
  tokens.add('lasting', userId, Date.now() + 60_000);
  jest.advanceTimersByTime(499);
  expect(tokens.findUserId('brief')).toBe(userId);
  jest.advanceTimersByTime(2);
  expect([tokens.findUserId('brief'), tokens.findUserId('lasting')]).toEqual([undefined, userId]);
});

it('keeps a token for at most a minute, however long it is valid', () => {
  tokens.add('token', userId, Date.now() + 3_600_000);
  tokens.add('key', userId, Infinity);
  jest.advanceTimersByTime(59_000);
  expect([tokens.findUserId('token'), tokens.findUserId('key')]).toEqual([userId, userId]);
  jest.advanceTimersByTime(1_001);
  expect([tokens.findUserId('token'), tokens.findUserId('key')]).toEqual([undefined, undefined]);
});

it('does not keep a token that has already expired', () => {
  tokens.add('token', userId, Date.now() - 10);
  expect(tokens.findUserId('token')).toBeUndefined();
});

it('keeps a very long token', () => {
  const longToken = 'x'.repeat(10_000);
  tokens.add(longToken, userId, Date.now() + 60_000);
  expect([tokens.findUserId(longToken), tokens.findUserId(`${longToken}x`)]).toEqual([
    userId,
    undefined,
  ]);
});
