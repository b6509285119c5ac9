import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIENCE } from '../../support/identity/issuer.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

let galley: Galley;

beforeAll(async () => {
  galley = await startGalley({ environment: { AUTH_CLIENT_ID: 'galley-settings' } });
});
afterAll(() => galley.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(galley.url + path, { headers });

/** The path of the script that the page loads first. */
async function findScript(): Promise<string> {
  const html = await (await get('/settings')).text();
  return /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? '';
}

describe('/settings', () => {
  it.each(['/settings', '/settings/', '/settings/w/any/webhooks', '/settings/signed-in?code=a'])(
    'serves the page at %s with a strict policy and a new nonce',
    async (path) => {
      const responses = [await get(path), await get(path)];
      const nonces = new Set<string>();
      for (const response of responses) {
        const { status, headers } = response;
        const policy = headers.get('content-security-policy') ?? '';
        const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
        nonces.add(nonce);
        expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
        expect(policy).toContain(`default-src 'none';script-src 'self';style-src 'self' 'nonce-`);
        expect(policy).toContain(`connect-src 'self' ${new URL(galley.issuer.url).origin};`);
        expect(policy).not.toContain('unsafe');
        expect(await response.text()).toContain(`<meta name="csp-nonce" content="${nonce}"`);
      }
      expect(nonces.size).toBe(2);
    },
  );

  it('tells the page its provider and client', async () => {
    const response = await get('/settings/config.json');
    expect(await response.json()).toEqual({
      apiUrl: '',
      issuer: galley.issuer.url,
      clientId: 'galley-settings',
      hasTestEmails: false,
      audience: AUDIENCE,
      token: 'access_token',
      version: expect.stringMatching(/^\d+\.\d+\.\d+[\w.-]*\+\w{10}/),
    });
  });

  it('serves its files compressed, to be kept for a year', async () => {
    const { status, headers } = await get(await findScript(), { 'accept-encoding': 'br' });
    expect([status, headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(headers.get('content-type')).toMatch(/javascript/);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('lets only its own pages frame the page that shows emails, which gets an origin of its own', async () => {
    const frame = globSync('frame-*.html', { cwd: 'dist/apps/settings/assets' })[0] ?? '';
    const { status, headers } = await get(`/settings/assets/${frame}`);
    expect([
      status,
      headers.get('x-frame-options'),
      headers.get('content-security-policy'),
    ]).toEqual([200, 'SAMEORIGIN', "sandbox allow-scripts; frame-ancestors 'self'"]);
  });

  it('has no file outside of its assets', async () => {
    for (const path of ['/settings/assets/none.js', '/settings/assets/..%2findex.html']) {
      expect((await get(path)).status).toBe(404);
    }
  });
});

it('does not exist without a client', async () => {
  const withoutClient = await startGalley();
  const statuses = ['/settings', '/settings/config.json', '/settings/w/a'].map(
    async (path) => (await fetch(withoutClient.url + path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  await withoutClient.stop();
});
