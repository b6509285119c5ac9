import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSigningKeys, startIdentityProvider } from './identity-provider.js';
import type { IdentityProvider } from './identity-provider.js';

let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider({
    signingKeys: await createSigningKeys(),
    audience: 'galley',
  });
});
afterAll(() => provider.stop());

test('UserInfo refuses an invalid token', async () => {
  const response = await fetch(`${provider.origin}/userinfo`, {
    headers: { authorization: 'Bearer nonsense' },
  });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('invalid_token');
});

describe('CORS', () => {
  const paths = ['/.well-known/openid-configuration', '/jwks', '/userinfo', '/token'];
  const preflight = (path: string, origin: string) =>
    fetch(provider.origin + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  test.each(paths)('lets pages on this machine request %s', async (path) => {
    const { headers } = await preflight(path, 'http://localhost:5173');
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  });

  test.each(paths)('does not let other pages request %s', async (path) => {
    const { status, headers } = await preflight(path, 'https://evil.example');
    expect(status).toBe(403);
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
});
