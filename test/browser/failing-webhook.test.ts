import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createWebhook, createWorkspace, testWebhook } from '#client';
import { Receiver } from '../support/webhooks/receiver.js';
import { eventually } from '../support/eventually.js';
import { clientFor } from './support/stack.js';
import { NARROW, useBrowser, Visitor, WIDE } from './support/visitor.js';

// What somebody sees while a receiver fails, and until it is repaired, in the order of the tests.
const EMAIL = 'ada@example.com';
let ada: Visitor;
let receiver: Receiver;
let sendTest: () => Promise<unknown>;

useBrowser();
beforeAll(async () => {
  receiver = await Receiver.start();
  const { generated: client } = await clientFor(EMAIL);
  const { data: workspace } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  const body = { workspaceId: workspace.id, url: receiver.url, events: ['*' as const] };
  const { data: webhook } = await createWebhook({ client, body });
  sendTest = () => testWebhook({ client, path: { id: webhook.id } });
  ada = await Visitor.signIn(EMAIL, `/settings/w/${workspace.id}/webhooks/${webhook.id}`);
});
afterAll(() => receiver.stop());

const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
const link = (name: string) => ada.page.getByRole('link', { name, exact: true });
const panel = (text: string | RegExp) => ada.page.getByRole('alert').filter({ hasText: text });
const rows = (text: string) =>
  ada.page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: text });

const askForPause = () => ({ status: 503, headers: { 'retry-after': '300' } });

/** Sends an event that fails and lets the page show the pause at once. */
async function pauseWebhook(): Promise<void> {
  receiver.reaction = askForPause;
  const receivedBefore = receiver.received.length;
  await sendTest();
  await eventually('the attempt', () => receiver.received.length > receivedBefore);
  await ada.page.reload();
}

it('has a button for a test event on every tab', async () => {
  for (const tab of ['Deliveries', 'Replays', 'Settings', 'Overview']) {
    await link(tab).click();
    await ada.page.locator('[aria-current=page]').filter({ hasText: tab }).waitFor();
    expect(await button('Send a test event').count()).toBe(1);
  }
});

it('says what the receiver responded to a test', async () => {
  receiver.reaction = () => 500;
  await button('Send a test event').click();
  const result = panel('Your receiver responded with 500');
  await result.waitFor();
  expect(await result.innerText()).not.toContain('did not arrive');
  expect(await ada.sees(result)).toBe(true);
  expect(await ada.focusedName()).toBe('Send a test event');
  await button('Close').click();
  expect(await ada.focusedName()).toBe('Send a test event');
});

it('shows the deliveries that wait for a retry as retrying', async () => {
  await link('Deliveries').click();
  await rows('Failed, retrying').waitFor();
  const status = ada.page.getByLabel('Status');
  await status.selectOption('Failed for good');
  await ada.page.getByText('choose “Pending or retrying”').waitFor();
  await status.selectOption('Pending or retrying');
  await rows('Failed, retrying').getByRole('link').click();
  await ada.page.getByText('Event 1 of this resource').waitFor();
  await ada.page.getByRole('main').getByText('Failed, retrying', { exact: true }).waitFor();
});

it('does not break the words of a narrow screen', async () => {
  await ada.page.setViewportSize(NARROW);
  const title = ada.page
    .getByRole('region', { name: 'Request' })
    .getByText('Request', { exact: true });
  const response = ada.page
    .getByRole('region', { name: 'Response' })
    .getByText('Response', { exact: true });
  const [box, reference] = await Promise.all([title.boundingBox(), response.boundingBox()]);
  expect(box?.height).toBe(reference?.height);
  await ada.page.setViewportSize(WIDE);
});

it('says when a paused webhook makes its next attempt, and sends the test at once', async () => {
  receiver.reaction = askForPause;
  await link('Overview').click();
  await button('Send a test event').click();
  // The attempt that starts the pause may also be the retry of the first test.
  await panel(/responded with 503|is paused/).waitFor();
  await button('Send a test event').click();
  await panel('The webhook is paused: Galley makes the next attempt in 4 minutes').waitFor();
  receiver.reaction = () => 204;
  await button('Send the test now').click();
  await panel('Your receiver accepted the test event with status 204').waitFor();
  expect(await ada.focusedName()).toBe('Send a test event');
  await link('Show the whole delivery').click();
  await ada.page.getByRole('heading', { name: 'webhook.test' }).waitFor();
  expect(await panel('accepted the test event').count()).toBe(0);
});

it('ends a pause from the overview, after which nothing says that deliveries wait', async () => {
  await link('Overview').click();
  await pauseWebhook();
  const health = ada.page.getByRole('region', { name: 'Health' });
  await health.getByText('Paused until').waitFor();
  expect(await health.innerText()).not.toContain('five failures');
  receiver.reaction = () => 204;
  await health.getByRole('button', { name: 'Send all now' }).click();
  await health.getByText('The last attempt succeeded.').waitFor();
  await link('Deliveries').click();
  await rows('Delivered').first().waitFor();
  await rows('Failed, retrying').first().waitFor({ state: 'detached' });
});

it('takes away the notice of waiting deliveries when they are delivered', async () => {
  await pauseWebhook();
  const notice = ada.page.getByText('Some deliveries are waiting');
  await notice.waitFor();
  receiver.reaction = () => 204;
  await button('Send all now').click();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Send all now' }).click();
  await rows('Failed, retrying').waitFor({ state: 'detached' });
  await notice.waitFor({ state: 'detached', timeout: 6_000 });
});
