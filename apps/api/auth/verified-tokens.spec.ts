import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { VerifiedTokens } from './verified-tokens.js';

const userId = 'ada';

it('keeps a token until it ends, and not a moment longer', async () => {
  const tokens = new VerifiedTokens();
  const end = Date.now() + 1_000;
  tokens.keep('token', userId, end);
  expect(tokens.userOf('token')).toBe(userId);
  while (tokens.userOf('token') !== undefined) await turn();
  // Two clocks, of which one goes in whole milliseconds.
  expect(Math.abs(Date.now() - end)).toBeLessThan(200);
});

it.each([
  ['that has ended already', 'token', -10],
  ['that is very long', 'x'.repeat(2_001), 60_000],
])('keeps none %s', (_what, token, lasts) => {
  const tokens = new VerifiedTokens();
  tokens.keep(token, userId, Date.now() + lasts);
  expect(tokens.userOf(token)).toBeUndefined();
});
