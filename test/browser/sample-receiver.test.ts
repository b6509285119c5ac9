import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectGoodAppearance } from './support/appearances.js';
import { useBrowser, Visitor } from './support/visitor.js';

// The first minutes of somebody who has run `npm start` and has no receiver, in the order of the tests.
const MAX_MINUTE_MS = 60_000;

let ada: Visitor;
let receiverPage: Page;

useBrowser();

const button = (name: string) => ada.page.getByRole('button', { name, exact: true });
const link = (name: string) => ada.page.getByRole('link', { name, exact: true });
const result = (text: string) => ada.page.getByRole('alert').filter({ hasText: text });
const messages = () => receiverPage.getByRole('list', { name: 'Latest messages' });
const choice = (name: string) => receiverPage.getByRole('button', { name, exact: true });

it('sees a delivery within a minute after opening the settings area', async () => {
  const start = performance.now();
  ada = await Visitor.signIn('sample-receiver@example.com');
  await ada.page.getByLabel('Name').fill('Kitchen');
  await button('Create workspace').click();
  await link('Create webhook').first().click();
  await button('Use the sample receiver').click();
  expect(await ada.focusedName()).toBe('Endpoint URL');
  await button('Create webhook').click();
  await button('Send a test event').click();
  await result('Your receiver accepted the test event with status 200').waitFor();
  expect(performance.now() - start).toBeLessThan(MAX_MINUTE_MS);
});

it('needs no scrolling to see the delivery, and shows no command for a receiver', async () => {
  expect(await ada.sees(result('accepted the test event'))).toBe(true);
  expect(await ada.page.getByText('npm run receiver').count()).toBe(0);
  await expectGoodAppearance(ada.page, 'sample-receiver-created');
});

it('opens the sample receiver, which shows the message', async () => {
  const popup = ada.page.waitForEvent('popup');
  await link('Open the sample receiver').click();
  receiverPage = await popup;
  const message = messages().getByRole('listitem');
  await message.getByText('webhook.test', { exact: true }).click();
  await message.getByText('webhook-signature: v1,').waitFor();
  expect(await message.count()).toBe(1);
  await expectGoodAppearance(receiverPage, 'sample-receiver');
});

it('learns why a delivery failed', async () => {
  await choice('Respond with 500').click();
  await receiverPage.getByText('Every attempt fails').waitFor();
  expect(await choice('Respond with 500').getAttribute('aria-pressed')).toBe('true');
  await ada.page.bringToFront();
  await link('Overview').click();
  await button('Send a test event').click();
  await result('Your receiver responded with 500').waitFor();
  expect(await result('responded with 500').innerText()).toMatch(
    /Usual cause[^]*What to do[^]*This sample receiver is set to “Respond with 500”/,
  );
  await expectGoodAppearance(ada.page, 'sample-receiver-failure');
});

it('shows new messages without a reload', async () => {
  await receiverPage.bringToFront();
  // The delivered message, the failed one, and its first retry. The next retry comes five minutes later.
  await messages().getByRole('listitem').nth(2).waitFor();
  expect(await messages().getByRole('listitem').first().innerText()).toContain('500');
  await expectGoodAppearance(receiverPage, 'sample-receiver-fails');
});

it('delivers the event after the repair, and nothing still says that it failed', async () => {
  await choice('Respond with 200').click();
  await receiverPage.getByText('Every message is delivered').waitFor();
  await ada.page.bringToFront();
  await link('Deliveries').click();
  await ada.page.getByRole('row').filter({ hasText: 'Failed, retrying' }).getByRole('link').click();
  await button('Send now').click();
  await ada.page.getByText('The attempt succeeded: the receiver responded with 200').waitFor();
  expect(await result('Your receiver responded with 500').count()).toBe(0);
});

it('says that a repetition failed, and that the first delivery did not', async () => {
  await choice('Respond with 500').click();
  await receiverPage.getByText('Every attempt fails').waitFor();
  await button('Send again').click();
  await ada.page
    .getByText('The new delivery failed: the response status was 500. The delivery on this page is')
    .waitFor();
  await expectGoodAppearance(ada.page, 'sample-receiver-repetition');
});

it('marks a rate of success that is low although the webhook is active', async () => {
  await ada.page.getByRole('link', { name: 'Webhooks' }).first().click();
  await ada.page.getByText('Active: Galley sends events as they occur.').waitFor();
  await expectGoodAppearance(ada.page, 'sample-receiver-list');
});

it('leads from the page of the sample receiver back to the settings area', async () => {
  await receiverPage.getByRole('link', { name: 'Settings area of Galley' }).click();
  await receiverPage.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(receiverPage.url()).pathname).toMatch(/^\/settings/);
});

it('offers the sample receiver again if the URL is changed', async () => {
  await link('Create webhook').first().click();
  await expectGoodAppearance(ada.page, 'sample-receiver-offer');
  await button('Use the sample receiver').click();
  await link('Open the sample receiver').waitFor();
  await expectGoodAppearance(ada.page, 'sample-receiver-chosen');
  await ada.page.getByLabel('Endpoint URL').fill('https://example.com/webhooks');
  await button('Use the sample receiver').waitFor();
  expect(await link('Open the sample receiver').count()).toBe(0);
});
