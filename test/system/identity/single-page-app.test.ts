import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import {
  createSigningKeys,
  startIdentityProvider,
  type IdentityProvider,
} from '../../../apps/standalone/identity-provider/identity-provider.js';
import { Browser } from '../../support/identity/browser.js';

/*
 * The development provider, as single-page apps such as the settings area use it. Such an app keeps its
 * tokens in memory and renews them with a refresh token. After a reload, it signs in again without asking
 * the user.
 */

const APP = 'http://127.0.0.1:3000';
const REDIRECT_URI = `${APP}/settings/signed-in`;
const EMAIL = 'ada@example.com';

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
  // The app is a page in a browser, so each of its requests to the provider has the `Origin` of the app.
  app[client.customFetch] = async (url, options) => {
    const headers = { ...options.headers, origin: APP };
    const response = await fetch(url, { ...options, headers });
    expect(response.headers.get('access-control-allow-origin')).toBe(APP);
    return response;
  };
});
afterAll(() => provider.stop());
beforeEach(() => {
  browser = new Browser(provider.origin);
});

const pkceCodeVerifier = client.randomPKCECodeVerifier();

async function authorize(parameters: Record<string, string> = {}) {
  const url = client.buildAuthorizationUrl(app, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: 'where-the-user-was',
    ...parameters,
  });
  return browser.open(url);
}

const exchange = (callback: URL) =>
  client.authorizationCodeGrant(app, callback, {
    pkceCodeVerifier,
    expectedState: 'where-the-user-was',
  });

const signIn = async () =>
  exchange((await browser.submit(await authorize(), { email: EMAIL })).url);

async function expectTokenForApi(accessToken: string): Promise<void> {
  const keys = createRemoteJWKSet(new URL(provider.jwksUri));
  const { payload } = await jwtVerify(accessToken, keys, {
    issuer: provider.origin,
    audience: 'galley',
  });
  expect(payload).toMatchObject({ sub: EMAIL, email: EMAIL, given_name: 'Ada' });
}

test('it signs in with one page, and gets a token for the API and a refresh token', async () => {
  const tokens = await signIn();
  await expectTokenForApi(tokens.access_token);
  expect(tokens.claims()).toMatchObject({ email: EMAIL, given_name: 'Ada' });
  expect(tokens.refresh_token).toBeDefined();
  expect(tokens.expiresIn()).toBeGreaterThan(0);
});

test('it signs in again after a reload, without a page', async () => {
  await signIn();
  const { url } = await authorize();
  expect(url.origin + url.pathname).toBe(REDIRECT_URI);
  const tokens = await exchange(url);
  await expectTokenForApi(tokens.access_token);
  expect(tokens.refresh_token).toBeDefined();
});

test('it asks in an invisible frame whether the user is still signed in', async () => {
  const parametersOf = async () => (await authorize({ prompt: 'none' })).url.searchParams;
  expect((await parametersOf()).get('error')).toBe('login_required');
  await signIn();
  expect((await parametersOf()).has('code')).toBe(true);
});

test('it renews its token, and each refresh token is valid once', async () => {
  const { refresh_token: first = '' } = await signIn();
  const renewed = await client.refreshTokenGrant(app, first);
  await expectTokenForApi(renewed.access_token);
  expect(renewed.refresh_token).not.toBe(first);
  const next = await client.refreshTokenGrant(app, renewed.refresh_token ?? '');
  await expectTokenForApi(next.access_token);
  await expect(client.refreshTokenGrant(app, first)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

test('it signs out without a question, and the user returns to the app', async () => {
  const { id_token: idToken = '' } = await signIn();
  const url = client.buildEndSessionUrl(app, {
    id_token_hint: idToken,
    post_logout_redirect_uri: `${APP}/settings`,
  });
  const page = await browser.open(url);
  // The page presses its button by itself, with the only script that its policy allows.
  const [, script = ''] = /<script>(.*)<\/script>/.exec(page.html) ?? [];
  expect(script).toContain('click()');
  const digest = hash('sha256', script, 'base64');
  expect(page.headers.get('content-security-policy')).toContain(`script-src 'sha256-${digest}'`);

  expect((await browser.submit(page, { logout: 'yes' })).url.href).toBe(`${APP}/settings`);
  expect((await authorize()).html).toContain('Sign in to Galley');
});

test('it cannot sign out another user without a question', async () => {
  const { id_token: idToken = '' } = await signIn();
  browser = new Browser(provider.origin);
  await browser.submit(await authorize(), { email: 'grace@example.com' });
  const page = await browser.open(
    client.buildEndSessionUrl(app, {
      id_token_hint: idToken,
      post_logout_redirect_uri: `${APP}/settings`,
    }),
  );
  expect(page.html).toContain('Sign out of Galley?');
  expect(page.html).not.toContain('<script>');
});
