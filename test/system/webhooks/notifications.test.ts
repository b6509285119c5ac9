import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe, verify, verifyServiceSignature } from '../../support/webhooks/subscriptions.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';

interface Resource {
  id: string;
}

useSubscribedWorkspace();

const waitForNotifications = (count: number) =>
  eventually(
    `${count} notifications`,
    () => receiver.received.length >= count && receiver.received,
  );

const isOutboxEmpty = async () => (await galley.database.count('outbox')) === 0;

const receivedEvents = () =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);

describe('a notification', () => {
  it('is sent for each of the seven events, with exactly the specified data', async () => {
    const workspaceId = workspace.id;
    const content = { type: 'block' };
    const template = await ada.post<Resource>('/api/templates', { name: 'Spring', workspaceId });
    const templatePath = `/api/templates/${template.body.id}`;
    await ada.put(templatePath, { name: 'Summer' });
    const copy = await ada.post<Resource>(`${templatePath}/duplicate`);
    await ada.delete(templatePath);
    const module = await ada.post<Resource>('/api/modules', {
      name: 'Footer',
      workspaceId,
      content,
      category: 'footers',
    });
    const modulePath = `/api/modules/${module.body.id}`;
    await ada.put(modulePath, { name: 'Wide footer' });
    await ada.delete(modulePath);
    await waitForNotifications(7);

    const shared = { workspaceId, externalId: null };
    const templateData = { ...shared, id: template.body.id };
    const moduleData = { ...shared, id: module.body.id, category: 'footers' };
    const sourceId = template.body.id;
    const expected: Record<string, object> = {
      'template.created': { ...templateData, name: 'Spring', version: 1 },
      'template.updated': { ...templateData, name: 'Summer', version: 2 },
      'template.duplicated': {
        ...shared,
        id: copy.body.id,
        name: 'Summer (copy)',
        version: 1,
        sourceId,
      },
      'template.deleted': { ...templateData, name: 'Summer', version: 2 },
      'module.created': { ...moduleData, name: 'Footer', version: 1 },
      'module.updated': { ...moduleData, name: 'Wide footer', version: 2 },
      'module.deleted': { ...moduleData, name: 'Wide footer', version: 2 },
    };
    const payloads = receiver.received.map((notification) => verify(endpoint.secret, notification));
    expect(Object.fromEntries(payloads.map(({ event, data }) => [event, data]))).toEqual(expected);
    for (const payload of payloads) {
      expect(Object.keys(payload)).toEqual(['event', 'timestamp', 'data']);
      expect(payload.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  it('carries both signatures over the raw body, and a content type', async () => {
    await ada.post('/api/templates', { name: 'Grüße 👋', workspaceId: workspace.id });
    const [notification] = await waitForNotifications(1);
    if (notification === undefined) throw new Error('unreachable');
    expect(verify(endpoint.secret, notification).data).toMatchObject({ name: 'Grüße 👋' });
    expect(verifyServiceSignature(endpoint.secret, notification)).toBe(true);
    expect(notification.headers['content-type']).toBe('application/json');

    const tampered = { ...notification, body: notification.body.replace('Grüße', 'Grusse') };
    expect(() => verify(endpoint.secret, tampered)).toThrow();
    expect(verifyServiceSignature(endpoint.secret, tampered)).toBe(false);
  });

  it("is sent only for selected events of the endpoint's workspace", async () => {
    const otherWorkspace = await galley.createWorkspaceFor('ada');
    const deletionReceiver = await Receiver.start();
    await subscribe(ada, workspace.id, deletionReceiver, ['template.deleted']);
    await ada.post('/api/templates', { name: 'Elsewhere', workspaceId: otherWorkspace.id });
    const { body } = await ada.post<Resource>('/api/templates', {
      name: 'Here',
      workspaceId: workspace.id,
    });
    await ada.delete(`/api/templates/${body.id}`);
    await waitForNotifications(2);
    await eventually('the deletion', () => deletionReceiver.received.length === 1);
    await eventually('all events to be relayed', isOutboxEmpty);
    const workspaceDeliveryLog = `webhook_delivery_log WHERE workspace_id = '${workspace.id}'`;
    await eventually(
      'all attempts to be recorded',
      async () => (await galley.database.count(workspaceDeliveryLog)) >= 3,
    );
    expect(await galley.database.count(workspaceDeliveryLog)).toBe(3);
    expect(receivedEvents().sort()).toEqual(['template.created', 'template.deleted']);
    await deletionReceiver.stop();
  });

  it('is not sent for a request without a change, nor for the duplication of a module', async () => {
    const workspaceId = workspace.id;
    const { body } = await ada.post<Resource>('/api/modules', {
      name: 'Header',
      workspaceId,
      content: {},
    });
    await ada.put(`/api/modules/${body.id}`, { name: 'Header' });
    expect((await ada.post(`/api/modules/${body.id}/duplicate`)).status).toBe(201);
    await ada.delete(`/api/modules/${body.id}`);
    await waitForNotifications(2);
    const relayedEvents = await galley.database.query(
      'SELECT kind FROM events WHERE workspace_id = $1 ORDER BY position',
      [workspaceId],
    );
    expect(relayedEvents).toEqual([{ kind: 'module.created' }, { kind: 'module.deleted' }]);
  });

  it("goes to the endpoint's current URL, and nowhere after its deletion", async () => {
    const newReceiver = await Receiver.start();
    const path = `/api/webhooks/${endpoint.id}`;
    expect(
      (await ada.put(path, { url: newReceiver.url, events: ['template.created'] })).status,
    ).toBe(200);
    await ada.post('/api/templates', { name: 'Moved', workspaceId: workspace.id });
    await eventually('the notification', () => newReceiver.received.length === 1);
    expect(receiver.received).toEqual([]);

    expect((await ada.delete(path)).status).toBe(204);
    expect((await ada.get(path)).status).toBe(404);
    await ada.post('/api/templates', { name: 'Unheard', workspaceId: workspace.id });
    await eventually('the event to be relayed', isOutboxEmpty);
    const workspaceDeliveries = `webhook_deliveries WHERE workspace_id = '${workspace.id}'`;
    expect(await galley.database.count(workspaceDeliveries)).toBe(0);
    expect([receiver.received.length, newReceiver.received.length]).toEqual([0, 1]);
    await newReceiver.stop();
  });
});

describe('an endpoint with a long backlog', () => {
  beforeEach(async () => {
    await ada.post(`/api/webhooks/${endpoint.id}/disable`);
    await galley.database.query(
      `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
         event_relayed_at, event_id, kind, resource_id, sequence, due_at)
       SELECT $1, uuidv7_at(now()), $2, n, now(), gen_random_uuid(), 'template.created',
         gen_random_uuid(), 1, now() FROM generate_series(1, 12000) n`,
      [endpoint.id, workspace.id],
    );
  });

  it('is not deleted with a stale ETag', async () => {
    const path = `/api/webhooks/${endpoint.id}`;
    const getEtag = async () => (await ada.get(path)).headers.get('etag') ?? '';
    const releaseLock = await galley.database.holdLock(
      'SELECT FROM webhook_traffic WHERE endpoint_id = $1 FOR UPDATE',
      [endpoint.id],
    );
    const deletion = ada.with({ 'if-match': await getEtag() }).delete(path);
    await eventually('the backlog to be deleted', async () => {
      const [row] = await galley.database.query<{ waiting: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
           AND application_name = 'galley api' AND wait_event_type = 'Lock') AS waiting`,
      );
      return row?.waiting;
    });
    const change = { description: 'Still needed' };
    const changed = await ada.with({ 'if-match': await getEtag() }).put(path, change);
    expect(changed.status).toBe(200);
    await releaseLock();
    expect((await deletion).status).toBe(412);
    expect((await ada.get(path)).body).toMatchObject(change);
  });

  it('can be deleted', async () => {
    const path = `/api/webhooks/${endpoint.id}`;
    expect((await ada.delete(path)).status).toBe(204);
    const remainingDeliveries = `webhook_deliveries WHERE endpoint_id = '${endpoint.id}'`;
    expect(await galley.database.count(remainingDeliveries)).toBe(0);
    expect((await ada.get(path)).status).toBe(404);
  });
});

describe('the API of webhooks', () => {
  it('shows the secret once, stores it encrypted, and returns all other settings', async () => {
    const { secret, ...endpointWithoutSecret } = endpoint;
    expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/);
    const path = `/api/webhooks/${endpoint.id}`;
    expect((await ada.get(path)).body).toEqual(endpointWithoutSecret);
    const list = await ada.get<{ data: object[]; nextCursor: null }>(
      `/api/webhooks?workspaceId=${workspace.id}`,
    );
    expect(list.body).toEqual({ data: [endpointWithoutSecret], nextCursor: null });
    const [row] = await galley.database.query<{ encrypted_secret: string }>(
      'SELECT encrypted_secret FROM webhook_endpoints WHERE id = $1',
      [endpoint.id],
    );
    expect(row?.encrypted_secret).not.toContain(secret.slice('whsec_'.length));
  });
});
