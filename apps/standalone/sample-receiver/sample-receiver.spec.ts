import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { startSampleReceiver, type SampleReceiver } from './sample-receiver.js';

const SETTINGS_URL = 'http://127.0.0.1:3000/settings';
let receiver: SampleReceiver;

beforeEach(async () => {
  receiver = await startSampleReceiver(SETTINGS_URL);
});
afterEach(() => receiver.stop());

const MESSAGE = '{"event":"template.created","data":{"name":"<b>Ada & Bob</b>"}}';

const send = (body: string, init: RequestInit = {}): Promise<Response> =>
  fetch(receiver.url, { method: 'POST', body, ...init });

const readPage = async (): Promise<string> => (await fetch(receiver.url)).text();

function choose(reaction: string, origin = new URL(receiver.url).origin): Promise<Response> {
  const body = new URLSearchParams({ reaction });
  const init = { method: 'POST', body, headers: { origin }, redirect: 'manual' } as const;
  return fetch(`${receiver.url}/reaction`, init);
}

const countMessages = (html: string): number => html.match(/<li /g)?.length ?? 0;

test('a message is accepted and shown', async () => {
  expect(await readPage()).toContain('No message has arrived');
  const { status } = await send(MESSAGE, { headers: { 'webhook-id': '<i>7</i>' } });
  expect(status).toBe(200);
  const html = await readPage();
  expect(html).toContain('<strong>template.created</strong><span>200</span>');
  expect(html).toContain('&lt;b&gt;Ada &amp; Bob&lt;/b&gt;');
  expect(html).toContain('webhook-id: &lt;i&gt;7&lt;/i&gt;');
  expect(html).not.toMatch(/<b>|<i>/);
});

test('the page links to the settings area', async () => {
  expect(await readPage()).toContain(`<a href="${SETTINGS_URL}">`);
});

test('the page has a strict Content-Security-Policy', async () => {
  const { headers } = await fetch(receiver.url);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; /);
  expect(policy).toContain("frame-ancestors 'none'; form-action 'self'; connect-src 'self'; ");
  expect(policy).toMatch(/script-src 'sha256-[^']+'$/);
});

test('the receiver can be set to fail, and its response says where to change the setting', async () => {
  const response = await choose('fail');
  expect([response.status, response.headers.get('location')]).toEqual([303, '/sample-receiver']);
  const failed = await send(MESSAGE);
  expect(failed.status).toBe(500);
  expect(await failed.text()).toBe(
    `This sample receiver is set to “Respond with 500”: ${receiver.url}`,
  );
  const html = await readPage();
  expect(html).toContain('value="fail" aria-pressed="true"');
  expect(html).toContain('<span class="alert">500</span>');
  await choose('accept');
  expect((await send(MESSAGE)).status).toBe(200);
});

test('a message is shown immediately, and a disconnect cancels its delayed response', async () => {
  await choose('delay');
  const hangUp = new AbortController();
  const response = send(MESSAGE, { signal: hangUp.signal });
  while (countMessages(await readPage()) === 0);
  expect(await readPage()).toContain('<span class="alert">200 after 30 s, too late</span>');
  hangUp.abort();
  await expect(response).rejects.toThrow('aborted');
});

test('the page shows the latest fifty messages, and the first 16 KiB of each', async () => {
  for (let number = 1; number <= 51; number++) await send(`{"event":"event ${number}."}`);
  const html = await readPage();
  expect(countMessages(html)).toBe(50);
  expect(html.indexOf('event 51.')).toBeLessThan(html.indexOf('event 50.'));
  expect(html).not.toContain('event 1.');
  const { status } = await send('x'.repeat(5 * 1024 * 1024));
  expect(status).toBe(200);
  const longest = (await readPage()).match(/x{1000,}/g)?.map(({ length }) => length);
  expect(longest).toEqual([16 * 1024]);
});

test.each(['', 'null', '[]', '"text"', '{"event":{}}'])('the body %s is accepted', async (body) => {
  expect((await send(body)).status).toBe(200);
  expect(countMessages(await readPage())).toBe(1);
});

test('only the page of the receiver can change the reaction', async () => {
  expect((await choose('fail', 'http://127.0.0.1:1')).status).toBe(403);
  await choose('unknown');
  expect((await send(MESSAGE)).status).toBe(200);
});

test('a request with another host name is refused', async () => {
  const outgoing = request(receiver.url, { headers: { host: 'attacker.example' } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(404);
  expect(await text(response)).toBe(`The sample receiver is at ${receiver.url}`);
});

test('responses on other paths contain the URL of the receiver', async () => {
  const response = await fetch(new URL('/', receiver.url));
  expect(response.status).toBe(404);
  expect(await response.text()).toBe(`The sample receiver is at ${receiver.url}`);
});
