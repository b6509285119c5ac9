import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { version } from '#config';
import { onPath } from '../../bench/programs.js';
import { eventually } from '../../support/eventually.js';
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

it('serves the schema of documents without a token, and clients may keep it', async () => {
  const response = await fetch(`${galley.url}/schemas/document-1.json`);
  const { status, headers } = response;
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'application/schema+json; charset=utf-8',
    'public, max-age=300',
  ]);
  const file = await readFile('docs/schemas/document-1.json', 'utf8');
  expect(await response.json()).toEqual(JSON.parse(file));
});

it('serves the icons of social networks to pages of any origin', async () => {
  const response = await fetch(`${galley.url}/icons/mastodon.png`);
  const { status, headers } = response;
  expect([
    status,
    headers.get('content-type'),
    headers.get('cross-origin-resource-policy'),
  ]).toEqual([200, 'image/png', 'cross-origin']);
  expect(headers.get('cache-control')).toBe('public, max-age=2592000');
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  for (const path of ['myspace.png', 'constructor.png', 'mastodon', '%2e%2e%2Fx.png']) {
    expect((await fetch(`${galley.url}/icons/${path}`)).status).toBe(404);
  }
});

it.each(['/openapi.json', '/schemas/document-1.json', '/docs/guides', '/docs/guides/webhooks'])(
  'serves %s compressed, and with 304 to clients that have it',
  async (path) => {
    const get = (headers: Record<string, string>) => fetch(galley.url + path, { headers });
    const plain = await get({ 'accept-encoding': 'identity' });
    const text = await plain.text();
    const etags = new Set([plain.headers.get('etag')]);
    expect(plain.headers.get('content-encoding')).toBeNull();
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['*', 'br'],
    ] as const) {
      const response = await get({ 'accept-encoding': accepted });
      const { headers } = response;
      expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([
        encoding,
        'public, max-age=300',
      ]);
      expect(headers.get('vary')).toMatch(/\bAccept-Encoding\b/);
      expect(Number(headers.get('content-length'))).toBeLessThan(text.length * 0.7);
      expect(await response.text()).toBe(text);
      const etag = headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      etags.add(etag);
      const revalidated = await get({ 'accept-encoding': accepted, 'if-none-match': `W/${etag}` });
      expect([
        revalidated.status,
        await revalidated.text(),
        revalidated.headers.get('etag'),
      ]).toEqual([304, '', etag]);
    }
    // The strong ETag of each encoding is its own.
    expect(etags.size).toBe(3);
  },
);

it.each(['/', '/docs', '/%64ocs', '/docs/', '/docs/guides', '/docs/guides/webhooks'])(
  'serves %s with strict headers',
  async (path) => {
    const { status, headers } = await fetch(galley.url + path);
    expect([status, headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringMatching(/^default-src 'none';[^*]*frame-ancestors 'none'$/),
    ]);
    const policy = headers.get('content-security-policy') ?? '';
    expect(/script-src [^;]*|$/.exec(policy)?.[0]).toMatch(/^(script-src 'self')?$/);
  },
);

it.each([
  ['/', 200],
  ['/docs/assets/missing.js', 404],
  ['/openapi.json', 200],
  ['/health/live', 200],
  ['/api/auth/me', 401],
  ['/nothing', 404],
])('lets browsers do nothing else with the response to %s (%i)', async (path, expectedStatus) => {
  const { status, headers } = await fetch(galley.url + path);
  expect(status).toBe(expectedStatus);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none';.*frame-ancestors 'none'$/,
    ),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  // The proxy that terminates TLS decides about it.
  expect(headers.has('strict-transport-security')).toBe(false);
});

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
    expect([status, headers.get('vary')]).toEqual([200, 'Accept, Origin, Accept-Encoding']);
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
  // The pages of docs/internals are for people who change Galley.
  const names = [...(await readdir('docs/use')), ...(await readdir('docs/run'))];
  const files = names.filter((name) => name.endsWith('.md'));
  const guideNames = [...files.map((file) => file.replace('.md', '')), 'overview', 'client'];
  const guides = guideNames.map((name) => `/docs/guides/${name}`);
  expect([...pages.keys()]).toEqual(expect.arrayContaining(guides));
  for (const guide of guides) expect(pages.get(guide)).toMatch(/<h1 id="[^"]+">.*<\/h1>/);
});

const search = async (query: string) => {
  const response = await fetch(`${galley.url}/docs/guides?q=${encodeURIComponent(query)}`);
  const html = await response.text();
  const [, results = ''] = /<ol class="results">([^]*)<\/ol>/.exec(html) ?? [];
  const links = Array.from(results.matchAll(/<li><a href="([^"]+)"/g), ([, href = '']) => href);
  return { response, html, results, links };
};

// cspell:ignore idempotancy pgbounc
it.each([
  ['the name of a variable', 'WEBHOOK_ALLOWED_RANGES', '/docs/guides/configuration'],
  ['a misspelt word', 'idempotancy key', '/docs/guides/api#idempotency'],
  ['a question', 'how do I verify the signature of a webhook?', '/docs/guides/webhooks'],
  ['the beginning of a word', 'pgbounc', '/docs/guides/operations#pgbouncer'],
])('finds a section of a guide by %s', async (_, query, url) => {
  const { response, links } = await search(query);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  expect(links).toContainEqual(expect.stringContaining(url));
  for (const link of links) {
    const [path = '', id] = link.split('#');
    const page = await (await fetch(galley.url + path)).text();
    if (id !== undefined) expect(page).toContain(`id="${id}"`);
  }
});

it('shows what was searched and where the words stand, as text', async () => {
  const hostile = await search('"><script>alert(1)</script>');
  expect(hostile.html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  expect(hostile.html).not.toContain('<script');
  // The guide has `If-None-Match: *` and `<`, which must not become elements.
  const { results } = await search('x-signature');
  expect(results).toMatch(/<mark>Signature<\/mark>/i);
  expect(results.replace(/<\/?(?:li|a|p|mark)\b[^>]*>/g, '')).not.toMatch(/[<>]/);
});

it('says that nothing was found', async () => {
  expect((await search('qqqq')).html).toContain('No guide contains any of these words.');
});

it('bounds the work of a search', async () => {
  const { html, response } = await search('a b the and of webhooks '.repeat(400));
  expect(response.status).toBe(200);
  expect(html.length).toBeLessThan(30_000);
});

it('has no other guides', async () => {
  for (const name of ['nothing', '..%2Fpackage.json', 'adr%2F0001-outbox-in-postgresql']) {
    const { status, headers } = await fetch(`${galley.url}/docs/guides/${name}`);
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  }
});

it('serves a page that loads nothing from other servers', async () => {
  const page = await fetch(`${galley.url}/docs`);
  const urls = Array.from(
    (await page.text()).matchAll(/(?:src|href)="([^"]+)"/g),
    ([, url = '']) => new URL(url, `${galley.url}/docs`),
  ).filter(({ protocol }) => protocol !== 'data:');
  const assets = urls.filter(({ pathname }) => pathname.startsWith('/docs/assets/'));
  expect(assets).toHaveLength(4);
  for (const url of urls) {
    expect(url.origin).toBe(galley.url);
    expect([url.pathname, (await fetch(url)).status]).toEqual([url.pathname, 200]);
  }
  for (const asset of assets) {
    for (const encoding of ['br', 'gzip']) {
      const { headers } = await fetch(asset, { headers: { 'accept-encoding': encoding } });
      expect([asset.pathname, headers.get('content-encoding')]).toEqual([asset.pathname, encoding]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toMatch(/accept-encoding/);
      expect(Number(headers.get('content-length'))).toBeLessThan(1_500_000);
    }
  }
  expect((await fetch(`${galley.url}/docs/assets/missing.js`)).status).toBe(404);
});

// A machine may have no browser; then the tests are reported as skipped.
const browserExecutable = (await onPath('chromium')) ?? (await onPath('google-chrome'));
const itInBrowser = browserExecutable ? it : it.skip;

/**
 * Runs the steps in a fresh browser, and fails if the page reports a problem or sends a request elsewhere.
 */
async function inBrowser(steps: (context: BrowserContext) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({
    ...(browserExecutable && { executablePath: browserExecutable }),
    args: ['--no-sandbox'],
  });
  try {
    const context = await browser.newContext();
    const problems: string[] = [];
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== galley.url) problems.push(request.url());
    });
    await steps(context);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
}

const openRequest = async (page: Page, operation: string): Promise<void> => {
  await page.goto(`${galley.url}/docs#tag/${operation}`);
  const section = page.locator(`[id$="tag/${operation}"]`);
  await section.getByRole('button', { name: /Test Request/ }).click();
};

/** Presses Send and returns what the page sent and got. */
async function send(page: Page) {
  const responsePromise = page.waitForResponse((response) => response.url().includes('/api/'));
  await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click();
  const response = await responsePromise;
  await page.getByRole('dialog').getByText(String(response.status())).first().waitFor();
  return { status: response.status(), requestHeaders: response.request().headers() };
}

itInBrowser('leads from a search to the section that was found', () =>
  inBrowser(async (context) => {
    const page = await context.newPage();
    await page.goto(`${galley.url}/docs/guides/webhooks`);
    await page.getByRole('searchbox').fill('rotate encryption');
    await page.keyboard.press('Enter');
    await page
      .getByRole('link', { name: /Rotate the encryption key/i })
      .first()
      .click();
    await page.getByRole('heading', { name: /Rotate the encryption key/i }).waitFor();
    expect(new URL(page.url()).hash).not.toBe('');
  }),
);

itInBrowser('lets people try an operation with a token that they paste', () =>
  inBrowser(async (context) => {
    const page = await context.newPage();
    const token = (await galley.clientFor('ada')).token ?? '';
    await openRequest(page, 'workspaces/POST/api/workspaces');
    await page.getByRole('dialog').getByText('Bearer Token').click();
    await page.keyboard.insertText(token);
    const { status, requestHeaders } = await send(page);
    expect(status).toBe(201);
    await page.getByRole('dialog').getByText('"Kitchen"').last().waitFor();
    // The page must not send the idempotency key of the example. With that key, a second request would only
    // get the response to the first.
    expect(requestHeaders).not.toHaveProperty('idempotency-key');
    expect(page.url()).not.toContain(token);
    const storage = await page.evaluate(
      'Promise.all([{ ...localStorage }, { ...sessionStorage }, indexedDB.databases()])',
    );
    expect(storage).toEqual([{}, {}, []]);
  }),
);

itInBrowser('signs in with the token of a tab of the settings area', () =>
  inBrowser(async (context) => {
    const settings = await context.newPage();
    await settings.goto(`${galley.url}/docs/guides`);
    const answerWith = async (name: string): Promise<string> => {
      const accessToken = (await galley.clientFor(name)).token ?? '';
      const expiresAt = Date.now() + 60_000;
      await settings.evaluate(
        (message) => {
          const channel = new BroadcastChannel('galley');
          channel.onmessage = ({ data }: MessageEvent) => {
            if ((data as { type: string }).type === 'token-request') channel.postMessage(message);
          };
          channel.postMessage(message);
        },
        { type: 'token', accessToken, expiresAt },
      );
      return accessToken;
    };
    await answerWith('ada');
    const page = await context.newPage();
    await openRequest(page, 'authentication/GET/api/auth/me');
    await page.getByText('Signed in').waitFor();
    expect((await send(page)).status).toBe(200);

    // A page that is already open gets a renewed token.
    const renewed = await answerWith('bob');
    await eventually('the page to use the new token', async () => {
      const { requestHeaders } = await send(page);
      return requestHeaders['authorization'] === `Bearer ${renewed}`;
    });
  }),
);
