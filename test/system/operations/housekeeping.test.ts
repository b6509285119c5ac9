import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadWorkerConfig } from '#config';
import { createWorker } from '../../../apps/worker/worker.js';
import { createPartitionsSince } from '../../support/galley/database.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let galley: Galley;
let worker: NestFastifyApplication | undefined;

beforeAll(async () => {
  galley = await startGalley();
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});
afterAll(() => galley.stop());

async function startWorker(environment: Record<string, string> = {}): Promise<void> {
  worker = await createWorker(loadWorkerConfig({ ...galley.environment, ...environment }));
  await worker.init();
}

const HISTORY_TABLES = ['events', 'webhook_delivery_log', 'webhook_attempts', 'webhook_statistics'];

const partitions = async (table = 'events') => {
  const rows = await galley.database.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent = $1::regclass ORDER BY 1`,
    [table],
  );
  return rows.map(({ name }) => name);
};

describe('expired data', () => {
  const addAuditEntries = (workspaceId: string, ages: number[], count: number) =>
    galley.database.query(
      `INSERT INTO audit_entries (id, workspace_id, occurred_at, action, target_id, details)
       SELECT gen_random_uuid(), $1, now() - days * interval '1 day', 'workspace.renamed', $1, '{}'
       FROM unnest($2::float8[]) days, generate_series(1, $3)`,
      [workspaceId, ages, count],
    );

  it('of the audit log is deleted after a year and a month', async () => {
    const { id } = await galley.createWorkspaceFor('ada');
    await addAuditEntries(id, [395.99, 396.01], 1);
    await galley.database.query(
      `INSERT INTO identity_provider_messages (id, received_at)
       VALUES ('new', now() - interval '29.99 days'), ('old', now() - interval '30.01 days')`,
    );
    await startWorker();
    const messages = 'identity_provider_messages';
    await eventually(
      'the old rows to be deleted',
      async () => (await galley.database.count(messages)) === 1,
    );
    // The entries of the audit log come after the messages.
    const entries = `audit_entries WHERE workspace_id = '${id}'`;
    await eventually(
      'the old entry to be deleted',
      async () => (await galley.database.count(entries)) <= 2,
    );
    expect(await galley.database.count(entries)).toBe(2);
  });

  it('of the audit log is kept as long as AUDIT_RETENTION_DAYS says, in large amounts', async () => {
    const { id } = await galley.createWorkspaceFor('ada');
    await addAuditEntries(id, [6.99, 7.01], 2_001);
    const countEntries = () =>
      galley.database.count(
        `audit_entries WHERE workspace_id = '${id}' AND action = 'workspace.renamed'`,
      );
    await startWorker({ AUDIT_RETENTION_DAYS: '7' });
    await eventually('the old entries to be deleted', async () => (await countEntries()) === 2_001);
  });

  it('of the audit log is kept for good if AUDIT_RETENTION_DAYS is 0', async () => {
    const { id } = await galley.createWorkspaceFor('ada');
    await addAuditEntries(id, [4_000], 1);
    // The users of withdrawn invitations are deleted after the audit entries.
    const invited = randomUUID();
    await galley.database.query(
      `INSERT INTO users (id, issuer, subject, status)
       VALUES ($1::uuid, 'urn:galley:invitation', $1::text, 'invited')`,
      [invited],
    );
    await startWorker({ AUDIT_RETENTION_DAYS: '0' });
    await eventually(
      'the user of the withdrawn invitation to be deleted',
      async () =>
        (await galley.database.count(`users WHERE id = '${invited}' AND status = 'deleted'`)) === 1,
    );
    expect(await galley.database.count(`audit_entries WHERE workspace_id = '${id}'`)).toBe(2);
  });

  it('of stored responses is deleted after a day, even in large amounts', async () => {
    await galley.database.query(
      `INSERT INTO idempotency_keys (user_id, key, fingerprint, status, headers, encrypted_body, rights,
         created_at)
       SELECT gen_random_uuid(), age || ' ' || number, '', 200, '{}', '', '[]', now() - age * interval '1 hour'
       FROM (VALUES (23.9), (24.1)) ages (age), generate_series(1, 1001) number`,
    );
    await startWorker();
    const countKeys = (hours: number) =>
      galley.database.count(`idempotency_keys WHERE key LIKE '${hours} %'`);
    await eventually('the old rows to be deleted', async () => (await countKeys(24.1)) === 0);
    expect(await countKeys(23.9)).toBe(1001);
  });

  it('of invitations is the address of a user without an invitation', async () => {
    const ada = await galley.clientFor('ada');
    const [keptWorkspace, deletedWorkspace] = [
      await galley.createWorkspaceFor('ada'),
      await galley.createWorkspaceFor('ada'),
    ];
    const invite = (workspace: { id: string }, email: string) =>
      ada.post(`/api/workspaces/${workspace.id}/members`, { email, role: 'viewer' });
    await invite(keptWorkspace, 'kept@example.com');
    await invite(deletedWorkspace, 'kept@example.com');
    await invite(deletedWorkspace, 'gone@example.com');
    await ada.delete(`/api/workspaces/${deletedWorkspace.id}`);
    await startWorker();
    const invitedUsers = () =>
      galley.database.query(`SELECT email, subject FROM users WHERE email LIKE '%@example.com'
        AND issuer = 'urn:galley:invitation'`);
    const remainingUsers = [{ email: 'kept@example.com', subject: 'kept@example.com' }];
    await eventually('one address to be erased', async () => (await invitedUsers()).length === 1);
    expect(await invitedUsers()).toEqual(remainingUsers);
  });

  it('is dropped by week, with deliveries that did not finish in time', async () => {
    const weeksAgo = (weeks: number) => new Date(Date.now() - weeks * 7 * DAY_MS);
    await createPartitionsSince(galley.database, weeksAgo(8));
    const ada = await galley.clientFor('ada');
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const receiver = await Receiver.start();
    const endpoint = await subscribe(ada, workspaceId, receiver);
    await ada.post(`/api/webhooks/${endpoint.id}/disable`);
    await galley.database.query(
      `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
         event_relayed_at, event_id, kind, resource_id, sequence, due_at)
       SELECT $1, uuidv7_at(at), $2, 1, at, gen_random_uuid(), 'template.created',
         gen_random_uuid(), 1, at
       FROM (VALUES (now() - interval '29.99 days'), (now() - interval '30.01 days')) old (at)`,
      [endpoint.id, workspaceId],
    );
    await startWorker();
    const oldest = await eventually('the old rows to be deleted', async () => {
      const [first = ''] = await partitions();
      const partitionStart = new Date(first.slice('events_'.length).replaceAll('_', '-'));
      return partitionStart.getTime() + 7 * DAY_MS > Date.now() - 30 * DAY_MS && partitionStart;
    });
    // The partitions go four to six weeks back, and two weeks ahead. The oldest one still has all of the 30 days.
    expect(oldest.getTime()).toBeGreaterThan(Date.now() - 37 * DAY_MS);
    expect(oldest.getTime()).toBeLessThanOrEqual(Date.now() - 30 * DAY_MS);
    const names = await partitions();
    const last = new Date((names.at(-1) ?? '').slice('events_'.length).replaceAll('_', '-'));
    expect(last.getTime()).toBeGreaterThan(Date.now() + 7 * DAY_MS);
    expect(await galley.database.count('webhook_deliveries')).toBe(1);
    for (const table of HISTORY_TABLES) {
      expect(await partitions(table)).toEqual(names.map((name) => name.replace('events', table)));
    }
    await receiver.stop();
  });

  it('does not keep a worker from relaying after weeks without one', async () => {
    for (const name of await partitions()) {
      for (const table of HISTORY_TABLES) {
        await galley.database.query(`DROP TABLE ${name.replace('events', table)}`);
      }
    }
    const ada = await galley.clientFor('ada');
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const receiver = await Receiver.start();
    await subscribe(ada, workspaceId, receiver);
    await ada.post('/api/templates', { name: 'Welcome', workspaceId });
    await startWorker();
    await eventually('the notification', () => receiver.received.length === 1);
    await receiver.stop();
  });
});
