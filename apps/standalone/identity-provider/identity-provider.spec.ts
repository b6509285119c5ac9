import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { createSigningKeys, requestToken, startIdentityProvider } from './identity-provider.js';
import type { IdentityProvider } from './identity-provider.js';

const HALF_A_DAY = 12 * 60 * 60;

describe('the development identity provider', () => {
  let provider: IdentityProvider;

  beforeAll(async () => {
    provider = await startIdentityProvider({
      signingKeys: await createSigningKeys(),
      audience: 'galley',
    });
  });
  afterAll(() => provider.stop());

  test('signs a token that its published keys verify', async () => {
    const token = await provider.issueToken('Ada.Lovelace@Example.com');
    const keys = createRemoteJWKSet(new URL(provider.jwksUri));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: provider.origin,
      audience: 'galley',
    });
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload).toMatchObject({
      sub: 'ada.lovelace@example.com',
      email: 'ada.lovelace@example.com',
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Lovelace',
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(HALF_A_DAY);
  });

  test.each([
    ['ada@example.com', 'Ada', ''],
    ['ada+letters@example.com', 'Ada', ''],
    ['ada.king-noel@example.com', 'Ada', 'King Noel'],
  ])('derives a name from %s: %s %s', async (email, givenName, familyName) => {
    const token = await provider.issueToken(email);
    expect(decodeJwt(token)).toMatchObject({ given_name: givenName, family_name: familyName });
  });

  test('refuses a string that is not an email address', async () => {
    await expect(provider.issueToken('ada')).rejects.toThrow(
      'Cannot get a token for ada: email must be an email address such as ada@example.com.',
    );
  });

  test('publishes a discovery document', async () => {
    const response = await fetch(`${provider.origin}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      issuer: provider.origin,
      jwks_uri: provider.jwksUri,
      code_challenge_methods_supported: ['S256'],
    });
  });

  test('never publishes its private key', async () => {
    const response = await fetch(provider.jwksUri);
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});

describe('key rotation', () => {
  let provider: IdentityProvider;
  const verify = (token: string) => jwtVerify(token, createRemoteJWKSet(new URL(provider.jwksUri)));

  beforeAll(async () => {
    provider = await startIdentityProvider({
      signingKeys: await createSigningKeys(),
      audience: 'galley',
    });
  });
  afterAll(() => provider.stop());

  test('signs new tokens with a new key, and keeps old tokens valid', async () => {
    const before = await provider.issueToken('ada@example.com');
    await provider.rotateKeys();
    const after = await provider.issueToken('ada@example.com');
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    await expect(verify(before)).resolves.toBeDefined();
    await expect(verify(after)).resolves.toBeDefined();
  });

  test('invalidates old tokens if the old keys are revoked', async () => {
    const before = await provider.issueToken('ada@example.com');
    await provider.rotateKeys({ revokeOldKeys: true });
    await expect(verify(before)).rejects.toThrow('no applicable key');
    await expect(verify(await provider.issueToken('ada@example.com'))).resolves.toBeDefined();
  });
});

test('tokens stay valid after a restart with the same keys and port', async () => {
  const signingKeys = await createSigningKeys();
  const first = await startIdentityProvider({ signingKeys, audience: 'galley' });
  const token = await first.issueToken('ada@example.com');
  await first.stop();
  const port = Number(new URL(first.origin).port);
  const second = await startIdentityProvider({ signingKeys, audience: 'galley', port });
  const keys = createRemoteJWKSet(new URL(second.jwksUri));
  await expect(jwtVerify(token, keys, { issuer: first.origin })).resolves.toBeDefined();
  await second.stop();
});

test('a request for a token explains that the provider is not running', async () => {
  const stopped = await startIdentityProvider({
    signingKeys: await createSigningKeys(),
    audience: 'galley',
  });
  await stopped.stop();
  await expect(requestToken(stopped.origin, 'ada@example.com')).rejects.toThrow(
    'If Galley is not running',
  );
});

test('the provider does not start in production', async () => {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    const start = startIdentityProvider({
      signingKeys: await createSigningKeys(),
      audience: 'galley',
    });
    await expect(start).rejects.toThrow('NODE_ENV is production');
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
});
