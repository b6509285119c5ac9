import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { loadWorkerConfig } from '#config';
import { createWorker } from '../../../apps/worker/worker.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { snapshot } from '../../support/galley/database-snapshot.js';
import { subscribe, type Payload } from '../../support/webhooks/subscriptions.js';
import { itRaces } from '../../support/it-races.js';
import { itTimed } from '../../support/it-timed.js';

interface Resource {
  id: string;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;
let workspacePath: string;
let worker: NestFastifyApplication | undefined;
let receiver: Receiver;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  workspacePath = `/api/workspaces/${workspaceId}`;
  receiver = await Receiver.start();
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
  await receiver.stop();
});
afterAll(() => galley.stop());

async function startWorker(): Promise<void> {
  worker = await createWorker(loadWorkerConfig(galley.environment));
  await worker.init();
}

async function create(kind: string, name: string): Promise<string> {
  const body = {
    workspaceId,
    name,
    content: {},
    ...(kind === 'modules' && { category: 'footer' }),
  };
  return (await ada.post<Resource>(`/api/${kind}`, body)).body.id;
}

const receivedPayloads = () => receiver.received.map(({ body }) => JSON.parse(body) as Payload);
const countRemaining = (table: string) =>
  galley.database.count(`${table} WHERE workspace_id = '${workspaceId}'`);

describe('a workspace', () => {
  it.each([['templates'], ['modules']])('with %s is not deleted without force', async (kind) => {
    await create(kind, 'One');
    for (const query of ['', '?force=false']) {
      const before = await snapshot(galley.database);
      const { status, body } = await ada.delete(workspacePath + query);
      expect([status, body]).toEqual([
        409,
        {
          statusCode: 409,
          code: 'in_use',
          message:
            'The workspace still has templates, modules or pictures; delete them first, or send force=true to delete everything.',
        },
      ]);
      expect(await snapshot(galley.database)).toEqual(before);
    }
    expect((await ada.delete(`${workspacePath}?force=true`)).status).toBe(204);
    expect((await ada.get(workspacePath)).status).toBe(404);
  });

  it.each(['yes', '1', ''])('is not deleted with force=%s', async (force) => {
    expect((await ada.delete(`${workspacePath}?force=${force}`)).status).toBe(400);
    expect((await ada.get(workspacePath)).status).toBe(200);
  });

  it('with only webhooks, keys and members is deleted with them', async () => {
    const endpoint = await subscribe(ada, workspaceId, receiver);
    const { key } = (
      await ada.post<{ key: string }>(`${workspacePath}/keys`, { name: 'Shop', role: 'admin' })
    ).body;
    expect((await ada.delete(workspacePath)).status).toBe(204);
    for (const route of ['', '/secret', '/deliveries', '/transitions', '/replays']) {
      expect([route, (await ada.get(`/api/webhooks/${endpoint.id}${route}`)).status]).toEqual([
        route,
        404,
      ]);
    }
    expect((await ada.post(`/api/webhooks/${endpoint.id}/test`)).status).toBe(404);
    expect((await ada.delete(`/api/webhooks/${endpoint.id}`)).status).toBe(404);
    const responseToKey = await galley.anonymous.raw('GET', '/api/auth/me', undefined, {
      authorization: `Bearer ${key}`,
    });
    expect(responseToKey.status).toBe(401);
  });

  it('leaves its endpoints to the worker, even if an older service deletes it', async () => {
    await subscribe(ada, workspaceId, receiver);
    await galley.database.query('DELETE FROM workspaces WHERE id = $1', [workspaceId]);
    expect(await countRemaining('webhook_endpoints')).toBe(1);
    await startWorker();
    await eventually(
      'the endpoint to be deleted',
      async () => (await countRemaining('webhook_endpoints')) === 0,
    );
  });

  it('notifies its subscribers of everything that is deleted with it, and then deletes the endpoints', async () => {
    await subscribe(ada, workspaceId, receiver, ['template.deleted', 'module.deleted']);
    const disabled = await subscribe(ada, workspaceId, receiver, ['template.deleted']);
    await ada.post(`/api/webhooks/${disabled.id}/disable`);
    const template = await create('templates', 'One "quoted" \\ ü');
    await ada.put(`/api/templates/${template}`, { content: { version: 2 } });
    const module = await create('modules', 'Two');
    // A template and a module are also deleted alone. The events of these deletions must have the same
    // fields as the events of the deletion of a workspace.
    const [aloneTemplateId, aloneModuleId] = [
      await create('templates', 'Alone'),
      await create('modules', 'Other'),
    ];
    await ada.delete(`/api/templates/${aloneTemplateId}`);
    await ada.delete(`/api/modules/${aloneModuleId}`);
    expect((await ada.delete(`${workspacePath}?force=true`)).status).toBe(204);

    await startWorker();
    await eventually('all notifications to arrive', () => receiver.received.length === 4);
    const payloads = receivedPayloads();
    const [
      templateDeletedAlone,
      moduleDeletedAlone,
      templateDeletedWithWorkspace,
      moduleDeletedWithWorkspace,
    ] = ['Alone', 'Other', 'One "quoted" \\ ü', 'Two'].map((name) =>
      payloads.find(({ data }) => data['name'] === name),
    );
    expect(templateDeletedWithWorkspace).toEqual({
      event: 'template.deleted',
      timestamp: templateDeletedWithWorkspace?.timestamp,
      data: { id: template, name: 'One "quoted" \\ ü', workspaceId, externalId: null, version: 2 },
    });
    expect(moduleDeletedWithWorkspace?.data).toEqual({
      id: module,
      name: 'Two',
      workspaceId,
      externalId: null,
      category: 'footer',
      version: 1,
    });
    expect(Object.keys(templateDeletedWithWorkspace?.data ?? {})).toEqual(
      Object.keys(templateDeletedAlone?.data ?? {}),
    );
    expect(Object.keys(moduleDeletedWithWorkspace?.data ?? {})).toEqual(
      Object.keys(moduleDeletedAlone?.data ?? {}),
    );
    const sequences = receiver.received.map(({ headers }) => headers['x-service-sequence']);
    expect(sequences.sort()).toEqual(['2', '2', '2', '3']);

    await worker?.close();
    await startWorker();
    await eventually(
      'the endpoints to be deleted',
      async () => (await countRemaining('webhook_endpoints')) === 0,
    );
    expect(await countRemaining('webhook_deliveries')).toBe(0);
  });

  itTimed('ends attempts that began during its deletion', async () => {
    receiver.reaction = () => new Promise(() => undefined);
    const endpoint = await subscribe(ada, workspaceId, receiver);
    await startWorker();
    const deletion = new pg.Client({ connectionString: galley.database.url });
    await deletion.connect();
    await deletion.query('BEGIN; SELECT now()');
    await ada.post(`/api/webhooks/${endpoint.id}/test`);
    await eventually('an attempt', () => receiver.received.length === 1);
    await deletion.query('DELETE FROM workspaces WHERE id = $1', [workspaceId]);
    await deletion.query('COMMIT');
    await deletion.end();
    const startedAt = Date.now();
    await eventually('the connection to be closed', () => receiver.sockets.size === 0);
    // If the deletion did not end the attempt, the attempt would time out after 15 s.
    expect(Date.now() - startedAt).toBeLessThan(8_000);
  });

  it('keeps its endpoints until they have been notified', async () => {
    receiver.reaction = () => 500;
    await subscribe(ada, workspaceId, receiver, ['template.deleted']);
    await create('templates', 'One');
    await ada.delete(`${workspacePath}?force=true`);
    await startWorker();
    await eventually('an attempt', () => receiver.received.length === 1);
    await worker?.close();
    // The second endpoint has no events to be notified of, so the worker deletes it. That shows that the
    // worker has looked at both endpoints.
    const other = await galley.createWorkspaceFor('ada');
    const { id } = await subscribe(ada, other.id, receiver, ['template.deleted']);
    await ada.delete(`/api/workspaces/${other.id}`);
    await startWorker();
    const otherEndpoint = `webhook_endpoints WHERE id = '${id}'`;
    await eventually(
      'the other endpoint to be deleted',
      async () => (await galley.database.count(otherEndpoint)) === 0,
    );
    expect(await countRemaining('webhook_endpoints')).toBe(1);
    expect(await countRemaining('webhook_deliveries')).toBe(1);
  });

  itRaces('is deleted as a whole or not at all during concurrent writes', async () => {
    for (let round = 1; round <= 10; round++) {
      workspaceId = (await galley.createWorkspaceFor('ada')).id;
      const pendingWrites = Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? ada.post('/api/templates', { workspaceId, name: `${index}` })
          : ada.post('/api/webhooks', {
              workspaceId,
              url: receiver.url,
              events: ['module.created'],
            }),
      );
      const deletion = ada.delete(`/api/workspaces/${workspaceId}?force=true`);
      const statuses = (await Promise.all(pendingWrites)).map(({ status }) => status);
      expect((await deletion).status).toBe(204);
      expect(statuses.filter((status) => status !== 201 && status !== 404)).toEqual([]);
      expect(await countRemaining('documents')).toBe(0);
      const liveEndpoints = `webhook_endpoints WHERE workspace_id = '${workspaceId}'
        AND workspace_deleted_at IS NULL`;
      expect(await galley.database.count(liveEndpoints)).toBe(0);
    }
  });
});
