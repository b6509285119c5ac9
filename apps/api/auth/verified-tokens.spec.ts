import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { VerifiedTokens } from './verified-tokens.js';

const actor = { userId: 'ada' };
const now = () => Math.floor(Date.now() / 1000);
const tokenUntil = (exp: number, claims = {}) =>
  new UnsecuredJWT(claims).setExpirationTime(exp).encode();

it('keeps a token until it ends, and not a moment longer', async () => {
  const tokens = new VerifiedTokens();
  const end = now() + 2;
  const token = tokenUntil(end);
  tokens.keep(token, actor);
  expect(tokens.actorOf(token)).toBe(actor);
  while (tokens.actorOf(token) !== undefined) await turn();
  // Two clocks, of which one goes in whole milliseconds.
  expect(Math.abs(Date.now() - end * 1000)).toBeLessThan(200);
});

it.each([
  ['that has ended already', tokenUntil(now() - 10)],
  ['without an end', new UnsecuredJWT({}).encode()],
  ['that is very long', tokenUntil(now() + 60, { groups: 'x'.repeat(2_000) })],
])('keeps none %s', (_what, token) => {
  const tokens = new VerifiedTokens();
  tokens.keep(token, actor);
  expect(tokens.actorOf(token)).toBeUndefined();
});
