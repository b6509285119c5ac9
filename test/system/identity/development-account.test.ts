import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  createSigningKeys,
  startIdentityProvider,
  type IdentityProvider,
} from '../../../apps/standalone/identity-provider/identity-provider.js';
import { Browser, type Page } from '../../support/identity/browser.js';

const EMAIL = 'ada@example.com';

let provider: IdentityProvider;
let browser: Browser;

beforeAll(async () => {
  provider = await startIdentityProvider({
    signingKeys: await createSigningKeys(),
    audience: 'galley',
  });
});
afterAll(() => provider.stop());
beforeEach(() => {
  browser = new Browser(provider.origin);
});

const open = (path: string) => browser.open(provider.origin + path);

/** Signs a user in on the account page, and returns the page. */
const signIn = async (email = EMAIL): Promise<Page> =>
  browser.submit(await open('/account'), { email });

const userInfo = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${provider.origin}/userinfo`, { headers });
  return [response.status, await response.json()] as const;
};

describe('the account page', () => {
  test.each(['/', '/account', '/account/delete'])('asks at %s who the user is', async (path) => {
    expect((await open(path)).html).toContain('Sign in to Galley');
  });

  test('can be reached from the pages for signing in and out', async () => {
    expect((await open('/account')).html).toContain('href="/account"');
    expect((await open('/session/end/success')).html).toContain('href="/account"');
  });

  test('shows the user after the sign-in, at a URL without the code', async () => {
    const page = await signIn('grace.hopper@example.com');
    expect(page.url.href).toBe(`${provider.origin}/account`);
    expect(page.html).toContain('You are signed in as grace.hopper@example.com.');
    expect(page.html).toContain('value="Grace"');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script|unsafe/);
  });

  test('changes the name in tokens and in UserInfo', async () => {
    const token = await provider.issueToken(EMAIL);
    const saved = await browser.submit(await signIn(), {
      first_name: ' Augusta ',
      last_name: '"><b>King</b>',
    });
    expect(saved.html).toContain('role="status"');
    expect(saved.html).not.toContain('<b>');
    const names = { given_name: 'Augusta', family_name: '"><b>King</b>' };
    expect(decodeJwt(await provider.issueToken(EMAIL))).toMatchObject(names);
    expect(await userInfo(token)).toMatchObject([200, names]);
  });

  test.each(['https://evil.example', 'http://localhost:5173', 'null', ''])(
    'takes no form from a page of %j',
    async (origin) => {
      for (const path of ['/account', '/account/delete']) {
        const { status } = await fetch(provider.origin + path, {
          method: 'POST',
          ...(origin && { headers: { origin } }),
          body: new URLSearchParams({ first_name: 'Eve' }),
        });
        expect(status).toBe(403);
      }
    },
  );

  test('refuses a name that is too long', async () => {
    const page = await browser.submit(await signIn(), { first_name: 'x'.repeat(101) });
    expect(page.status).toBe(400);
  });
});

describe('a user who was deleted', () => {
  const deleteUser = async () => browser.submit(await open('/account/delete'));

  test('was asked before, is signed out, and has no valid token', async () => {
    const token = await provider.issueToken(EMAIL);
    const otherBrowser = new Browser(provider.origin);
    const elsewhere = await otherBrowser.open(`${provider.origin}/account`);
    await otherBrowser.submit(elsewhere, { email: EMAIL });
    await signIn();
    expect((await open('/account/delete')).html).toContain(`Delete ${EMAIL}?`);
    expect((await userInfo(token))[0]).toBe(200);

    expect((await deleteUser()).html).toContain('The user is deleted');
    expect((await userInfo(token))[0]).toBe(401);
    for (const each of [browser, otherBrowser]) {
      const { html } = await each.open(`${provider.origin}/account`);
      expect(html).toContain('Sign in to Galley');
    }
  });

  test('becomes a new user with the same email address', async () => {
    const before = decodeJwt(await provider.issueToken(EMAIL));
    await signIn();
    await deleteUser();
    expect((await signIn()).html).toContain(`You are signed in as ${EMAIL}.`);
    const after = decodeJwt(await provider.issueToken(EMAIL));
    expect(after['email']).toBe(EMAIL);
    expect(after.sub).not.toBe(before.sub);
  });
});
