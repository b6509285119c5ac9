import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';

useSubscribedWorkspace();

const createTemplate = async (name = 'Welcome') =>
  (await ada.post<{ id: string }>('/api/templates', { name, workspaceId: workspace.id })).body.id;

describe('the event feed', () => {
  interface FeedPage {
    data: { position: number; id: string; event: string; sequence: number; data: object }[];
    nextAfter: number;
  }
  const readFeed = async (after = 0, limit = 100) => {
    const query = `workspaceId=${workspace.id}&after=${after}&limit=${limit}`;
    return (await ada.get<FeedPage>(`/api/events?${query}`)).body;
  };

  it('returns all events in a stable order, with the ids of their notifications', async () => {
    const id = await createTemplate();
    await ada.put(`/api/templates/${id}`, { name: 'Hello' });
    await ada.delete(`/api/templates/${id}`);
    await eventually('all notifications to arrive', () => receiver.received.length === 3);
    await eventually(
      'the events to be old enough',
      async () => (await readFeed()).data.length === 3,
    );
    const first = await readFeed(0, 2);
    const second = await readFeed(first.nextAfter, 2);
    const events = [...first.data, ...second.data];
    expect(events).toMatchObject([
      { position: 1, event: 'template.created', sequence: 1, data: { id, version: 1 } },
      { position: 2, event: 'template.updated', sequence: 2, data: { name: 'Hello' } },
      { position: 3, event: 'template.deleted', sequence: 3, data: { id } },
    ]);
    expect(await readFeed(second.nextAfter)).toEqual({ data: [], nextAfter: 3 });
    const notificationHeaders = receiver.received.map(({ headers }) => headers);
    expect(new Set(notificationHeaders.map((headers) => headers['webhook-id']))).toEqual(
      new Set(events.map((each) => each.id)),
    );
    expect(notificationHeaders.map((headers) => headers['x-service-sequence']).sort()).toEqual([
      '1',
      '2',
      '3',
    ]);
    for (const after of ['-1', 'x', '1.5', '1e3']) {
      const path = `/api/events?workspaceId=${workspace.id}&after=${after}`;
      expect((await ada.get(path)).status).toBe(400);
    }
    expect(
      (await (await galley.clientFor('bob')).get(`/api/events?workspaceId=${workspace.id}`)).status,
    ).toBe(403);
  });

  it('shows the data of events of webhooks to admins only', async () => {
    const bob = await galley.clientFor('bob');
    const { body } = await bob.get<{ user: { id: string } }>('/api/auth/me');
    const member = { userId: body.user.id, role: 'editor' };
    await ada.post(`/api/workspaces/${workspace.id}/members`, member);
    await ada.post(`/api/webhooks/${endpoint.id}/disable`);
    const read = async (client: Client) => {
      const path = `/api/events?workspaceId=${workspace.id}`;
      const { data } = (await client.get<FeedPage>(path)).body;
      return data.find(({ event }) => event === 'webhook.disabled')?.data;
    };
    const known = { id: endpoint.id, workspaceId: workspace.id };
    const data = await eventually('the event', () => read(ada));
    expect(data).toMatchObject(known);
    expect(Object.keys(data).length).toBeGreaterThan(2);
    expect(await read(bob)).toEqual(known);
  });

  it('never skips an event that is committed late', async () => {
    const lateTransaction = new pg.Client(galley.database.url);
    await lateTransaction.connect();
    const insertStatement = (name: string) =>
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       VALUES (gen_random_uuid(), 'template.created', '${workspace.id}', gen_random_uuid(), 1,
         '{"name":"${name}"}')`;
    await lateTransaction.query('BEGIN');
    await lateTransaction.query(insertStatement('late'));
    await createTemplate('early');
    await eventually('the early event', async () => (await readFeed()).data.length === 1);
    const { nextAfter } = await readFeed();
    await lateTransaction.query('COMMIT');
    await lateTransaction.end();
    const { data } = await eventually('the late event', async () => {
      const page = await readFeed(nextAfter);
      return page.data.length === 1 && page;
    });
    expect(data).toMatchObject([{ position: 2, data: { name: 'late' } }]);
  });

  it('counts the events of a module from 1, and those of its copy from 1 again', async () => {
    const { body: module } = await ada.post<{ id: string }>('/api/modules', {
      name: 'Footer',
      workspaceId: workspace.id,
      content: {},
    });
    const copy = await ada.post<{ id: string }>(`/api/modules/${module.id}/duplicate`);
    await ada.put(`/api/modules/${module.id}`, { name: 'Wide footer' });
    await ada.put(`/api/modules/${copy.body.id}`, { name: 'Narrow footer' });
    await ada.delete(`/api/modules/${module.id}`);
    const { data } = await eventually('all', async () => {
      const page = await readFeed();
      return page.data.length === 4 && page;
    });
    expect(data.map(({ event, sequence }) => `${event} ${sequence}`)).toEqual([
      'module.created 1',
      'module.updated 2',
      'module.updated 1',
      'module.deleted 3',
    ]);
  });
});
