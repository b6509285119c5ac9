import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import {
  createSigningKeys,
  startIdentityProvider,
  type IdentityProvider,
} from '../../../apps/standalone/identity-provider/identity-provider.js';
import { Browser } from '../../support/identity/browser.js';

const ADA = {
  sub: 'ada.lovelace@example.com',
  email: 'ada.lovelace@example.com',
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Lovelace',
};

let provider: IdentityProvider;
let app: client.Configuration;
let browser: Browser;

beforeAll(async () => {
  provider = await startIdentityProvider({
    signingKeys: await createSigningKeys(),
    audience: 'galley',
  });
  app = await client.discovery(
    new URL(provider.origin),
    'galley-development',
    undefined,
    client.None(),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only to stand out
    { execute: [client.allowInsecureRequests] },
  );
});
afterAll(() => provider.stop());
beforeEach(() => {
  browser = new Browser(provider.origin);
});

const verifier = client.randomPKCECodeVerifier();

async function authorizationUrl(parameters: Record<string, string> = {}): Promise<URL> {
  return client.buildAuthorizationUrl(app, {
    redirect_uri: 'http://127.0.0.1:5173/callback',
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
}

/** Signs in, and returns the URL to which the provider redirects the browser. */
async function logIn(email: string, parameters?: Record<string, string>): Promise<URL> {
  const { url } = await browser.open(await authorizationUrl(parameters));
  return (await browser.open(url, { email })).url;
}

const exchange = (callback: URL, pkceCodeVerifier = verifier) =>
  client.authorizationCodeGrant(app, callback, { pkceCodeVerifier });

const verifiedClaims = async (token: string) => {
  const keys = createRemoteJWKSet(new URL(provider.jwksUri));
  return (await jwtVerify(token, keys, { issuer: provider.origin, audience: 'galley' })).payload;
};

describe('an app that signs a user in', () => {
  test.each([
    'http://127.0.0.1:5173/callback',
    'http://localhost:3000/',
    'http://[::1]:8080/signed/in',
  ])('at %s gets the tokens of the given user', async (redirectUri) => {
    const callback = await logIn('Ada.Lovelace@example.com', { redirect_uri: redirectUri });
    expect(callback.href.startsWith(redirectUri)).toBe(true);
    const tokens = await exchange(callback);
    expect(await verifiedClaims(tokens.access_token)).toMatchObject(ADA);
    expect(tokens.claims()).toMatchObject(ADA);
    expect(await client.fetchUserInfo(app, tokens.access_token, ADA.sub)).toEqual(ADA);
    expect(tokens.scope).toBe('openid profile email');
    expect(tokens.refresh_token).toBeUndefined();
  });

  test('may name the API as in production', async () => {
    const resource = 'https://galley.example.com/api';
    const tokens = await exchange(await logIn(ADA.email, { resource }));
    expect(await verifiedClaims(tokens.access_token)).toMatchObject(ADA);
  });

  test('stays signed in with offline_access', async () => {
    const offlineAccess = { scope: 'openid email offline_access' };
    const { refresh_token: refreshToken = '' } = await exchange(
      await logIn(ADA.email, offlineAccess),
    );
    // A refresh token stays valid when the keys of the provider change.
    await provider.rotateKeys();
    const { access_token: accessToken } = await client.refreshTokenGrant(app, refreshToken);
    expect(await verifiedClaims(accessToken)).toMatchObject(ADA);
  });

  test('asks once, until another user signs in', async () => {
    await logIn(ADA.email);
    const silentLogin = await browser.open(await authorizationUrl());
    expect(silentLogin.url.searchParams.has('code')).toBe(true);

    const loginPage = await browser.open(await authorizationUrl({ prompt: 'login' }));
    const switchUserPage = await browser.open(loginPage.url, { email: 'grace@example.com' });
    const callback = await browser.submit(switchUserPage);
    const { access_token: accessToken } = await exchange(callback.url);
    expect(await verifiedClaims(accessToken)).toMatchObject({ sub: 'grace@example.com' });
  });

  test('signs out', async () => {
    const { id_token: idToken = '' } = await exchange(await logIn(ADA.email));
    const postLogoutUri = 'http://localhost:5173/bye';
    const url = client.buildEndSessionUrl(app, {
      id_token_hint: idToken,
      post_logout_redirect_uri: postLogoutUri,
    });
    url.searchParams.delete('id_token_hint');
    url.searchParams.set('client_id', 'galley-development');
    const logoutPage = await browser.open(url);
    expect(logoutPage.html).toContain('Sign out of Galley?');
    expect((await browser.submit(logoutPage, { logout: 'yes' })).url.href).toBe(postLogoutUri);
    expect((await browser.open(await authorizationUrl())).html).toContain('Sign in to Galley');
  });
});

describe('the login page', () => {
  test('is shown again with an error for an invalid email address', async () => {
    const { url } = await browser.open(await authorizationUrl());
    const page = await browser.open(url, { email: '"><script>alert(1)</script>' });
    expect(page.status).toBe(400);
    expect(page.html).toContain('role="alert"');
    expect(page.html).not.toContain('<script>');
    expect((await browser.open(url, { email: ADA.email })).url.searchParams.has('code')).toBe(true);
  });

  test('runs no script and cannot be framed', async () => {
    const page = await browser.open(await authorizationUrl({ login_hint: ADA.email }));
    expect(page.html).toContain(`value="${ADA.email}"`);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test('says so when it has expired', async () => {
    const page = await browser.open(`${provider.origin}/login/unknown`);
    expect(page.status).toBe(400);
    expect(page.html).toContain('go back to the app and start again');
  });
});

describe('refuses', () => {
  test('a wrong verifier', async () => {
    const exchanged = exchange(await logIn(ADA.email), client.randomPKCECodeVerifier());
    await expect(exchanged).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('a code a second time', async () => {
    const callback = await logIn(ADA.email);
    await exchange(callback);
    await expect(exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['plain PKCE', { code_challenge: verifier, code_challenge_method: 'plain' }],
  ])('%s', async (_case, parameters) => {
    const url = await authorizationUrl(parameters);
    if (parameters.code_challenge === '') {
      url.searchParams.delete('code_challenge');
      url.searchParams.delete('code_challenge_method');
    }
    const { searchParams } = (await browser.open(url)).url;
    expect(searchParams.get('error')).toBe('invalid_request');
    expect(searchParams.has('code')).toBe(false);
  });

  test.each([
    'https://evil.example/callback',
    'http://evil.example/callback',
    'https://127.0.0.1/callback',
    'http://localhost.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://127.0.0.1/#fragment',
    'javascript:alert(1)',
  ])('to redirect to %s', async (redirectUri) => {
    const page = await browser.open(await authorizationUrl({ redirect_uri: redirectUri }));
    expect(page.status).toBe(400);
    expect(page.url.origin).toBe(provider.origin);
    expect(page.html).toContain('redirect_uri must be at http://127.0.0.1');
  });
});
