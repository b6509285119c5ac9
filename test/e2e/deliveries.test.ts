import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CreatedWebhook, Workspace } from '#client';
import pg from 'pg';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { Sink } from '../support/sink.js';
import { subscribe, verify } from '../support/webhooks.js';

interface Delivery {
  id: string;
  eventId: string;
  status: string;
  attempts: number;
}

interface List {
  data: Delivery[];
  nextCursor: string | null;
}

let galley: Galley;
let ada: Client;
let workspace: Workspace;
let sink: Sink;
let endpoint: CreatedWebhook;

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  ada = await galley.as('ada');
});
afterAll(() => galley.stop());

beforeEach(async () => {
  workspace = await galley.workspaceOf('ada');
  sink = await Sink.start();
  endpoint = await subscribe(ada, workspace.id, sink);
});
afterEach(() => sink.stop());

const path = (suffix = '') => `/api/webhooks/${endpoint.id}/deliveries${suffix}`;
const create = async (name = 'Welcome') =>
  (await ada.post<{ id: string }>('/api/templates', { name, workspaceId: workspace.id })).body.id;
const list = async (query = '') => (await ada.get<List>(path(query))).body;
const only = (status: string, attempts: number) =>
  eventually(`a delivery that is ${status} after ${attempts}`, async () => {
    const [delivery] = (await list()).data;
    return delivery?.status === status && delivery.attempts === attempts && delivery;
  });
/** Moves what waits for its tenth attempt to it. */
const giveUp = async () => {
  await galley.database.query(
    `WITH flow AS (
       UPDATE webhook_flows SET wake_at = now(), open_until = '-infinity' WHERE endpoint_id = $1
     )
     UPDATE webhook_deliveries SET attempts = 9, due_at = now() WHERE endpoint_id = $1`,
    [endpoint.id],
  );
  return only('failed', 10);
};

describe('the log of deliveries', () => {
  it('shows each, newest first, in pages, by status', async () => {
    for (let each = 0; each < 5; each++) await create();
    await eventually('all to be delivered', async () => {
      return (await list('?status=delivered')).data.length === 5;
    });
    const first = await list('?limit=3');
    const second = await list(`?limit=3&cursor=${first.nextCursor}`);
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(ids.toSorted().reverse());
    expect(second.nextCursor).toBeNull();
    expect((await list('?status=failed')).data).toEqual([]);
    expect(first.data[0]).toMatchObject({ event: 'template.created', sequence: 1, attempts: 1 });
    expect((await ada.get(path('?status=lost'))).status).toBe(400);
  });

  it('says of each attempt when, how long, and what came of it', async () => {
    sink.reaction = () => ({ status: 500, headers: { 'x-why': 'because' } });
    await create();
    const { id, eventId } = await only('pending', 1);
    const { body } = await ada.get<Delivery & { attemptsMade: object[] }>(path(`/${id}`));
    expect(body).toMatchObject({ id, eventId, status: 'pending', attempts: 1 });
    expect(body.attemptsMade).toMatchObject([
      {
        ...{ statusCode: 500, stage: 'status', error: 'the answer was 500', responseBody: '' },
        requestHeaders: { 'webhook-id': eventId, 'user-agent': expect.stringMatching(/^Galley\//) },
        responseHeaders: { 'x-why': 'because' },
      },
    ]);
    expect((await ada.get(path(`/${endpoint.id}`))).status).toBe(404);
    const bob = await galley.as('bob');
    expect((await bob.get(path(`/${id}`))).status).toBe(403);
    expect((await bob.get(path())).status).toBe(403);
  });
});

describe('a delivery whose event is no longer kept', () => {
  it('is given up, and says so', async () => {
    await ada.post(`/api/webhooks/${endpoint.id}/disable`);
    await create();
    await only('held', 0);
    await galley.database.query('DELETE FROM events WHERE workspace_id = $1', [workspace.id]);
    await ada.post(`/api/webhooks/${endpoint.id}/enable`);
    const { id } = await only('failed', 1);
    expect((await ada.get(path(`/${id}`))).body).toMatchObject({
      attemptsMade: [{ stage: 'event', error: 'the event is no longer kept', statusCode: null }],
    });
    expect(sink.received).toEqual([]);
    const blamed = `webhook_flows WHERE endpoint_id = '${endpoint.id}' AND failures > 0`;
    expect(await galley.database.count(blamed)).toBe(0);
  });
});

describe('a retry', () => {
  it('comes at once for what waits, and for what was given up', async () => {
    sink.reaction = () => 500;
    await create();
    const { id } = await only('pending', 1);
    const retry = () => ada.post(path(`/${id}/retry`));
    expect((await retry()).status).toBe(202);
    await only('pending', 2);
    await giveUp();
    expect((await retry()).status).toBe(202);
    await only('failed', 11);
    sink.reaction = () => 204;
    expect((await retry()).status).toBe(202);
    await only('delivered', 12);
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is refused when there is nothing to retry', async () => {
    await create();
    const { id } = await only('delivered', 1);
    const over = await ada.post<{ message: string }>(path(`/${id}/retry`));
    expect(over.status).toBe(409);
    expect(over.body.message).toBe('The delivery has succeeded; there is nothing to retry.');
    expect((await ada.post(path(`/${endpoint.id}/retry`))).status).toBe(404);
    await ada.post(`/api/webhooks/${endpoint.id}/disable`);
    expect((await ada.post(path(`/${id}/retry`))).status).toBe(409);
  });
});

describe('the cancellation', () => {
  it('of one, or of all that is pending, is final', async () => {
    sink.reaction = () => 500;
    await create();
    const { id } = await only('pending', 1);
    expect((await ada.post(path(`/${id}/cancel`))).status).toBe(204);
    await only('cancelled', 1);
    const again = await ada.post<{ message: string }>(path(`/${id}/cancel`));
    expect([again.status, again.body.message]).toEqual([
      409,
      'The delivery is over: it was cancelled.',
    ]);
    await Promise.all([create(), create(), create()]);
    await eventually('them to fail', async () => {
      const { data } = await list('?status=pending');
      return data.length === 3 && data.every(({ attempts }) => attempts === 1);
    });
    expect((await ada.post(path('/cancel'))).body).toEqual({ cancelled: 3 });
    expect((await list('?status=cancelled')).data).toHaveLength(4);
  });
});

describe('a test', () => {
  it('comes to the endpoint that it is for, and to no other', async () => {
    const other = await Sink.start();
    await subscribe(ada, workspace.id, other);
    const answer = await ada.post(`/api/webhooks/${endpoint.id}/test`);
    expect([answer.status, answer.body]).toEqual([202, { sequence: 1 }]);
    const [test] = await eventually('it', () => sink.received.length > 0 && sink.received);
    if (test === undefined) throw new Error('unreachable');
    expect(verify(endpoint.secret, test)).toMatchObject({
      event: 'webhook.test',
      data: { id: endpoint.id, workspaceId: workspace.id },
    });
    await create();
    await eventually('the next event', () => other.received.length > 0);
    expect(other.received[0]?.body).toContain('template.created');
    await other.stop();
  });
});

describe('the feed of events', () => {
  interface Page {
    data: { position: number; id: string; event: string; sequence: number; data: object }[];
    nextAfter: number;
  }
  const feed = async (after = 0, limit = 100) => {
    const query = `workspaceId=${workspace.id}&after=${after}&limit=${limit}`;
    return (await ada.get<Page>(`/api/events?${query}`)).body;
  };

  it('gives all events in an order that stays, with the ids of their notifications', async () => {
    const id = await create();
    await ada.put(`/api/templates/${id}`, { name: 'Hello' });
    await ada.delete(`/api/templates/${id}`);
    await eventually('all to be told', () => sink.received.length === 3);
    await eventually('them to be settled', async () => (await feed()).data.length === 3);
    const first = await feed(0, 2);
    const second = await feed(first.nextAfter, 2);
    const events = [...first.data, ...second.data];
    expect(events).toMatchObject([
      { position: 1, event: 'template.created', sequence: 1, data: { id, version: 1 } },
      { position: 2, event: 'template.updated', sequence: 2, data: { name: 'Hello' } },
      { position: 3, event: 'template.deleted', sequence: 3, data: { id } },
    ]);
    expect(await feed(second.nextAfter)).toEqual({ data: [], nextAfter: 3 });
    const notified = sink.received.map(({ headers }) => headers);
    expect(new Set(notified.map((headers) => headers['webhook-id']))).toEqual(
      new Set(events.map((each) => each.id)),
    );
    expect(notified.map((headers) => headers['x-service-sequence']).sort()).toEqual([
      '1',
      '2',
      '3',
    ]);
    for (const after of ['-1', 'x', '1.5', '1e3']) {
      const path = `/api/events?workspaceId=${workspace.id}&after=${after}`;
      expect((await ada.get(path)).status).toBe(400);
    }
    expect(
      (await (await galley.as('bob')).get(`/api/events?workspaceId=${workspace.id}`)).status,
    ).toBe(403);
  });

  it('never skips an event that is committed late', async () => {
    const late = new pg.Client(galley.database.url);
    await late.connect();
    const insert = (name: string) =>
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       VALUES (gen_random_uuid(), 'template.created', '${workspace.id}', gen_random_uuid(), 1,
         '{"name":"${name}"}')`;
    await late.query('BEGIN');
    await late.query(insert('late'));
    await create('early');
    await eventually('the early one', async () => (await feed()).data.length === 1);
    const { nextAfter } = await feed();
    await late.query('COMMIT');
    await late.end();
    const { data } = await eventually('the late one', async () => {
      const page = await feed(nextAfter);
      return page.data.length === 1 && page;
    });
    expect(data).toMatchObject([{ position: 2, data: { name: 'late' } }]);
  });

  it('counts the events of a module from its first, and those of its copy anew', async () => {
    const { body: module } = await ada.post<{ id: string }>('/api/modules', {
      ...{ name: 'Footer', workspaceId: workspace.id, content: {} },
    });
    const copy = await ada.post<{ id: string }>(`/api/modules/${module.id}/duplicate`);
    await ada.put(`/api/modules/${module.id}`, { name: 'Wide footer' });
    await ada.put(`/api/modules/${copy.body.id}`, { name: 'Narrow footer' });
    await ada.delete(`/api/modules/${module.id}`);
    const { data } = await eventually('all', async () => {
      const page = await feed();
      return page.data.length === 4 && page;
    });
    expect(data.map(({ event, sequence }) => `${event} ${sequence}`)).toEqual([
      ...['module.created 1', 'module.updated 2', 'module.updated 1', 'module.deleted 3'],
    ]);
  });
});
