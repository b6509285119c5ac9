import { beforeAll, expect, it } from '@jest/globals';
import { createWorkspace } from '#client';
import { clientFor, galleyUrl, identityProvider } from './support/stack.js';
import { useBrowser, Visitor } from './support/visitor.js';

const EMAIL = 'ada@example.com';
const TYPED_URL = 'https://example.com/typed-before-the-session-ended';
let workspaceId: string;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor(EMAIL);
  const { data } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  workspaceId = data.id;
});

it('keeps what was typed when the session ends', async () => {
  const ada = await Visitor.signIn(EMAIL, `/settings/w/${workspaceId}/webhooks/new`);
  const { page, context } = ada;
  await page.getByLabel('Endpoint URL').fill(TYPED_URL);
  await page.getByLabel('All events').uncheck();
  await page.getByLabel('All template events').check();

  ada.expectProblems(/status of 40[01]/);
  await context.clearCookies();
  await page.route(`${galleyUrl}/api/**`, (route) =>
    route.fulfill({ status: 401, json: { statusCode: 401, code: 'unauthorized', message: 'No.' } }),
  );
  await page.route(`${identityProvider}/token`, (route) =>
    route.fulfill({
      status: 400,
      headers: { 'access-control-allow-origin': galleyUrl },
      json: { error: 'invalid_grant' },
    }),
  );
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await ada.fillSignIn(EMAIL);
  const url = page.getByLabel('Endpoint URL');
  await url.waitFor();
  expect(await url.inputValue()).toBe(TYPED_URL);
  expect(await page.getByLabel('All template events').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('heading', { name: 'Webhook created' }).waitFor();
});

it('renews the session when the API refuses its token, and sends the request again', async () => {
  const ada = await Visitor.arrive();
  const { page } = ada;
  const firstRequest = page.waitForRequest(`${galleyUrl}/api/**`);
  await ada.open(`/settings/w/${workspaceId}/webhooks/new`);
  await ada.fillSignIn(EMAIL);
  await page.getByLabel('Endpoint URL').fill('https://example.com/webhooks');
  await page.getByLabel('All events').uncheck();
  await page.getByLabel('All template events').check();

  ada.expectProblems(/status of 401/);
  const refusedToken = (await firstRequest).headers()['authorization'];
  let refusals = 0;
  await page.route(`${galleyUrl}/api/**`, (route, request) => {
    if (request.headers()['authorization'] !== refusedToken) return route.continue();
    refusals++;
    const json = { statusCode: 401, code: 'unauthorized', message: 'Unauthorized' };
    return route.fulfill({ status: 401, json });
  });
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('heading', { name: 'Webhook created' }).waitFor();
  expect(refusals).toBeGreaterThan(0);
});
