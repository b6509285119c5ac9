import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { onPath } from '../bench/programs.js';
import { startGalley, type Galley } from '../support/galley.js';

let galley: Galley;

beforeAll(async () => {
  galley = await startGalley();
});
afterAll(() => galley.stop());

it('serves openapi.json to everybody', async () => {
  const response = await fetch(`${galley.url}/openapi.json`);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual(JSON.parse(await readFile('openapi.json', 'utf8')));
});

it.each(['/docs', '/%64ocs', '/docs/'])('serves %s for itself alone', async (path) => {
  const { status, headers } = await fetch(galley.url + path);
  expect([status, headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringMatching(/^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/),
  ]);
});

it('serves a page of which every part is its own', async () => {
  const page = await fetch(`${galley.url}/docs`);
  const parts = Array.from((await page.text()).matchAll(/(?:src|href)="([^"]+)"/g), ([, to]) => to);
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) {
    const url = new URL(part ?? '', `${galley.url}/docs`);
    expect(url.origin).toBe(galley.url);
    expect([url.pathname, (await fetch(url)).status]).toEqual([url.pathname, 200]);
  }
});

// A machine need not have a browser; where it has none this is reported as skipped.
const browserPath = (await onPath('chromium')) ?? (await onPath('google-chrome'));

(browserPath ? it : it.skip)('lets people try an operation in a browser', async () => {
  const browser = await chromium.launch({
    ...(browserPath && { executablePath: browserPath }),
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
    await page.fill('.auth-container input', (await galley.as('ada')).token ?? '');
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
    await page.click('#operations-tag-Workspaces');
    const operation = page.locator('#operations-Workspaces-createWorkspace');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table .response').first();
    expect(await answer.innerText()).toMatch(
      /^201[^]*"name": "Kitchen"[^]*location: \/api\/workspaces\//,
    );
    // With a key of the page's own a second try would be a repetition of the first.
    expect(await operation.locator('.parameters input').inputValue()).toBe('');
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
});
