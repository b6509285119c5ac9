import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Receiver } from '../support/webhooks/receiver.js';
import { eventually } from '../support/eventually.js';
import { expectGoodAppearance } from './support/appearances.js';
import { NARROW, useBrowser, Visitor, WIDE } from './support/visitor.js';

// The first minutes of somebody who sets up a webhook, in the order of the tests.
let ada: Visitor;
let receiver: Receiver;

useBrowser();
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

const heading = (name: string) => ada.page.getByRole('heading', { name, exact: true });
const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
const urlField = () => ada.page.getByLabel('Endpoint URL');
const copiedText = () => ada.page.evaluate<string>('navigator.clipboard.readText()');

it('puts the keyboard focus into the first field of a form', async () => {
  ada = await Visitor.signIn('new-webhook@example.com');
  await heading('Welcome to Galley').waitFor();
  expect(await ada.focusedName()).toBe('Name');
  await ada.page.keyboard.type('Kitchen');
  await ada.page.keyboard.press('Enter');
  await ada.page.getByRole('link', { name: 'Create webhook' }).first().click();
  await urlField().waitFor();
  expect(await ada.focusedName()).toBe('Endpoint URL');
});

it('needs no scrolling to create a webhook for all events', async () => {
  await ada.page.keyboard.type(receiver.url);
  expect(await ada.page.getByLabel('All events').isChecked()).toBe(true);
  expect(await ada.page.getByLabel('template.created').count()).toBe(0);
  expect(await ada.sees(button('Create webhook'))).toBe(true);
});

it('says that it has restored a draft, and discards it', async () => {
  await ada.page.reload();
  await ada.page.getByText('Draft restored').waitFor();
  expect(await urlField().inputValue()).toBe(receiver.url);
  await button('Discard draft').click();
  expect(await urlField().inputValue()).toBe('');
  expect(await ada.focusedName()).toBe('Endpoint URL');
  await ada.page.reload();
  await urlField().waitFor();
  expect(await ada.page.getByText('Draft restored').count()).toBe(0);
});

it('leads to the events if none is chosen', async () => {
  await urlField().fill(receiver.url);
  const allEvents = ada.page.getByLabel('All events');
  await allEvents.uncheck();
  await ada.page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await button('Create webhook').click();
  const problem = ada.page.getByText('Choose at least one event');
  await problem.waitFor();
  expect(await ada.focusedName()).toBe('All events');
  expect([await ada.sees(problem), await ada.sees(allEvents)]).toEqual([true, true]);
  await expectGoodAppearance(ada.page, 'new-webhook-no-events');
  await allEvents.check();
  expect(await problem.count()).toBe(0);
});

it('shows the URL of a webhook without a description once', async () => {
  await urlField().fill(receiver.url);
  await button('Create webhook').click();
  await heading('Webhook created').waitFor();
  expect(await ada.page.getByRole('main').getByText(receiver.url, { exact: true }).count()).toBe(1);
});

it('copies the secret and the command of the sample subscriber without showing the secret', async () => {
  await ada.page.reload();
  await button('Copy secret').click();
  await button('Copied').waitFor();
  const secret = await copiedText();
  expect(secret).toMatch(/^whsec_/);
  await button('Copy command').click();
  await eventually('the command', async () => (await copiedText()) !== secret);
  const { port } = new URL(receiver.url);
  expect(await copiedText()).toBe(`PORT=${port} WEBHOOK_SECRET=${secret} npm run receiver`);
  expect(await ada.page.getByText(secret).count()).toBe(0);
  await button('Show').click();
  expect(await ada.page.getByText(secret).count()).toBe(2);
});

it.each([
  ['wide', WIDE],
  ['narrow', NARROW],
])('shows the whole result of a test on a %s screen, and keeps the focus', async (_, size) => {
  await ada.page.setViewportSize(size);
  await ada.page.reload();
  // The header has this button, too.
  await button('Send a test event').last().focus();
  await ada.page.keyboard.press('Enter');
  const result = ada.page.getByRole('alert').filter({ hasText: 'accepted the test event' });
  await result.waitFor();
  await eventually('the result in view', () => ada.sees(result));
  expect(await ada.focusedName()).toBe('Send a test event');
});

it('breaks a title at its slashes, and has room for all tabs on a narrow screen', async () => {
  const { page } = ada;
  const linesOfPath = await page.evaluate<number>(`{
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('h1').lastChild);
    range.getClientRects().length;
  }`);
  expect(linesOfPath).toBe(1);
  const hiddenWidth = await page.evaluate<number>(`{
    const tabs = document.querySelector('[aria-label="Webhook sections"]');
    tabs.scrollWidth - tabs.clientWidth;
  }`);
  expect(hiddenWidth).toBe(0);
});
