import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { VerifiedTokens } from './verified-tokens.js';

const userId = 'ada';

it('keeps a token until it ends, and no longer', async () => {
  const tokens = new VerifiedTokens();
  const end = Date.now() + 500;
  tokens.keep('brief', userId, end);
  tokens.keep('lasting', userId, end + 60_000);
  // Two clocks, of which one goes in whole milliseconds.
  while (Date.now() < end + 50) await turn();
  expect([tokens.userOf('brief'), tokens.userOf('lasting')]).toEqual([undefined, userId]);
});

it('keeps none that has ended already', () => {
  const tokens = new VerifiedTokens();
  tokens.keep('token', userId, Date.now() - 10);
  expect(tokens.userOf('token')).toBeUndefined();
});

it('keeps one that is very long', () => {
  const tokens = new VerifiedTokens();
  const long = 'x'.repeat(10_000);
  tokens.keep(long, userId, Date.now() + 60_000);
  expect([tokens.userOf(long), tokens.userOf(`${long}x`)]).toEqual([userId, undefined]);
});
