import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTemplate, listWorkspaces, updateTemplate, type Template } from '#client';
import { Receiver } from '../support/webhooks/receiver.js';
import { verify } from '../support/webhooks/subscriptions.js';
import type { Client } from '../support/api/client.js';
import { eventually } from '../support/eventually.js';
import { clientFor } from './support/stack.js';
import { useBrowser, Visitor } from './support/visitor.js';

// One person's way through the settings area, in the order of the tests.
const EMAIL = 'grace.hopper@example.com';
let grace: Visitor;
let receiver: Receiver;
let api: Client;
let workspaceId: string;
let secret: string;
let template: Template;

useBrowser();
beforeAll(async () => {
  receiver = await Receiver.start();
  api = await clientFor(EMAIL);
});
afterAll(() => receiver.stop());

const heading = (name: string) => grace.page.getByRole('heading', { name, exact: true });
const link = (name: string) => grace.page.getByRole('link', { name, exact: true });
const button = (name: string | RegExp) => grace.page.getByRole('button', { name, exact: true });
const deliveriesOf = (event: string) =>
  grace.page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: event });

async function changeTemplate(): Promise<void> {
  const { id, content } = template;
  const body = { name: 'Welcome', content: { ...content, changedAt: Date.now() } };
  await updateTemplate({ client: api.generated, path: { id }, body });
}

const shownSecret = () => grace.page.getByText(/^whsec_[\w+/=]+$/).innerText();

const lastNotification = () => {
  const notification = receiver.received.at(-1);
  if (notification === undefined) throw new Error('The receiver has received nothing.');
  return notification;
};

it('welcomes a newcomer, who creates a workspace', async () => {
  grace = await Visitor.signIn(EMAIL);
  await heading('Welcome to Galley').waitFor();
  await grace.page.getByLabel('Name').fill('Kitchen');
  await button('Create workspace').click();
  await heading('Webhooks').waitFor();
  const { data: workspaces } = (await listWorkspaces({ client: api.generated })).data;
  workspaceId = workspaces[0]?.id ?? '';
  expect(grace.page.url()).toContain(workspaceId);
});

it('creates a webhook and shows its secret', async () => {
  const { page } = grace;
  await link('Create webhook').first().click();
  await page.getByLabel('Endpoint URL').fill(receiver.url);
  await page.getByLabel('All events').uncheck();
  await page.getByLabel('All template events').check();
  await button('Create webhook').click();
  await heading('Webhook created').waitFor();
  await button('Show').click();
  secret = await shownSecret();
});

it('sends a test event, and shows what the receiver responded', async () => {
  // The header has this button, too.
  await button('Send a test event').last().click();
  await grace.page.getByText('Your receiver accepted the test event with status 204').waitFor();
  expect(verify(secret, lastNotification()).event).toBe('webhook.test');
});

it('shows a delivery without a reload', async () => {
  await link('Deliveries').click();
  await deliveriesOf('webhook.test').waitFor();
  await grace.page.evaluate('window.isSamePage = true');
  const body = { workspaceId, name: 'Welcome', content: { subject: 'Welcome' } };
  template = (await createTemplate({ client: api.generated, body })).data;
  const delivery = deliveriesOf('template.created').filter({ hasText: 'Delivered' });
  await delivery.waitFor();
  expect(await delivery.innerText()).toContain('204');
  expect(await grace.page.evaluate('window.isSamePage')).toBe(true);
});

it('explains why a delivery failed', async () => {
  receiver.reaction = () => 500;
  await changeTemplate();
  await deliveriesOf('template.updated').filter({ hasText: '500' }).getByRole('link').click();
  const explanation = grace.page.getByRole('alert', { name: 'The receiver failed (500)' });
  expect(await explanation.innerText()).toMatch(/Usual cause[^]*What to do/);
});

it('retries when the receiver is repaired', async () => {
  receiver.reaction = () => 204;
  await button('Send now').click();
  await grace.page.getByText('The attempt succeeded: the receiver responded with 204').waitFor();
  await button('Send again').waitFor();
  expect(verify(secret, lastNotification()).event).toBe('template.updated');
});

it('shows the last bar of the chart in the tooltip, and first in the table', async () => {
  const { page } = grace;
  await link('Overview').click();
  const figure = page.getByRole('figure', { name: 'Attempts by outcome' });
  await figure.getByText('Show as a table').click();
  const latest = figure.getByRole('table').getByRole('row').nth(1);
  const time = await latest.getByRole('rowheader').innerText();
  const chart = figure.locator('.recharts-wrapper');
  const { width = 0 } = (await chart.boundingBox()) ?? {};
  await chart.hover({ position: { x: width - 10, y: 20 } });
  const tooltip = chart.locator('.recharts-tooltip-wrapper').filter({ hasText: time });
  const delivered = await latest.getByRole('cell').first().innerText();
  expect(await tooltip.innerText()).toMatch(new RegExp(`Delivered\\s*${delivered}\\s`));
});

it('replays past events after counting them', async () => {
  const { page } = grace;
  await link('Replays').click();
  await page.getByRole('checkbox', { name: 'Failed for good' }).uncheck();
  await page.getByRole('checkbox', { name: 'Delivered' }).check();
  await button('Count deliveries').click();
  const [, count = ''] = /(\d+)/.exec(await button(/^Send \d+ deliver/).innerText()) ?? [];
  const receivedBefore = receiver.received.length;
  await button(/^Send \d+ deliver/).click();
  await page
    .getByRole('table', { name: 'Replays' })
    .getByRole('row', { name: `Done ${count} of ${count}` })
    .waitFor();
  await eventually('the events', () => receiver.received.length - receivedBefore === Number(count));
});

it('rotates the secret, and the earlier secret still signs', async () => {
  const { page } = grace;
  await link('Settings').click();
  await button('Rotate secret').click();
  const dialog = page.getByRole('dialog', { name: 'Rotate the secret' });
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByText('Earlier secrets are still in use').waitFor();
  await button('Show').click();
  const newSecret = await shownSecret();
  expect(newSecret).not.toBe(secret);
  const receivedBefore = receiver.received.length;
  await changeTemplate();
  await eventually('the event', () => receiver.received.length > receivedBefore);
  for (const key of [secret, newSecret]) {
    expect(verify(key, lastNotification()).event).toBe('template.updated');
  }
});

it('disables the webhook, holds its events, and sends them when it is enabled', async () => {
  const { page } = grace;
  await button('Disable').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Disabled', { exact: true }).first().waitFor();
  await button('Send a test event').hover();
  await page.getByRole('tooltip').getByText('Enable it first.').waitFor();
  const receivedBefore = receiver.received.length;
  await changeTemplate();
  await link('Deliveries').click();
  await deliveriesOf('template.updated').filter({ hasText: 'Held' }).waitFor();
  await link('Settings').click();
  await button('Enable').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
  await page.getByText('Active', { exact: true }).first().waitFor();
  await eventually('the event', () => receiver.received.length > receivedBefore);
});

it('invites a viewer', async () => {
  const { page } = grace;
  await link('Members').click();
  await button('Invite member').click();
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  await dialog.getByLabel('Email address').fill('guest@example.com');
  expect(await dialog.getByRole('radio', { name: 'Viewer' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('guest@example.com is invited').waitFor();
  await button('Done').click();
  await page.getByRole('row', { name: 'guest@example.com' }).getByText('Viewer').waitFor();
});

it('signs out', async () => {
  await button('Account').click();
  await grace.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('You are signed out').waitFor();
});
