import { beforeAll, expect, it } from '@jest/globals';
import { createWorkspace } from '#client';
import { clientFor, galleyUrl } from './support/stack.js';
import { useBrowser, Visitor } from './support/visitor.js';

const EMAIL = 'ada@example.com';
const RETRY_AFTER_SECONDS = 2;
let workspaceId: string;

useBrowser();
beforeAll(async () => {
  const { generated: client } = await clientFor(EMAIL);
  const { data } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  workspaceId = data.id;
});

it('sends a failing read four times, and waits for the Retry-After of each response', async () => {
  const ada = await Visitor.signIn(EMAIL, `/settings/w/${workspaceId}/workspace`);
  const { page } = ada;
  ada.expectProblems(/status of 503/);
  const sentAt: number[] = [];
  await page.route(`${galleyUrl}/api/workspaces/${workspaceId}/members*`, (route) => {
    sentAt.push(Date.now());
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      json: { statusCode: 503, code: 'unavailable', message: 'Come back later.' },
    });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Members' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Come back later.' });
  await alert.waitFor();
  expect(sentAt).toHaveLength(4);
  const pauses = sentAt.slice(1).map((time, index) => time - (sentAt[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1_000);

  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Members of the workspace' }).getByText(EMAIL).waitFor();
});

it('does not retry a read after an internal error', async () => {
  const ada = await Visitor.signIn(EMAIL, `/settings/w/${workspaceId}/workspace`);
  const { page } = ada;
  ada.expectProblems(/status of 500/);
  let requests = 0;
  await page.route(`${galleyUrl}/api/workspaces/${workspaceId}/members*`, (route) => {
    requests++;
    const json = { statusCode: 500, code: 'internal', message: 'Internal Server Error' };
    return route.fulfill({ status: 500, json });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Members' }).click();
  await page.getByRole('alert').filter({ hasText: 'Internal Server Error' }).waitFor();
  expect(requests).toBe(1);
});
