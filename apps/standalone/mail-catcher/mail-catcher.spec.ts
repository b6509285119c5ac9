import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { startMailCatcher, type MailCatcher } from './mail-catcher.js';

const SETTINGS_URL = 'http://127.0.0.1:3000/settings';
let catcher: MailCatcher;

beforeEach(async () => {
  catcher = await startMailCatcher(SETTINGS_URL);
});
afterEach(() => catcher.stop());

const EMAIL = {
  from: 'Galley <galley@example.com>',
  to: 'ada@example.com',
  subject: '[Test] Grüße & <b>',
  text: 'Hello <i>Ada</i>',
  html: '<p>Hello <b>Ada</b><script>alert(1)</script></p>',
};

const send = (email: object = {}) =>
  createTransport(catcher.smtpUrl).sendMail({ ...EMAIL, ...email });
const readPage = async (): Promise<string> => (await fetch(catcher.url)).text();
const countEmails = (html: string): number => html.match(/<li /g)?.length ?? 0;

test('an email is accepted and shown', async () => {
  expect(await readPage()).toContain('No email has arrived');
  const { response } = await send();
  expect(response).toMatch(/^250 2\.0\.0 Ok: the mail catcher shows the email as [\da-f-]{36}$/);
  const html = await readPage();
  expect(html).toContain('<strong>[Test] Grüße &amp; &lt;b&gt;</strong>');
  expect(html).toContain('<span>ada@example.com</span>');
  expect(html).toContain('Hello &lt;i&gt;Ada&lt;/i&gt;');
  expect(html).toContain('From: Galley &lt;galley@example.com&gt;');
  expect(html).not.toMatch(/<b>|<i>|alert\(1\)/);
  expect(html).toContain(`<a href="${SETTINGS_URL}">`);
});

test('the HTML of an email runs no scripts', async () => {
  await send();
  const [frame = '', path = ''] = /<iframe [^>]*src="([^"]+)"/.exec(await readPage()) ?? [];
  expect(frame).toContain('sandbox="allow-popups"');
  const response = await fetch(new URL(path, catcher.url));
  expect(await response.text()).toContain('Hello <b>Ada</b>');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^sandbox allow-popups; default-src 'none'; /);
  expect(policy).not.toMatch(/script|allow-scripts|allow-same-origin/);
});

test('an email without HTML has no frame', async () => {
  await send({ html: undefined });
  expect(await readPage()).toContain('The email has no HTML.');
});

test('the page has a strict Content-Security-Policy', async () => {
  const { headers } = await fetch(catcher.url);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'; connect-src 'self'; frame-src 'self'; script-src 'sha256-[^']+'$/,
  );
});

test('the page shows the latest hundred emails', async () => {
  const transport = createTransport({ url: catcher.smtpUrl, pool: true, maxConnections: 1 });
  for (let number = 1; number <= 101; number++)
    await transport.sendMail({ ...EMAIL, subject: `Number ${number}.` });
  transport.close();
  const html = await readPage();
  expect(countEmails(html)).toBe(100);
  expect(html.indexOf('Number 101.')).toBeLessThan(html.indexOf('Number 100.'));
  expect(html).not.toContain('Number 1.');
});

test('an email of more than 5 MiB is refused', async () => {
  const large = { text: 'x'.repeat(6 * 1024 * 1024), html: undefined };
  await expect(send(large)).rejects.toThrow('552 5.3.4 The email has more than 5 MiB.');
  expect(countEmails(await readPage())).toBe(0);
});

test('a request with another host name is refused', async () => {
  const outgoing = request(catcher.url, { headers: { host: 'attacker.example' } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect([response.statusCode, await text(response)]).toEqual([
    404,
    `The mail catcher is at ${catcher.url}`,
  ]);
});

test.each(['/', '/emails/unknown', '//'])('the path %s is not found', async (path) => {
  expect((await fetch(new URL(catcher.url).origin + path)).status).toBe(404);
});
