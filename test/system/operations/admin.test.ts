import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CreatedWebhook } from '#client';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { runMaintenance } from '../../support/processes/maintenance.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

let galley: Galley;
let ada: Client;
let receiver: Receiver;
let workspaceId: string;
let webhook: CreatedWebhook;

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  ada = await galley.clientFor('ada');
  await galley.clientFor('bob');
  receiver = await Receiver.start();
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  const url = `${receiver.url}/path-token?query-token=1`;
  webhook = await subscribe(ada, workspaceId, { url });
});
afterAll(async () => {
  await galley.stop();
  await receiver.stop();
});

const admin = (...args: string[]) =>
  runMaintenance('admin', args, {
    ...galley.environment,
    DATABASE_DIRECT_URL: galley.database.url,
  });

async function read<Row>(...args: string[]): Promise<Row[]> {
  const { code, output } = await admin(...args, '--json');
  expect([code, output]).toEqual([0, expect.stringMatching(/^\[/)]);
  return JSON.parse(output) as Row[];
}

const createTemplate = (name: string) =>
  createResource(ada, '/api/templates', {
    name,
    workspaceId,
    content: { secret: 'content-token' },
  });

it('pauses a webhook, which holds its deliveries, and resumes it; the admins see by whom and why', async () => {
  const paused = await admin('webhooks', 'pause', webhook.id, '--reason', 'Floods us, ticket 7');
  expect(paused).toEqual({
    code: 0,
    output: 'The webhook is now disabled, and Galley holds its deliveries.\n',
  });
  const status = await ada.get(`/api/webhooks/${webhook.id}`);
  expect(status.body).toMatchObject({
    status: 'disabled',
    statusReason: 'The operator of Galley disabled the webhook: Floods us, ticket 7',
  });
  expect((await admin('webhooks', 'pause', webhook.id, '--reason', 'Again')).output).toBe(
    'The webhook was already disabled, and Galley holds its deliveries.\n',
  );
  await createTemplate('Held');
  await eventually('a held delivery', () => galley.database.count('webhook_deliveries'));

  const rows = await read<Record<string, unknown>>('webhooks');
  expect(rows).toEqual([
    expect.objectContaining({
      webhookId: webhook.id,
      workspaceId,
      workspace: "ada's",
      host: new URL(receiver.url).host,
      status: 'disabled',
      waiting: 1,
      isCapped: false,
    }),
  ]);
  expect(await read('workspaces')).toEqual([
    expect.objectContaining({ workspaceId, webhooksWaiting: 1, waiting: 1, outbox: 0 }),
  ]);
  expect(await read('backlog')).toEqual([expect.objectContaining({ held: 1, outboxEvents: 0 })]);
  const { output } = await admin('webhooks', '--workspace', workspaceId);
  expect(output).toContain(webhook.id);
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  for (const text of [output, JSON.stringify(rows)]) {
    for (const secret of ['path-token', 'query-token', 'content-token', webhook.secret]) {
      expect(text).not.toContain(secret);
    }
  }

  const resumed = await admin('webhooks', 'resume', webhook.id, '--reason', 'Mended');
  expect(resumed.output).toBe('The webhook is now active.\n');
  await eventually('the delivery', () => receiver.received.length > 0);
  const audit = await ada.get<{ data: { action: string }[] }>(
    `/api/workspaces/${workspaceId}/audit?targetId=${webhook.id}`,
  );
  expect(audit.body.data.slice(0, 2)).toEqual([
    expect.objectContaining({
      action: 'webhook.enabled',
      actor: null,
      address: null,
      details: { by: 'operator', reason: 'Mended' },
    }),
    expect.objectContaining({
      action: 'webhook.disabled',
      actor: null,
      details: { by: 'operator', reason: 'Floods us, ticket 7' },
    }),
  ]);
  expect(audit.body.data).toHaveLength(3);
});

it('finds a user by email address and by id, and the members of a workspace', async () => {
  const { user } = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body;
  await createResource(ada, `/api/workspaces/${workspaceId}/keys`, {
    name: 'Editor\u001b[2J',
    role: 'editor',
  });
  // The index has the addresses that the identity provider has verified.
  await galley.database.query('UPDATE users SET verified_email = email WHERE id = $1', [user.id]);
  const found = [
    expect.objectContaining({
      userId: user.id,
      kind: 'person',
      email: 'ada@example.com',
      status: 'active',
      workspaceId,
      workspace: "ada's",
      role: 'owner',
    }),
  ];
  expect(await read('users', user.id)).toEqual(found);
  expect(await read('users', 'Ada@example.com')).toEqual(found);
  expect(await read('users', '--workspace', workspaceId)).toHaveLength(2);
  const { output } = await admin('users', '--workspace', workspaceId);
  expect(output).toContain('Editor?[2J');
  expect(await admin('users', 'nobody@example.com')).toMatchObject({
    code: 0,
    output: expect.stringContaining('No user was found.') as unknown,
  });
});

it('explains how it is used', async () => {
  for (const args of [[], ['--help']]) {
    expect((await admin(...args)).output).toContain('npm run --silent admin -- webhooks pause');
  }
  for (const [args, message] of [
    [['templates'], 'There is no command templates'],
    [['webhooks', 'pause', webhook.id], 'Give a reason'],
    [['webhooks', 'pause', 'x', '--reason', 'y'], 'Specify the id of the webhook'],
    [['webhooks', 'pause', workspaceId, '--reason', 'y'], 'webhook'],
    [['webhooks', '--sort', 'name'], '--sort must be one of backlog, oldest, failing.'],
    [['workspaces', '--limit', '1e6'], '--limit must be a number from 1 to 200.'],
    [['users'], 'Specify a user'],
    [['users', '--all'], '--all'],
  ] as const) {
    const { code, output } = await admin(...args);
    expect([args, code, output]).toEqual([args, 1, expect.stringContaining(message)]);
    expect(output).not.toMatch(/\n {4}at /);
  }
});
