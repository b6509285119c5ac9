import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTemplate, createWebhook, createWorkspace } from '#client';
import { readServiceUrls } from '../../apps/standalone/data-directory.js';
import { requestToken } from '../../apps/standalone/identity-provider/identity-provider.js';
import { Client } from '../support/api/client.js';
import { findLastingPort } from '../support/processes/galley-programs.js';
import type { Program } from '../support/processes/program.js';
import { startStandalone } from '../support/processes/standalone.js';
import { Receiver } from '../support/webhooks/receiver.js';
import { useBrowser, Visitor } from './support/visitor.js';

const EMAIL = 'ada@example.com';
const dataDir = await mkdtemp(join(tmpdir(), 'galley-restart-'));
const environment = { DATA_DIR: dataDir, PORT: String(await findLastingPort()) };
let receiver: Receiver;
let galley: Program | undefined;

useBrowser();
// A Galley of its own: other files, which may run at the same time, need the one that all share.
async function start(): Promise<void> {
  galley = startStandalone(environment, '--ignore-scripts');
  await galley.waitForOutput('Galley is ready.');
}
async function stop(): Promise<void> {
  galley?.signal('SIGTERM');
  await galley?.waitForExit();
}
beforeAll(async () => {
  receiver = await Receiver.start();
  await start();
});
afterAll(async () => {
  await receiver.stop();
  galley?.killGroup();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

it('goes on without a reload after the API was restarted', async () => {
  const { api: baseURL, identityProvider } = await readServiceUrls(dataDir);
  const { generated: client } = new Client(baseURL, await requestToken(identityProvider, EMAIL));
  const { data: workspace } = await createWorkspace({ client, body: { name: 'Kitchen' } });
  const workspaceId = workspace.id;
  const { data: webhook } = await createWebhook({
    client,
    body: { workspaceId, url: receiver.url, events: ['*'] },
  });
  const change = (name: string) =>
    createTemplate({ client, body: { workspaceId, name, content: { subject: name } } });
  await change('Before');
  const path = `/settings/w/${workspaceId}/webhooks/${webhook.id}/deliveries`;
  const ada = await Visitor.signIn(EMAIL, path, { baseURL });
  const delivered = ada.page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ hasText: 'Delivered' });
  await delivered.waitFor();
  await ada.page.evaluate('window.isSamePage = true');

  ada.expectProblems(/ERR_|status of 50[0-9]/);
  await stop();
  await ada.page.getByText('Galley is not responding').first().waitFor();
  expect(await delivered.count()).toBe(1);

  await start();
  await change('After');
  await delivered.nth(1).waitFor();
  await ada.page.getByText('Galley is not responding').first().waitFor({ state: 'hidden' });
  expect(await ada.page.evaluate('window.isSamePage')).toBe(true);
});
