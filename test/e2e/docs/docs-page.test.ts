import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { version } from '#config';
import { onPath } from '../../bench/programs.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

let galley: Galley;

beforeAll(async () => {
  galley = await startGalley();
});
afterAll(() => galley.stop());

it('serves openapi.json without a token', async () => {
  const response = await fetch(`${galley.url}/openapi.json`);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual(JSON.parse(await readFile('openapi.json', 'utf8')));
});

it.each(['/', '/docs', '/%64ocs', '/docs/', '/docs/guides', '/docs/guides/webhooks'])(
  'serves %s with strict headers',
  async (path) => {
    const { status, headers } = await fetch(galley.url + path);
    expect([status, headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringMatching(/^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/),
    ]);
  },
);

it('describes itself at /, for browsers and other clients', async () => {
  const jsonResponse = await fetch(galley.url);
  expect(await jsonResponse.json()).toEqual({
    name: 'Galley',
    description: 'Email templates and modules behind a REST API, with signed webhooks.',
    version,
    docs: '/docs',
    guides: '/docs/guides',
    openapi: '/openapi.json',
    health: '/health/ready',
  });
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const htmlResponse = await fetch(galley.url, { headers: { accept } });
  expect(await htmlResponse.text()).toContain('<a href="/docs">');
  for (const { status, headers } of [jsonResponse, htmlResponse]) {
    expect([status, headers.get('vary')]).toEqual([200, 'Accept']);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  }
});

it('serves every guide, and each link on the pages works', async () => {
  const pages = new Map<string, string>();
  const links = ['/'];
  for (const link of links) {
    const [path = ''] = link.split('#');
    if (pages.has(path)) continue;
    const response = await fetch(galley.url + path, { headers: { accept: 'text/html' } });
    expect([path, response.status]).toEqual([path, 200]);
    const isGuide = path === '/' || path.startsWith('/docs/guides');
    const html = await response.text();
    pages.set(path, html);
    const hrefs = Array.from(html.matchAll(/<a href="([^"]+)"/g), ([, href = '']) => href);
    const localLinks = hrefs.filter((href) => !href.startsWith('https:'));
    if (isGuide)
      links.push(...localLinks.map((href) => (href.startsWith('#') ? path + href : href)));
  }
  const anchors = links.filter((link) => link.includes('#'));
  expect(anchors.length).toBeGreaterThan(5);
  const brokenAnchors = anchors.filter((link) => {
    const [path = '', id = ''] = link.split('#');
    return !pages.get(path)?.includes(`id="${id}"`);
  });
  expect(brokenAnchors).toEqual([]);
  const files = (await readdir('docs')).filter((file) => file.endsWith('.md'));
  const guideNames = [...files.map((file) => file.replace('.md', '')), 'overview', 'client'];
  const guides = guideNames.map((name) => `/docs/guides/${name}`);
  expect([...pages.keys()]).toEqual(expect.arrayContaining(guides));
  for (const guide of guides) expect(pages.get(guide)).toMatch(/<h1 id="[^"]+">.*<\/h1>/);
});

it('has no other guides', async () => {
  for (const name of ['nothing', '..%2Fpackage.json', 'adr%2F0001-outbox-in-postgresql']) {
    const { status, headers } = await fetch(`${galley.url}/docs/guides/${name}`);
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  }
});

it('serves a page that loads nothing from other servers', async () => {
  const page = await fetch(`${galley.url}/docs`);
  const assets = Array.from(
    (await page.text()).matchAll(/(?:src|href)="([^"]+)"/g),
    ([, assetUrl]) => assetUrl,
  );
  expect(assets.length).toBeGreaterThan(3);
  for (const asset of assets) {
    const url = new URL(asset ?? '', `${galley.url}/docs`);
    expect(url.origin).toBe(galley.url);
    expect([url.pathname, (await fetch(url)).status]).toEqual([url.pathname, 200]);
  }
});

// A machine need not have a browser; without one, the test is reported as skipped.
const browserExecutable = (await onPath('chromium')) ?? (await onPath('google-chrome'));

(browserExecutable ? it : it.skip)('lets people try an operation in a browser', async () => {
  const browser = await chromium.launch({
    ...(browserExecutable && { executablePath: browserExecutable }),
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== galley.url) problems.push(request.url());
    });
    await page.goto(`${galley.url}/docs`);
    await page.click('.btn.authorize');
    await page.fill('.auth-container input', (await galley.clientFor('ada')).token ?? '');
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
    await page.click('#operations-tag-Workspaces');
    const operation = page.locator('#operations-Workspaces-createWorkspace');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    const liveResponse = operation.locator('.live-responses-table .response').first();
    expect(await liveResponse.innerText()).toMatch(
      /^201[^]*"name": "Kitchen"[^]*location: \/api\/workspaces\//,
    );
    // With the example's own key, a second request would be a repetition of the first.
    expect(await operation.locator('.parameters input').inputValue()).toBe('');

    await page.reload();
    await page.click('#operations-tag-Authentication');
    const meOperation = page.locator('#operations-Authentication-getCurrentUser');
    await meOperation.locator('.opblock-summary-control').click();
    await meOperation.locator('.try-out__btn').click();
    await meOperation.locator('.execute').click();
    expect(
      await meOperation.locator('.live-responses-table .response').first().innerText(),
    ).toMatch(/^200/);
    const headers = async (status: number) => {
      const response = meOperation.locator(
        `.responses-table:not(.live-responses-table) .response[data-code="${status}"]`,
      );
      expect(await response.innerText()).toMatch(new RegExp(`^${status}`));
      return response.locator('table.headers tbody td:first-child').allInnerTexts();
    };
    expect(await headers(200)).toContain('x-request-id');
    expect(await headers(401)).toEqual(['WWW-Authenticate']);
    expect(await headers(429)).toEqual(['Retry-After']);
    expect(await headers(500)).toEqual([]);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
});
