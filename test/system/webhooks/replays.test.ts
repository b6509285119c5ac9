import { expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { createPartitionsSince } from '../../support/galley/database.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';

interface Replay {
  id: string;
  status: string;
  total: number;
  done: number;
}

const DELIVERY_COUNT = 350;
const since = '2026-01-01T00:00:00Z';

useSubscribedWorkspace();

const replaysPath = (suffix = '') => `/api/webhooks/${endpoint.id}/replays${suffix}`;
const dryRunCount = async (filter: object) =>
  (await ada.post<{ count: number }>(replaysPath(), { since, ...filter, dryRun: true })).body.count;
const latestReplay = async () => (await ada.get<{ data: Replay[] }>(replaysPath())).body.data[0];

/** Delivers enough events for a replay to take several steps. */
async function deliverAll(): Promise<void> {
  await galley.database.query(
    `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
     SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'template.created' ELSE 'module.created' END,
       $1, gen_random_uuid(), 1, '{}' FROM generate_series(1, $2::integer) n`,
    [workspace.id, DELIVERY_COUNT],
  );
  const deliveryLog = `webhook_delivery_log WHERE endpoint_id = '${endpoint.id}'`;
  await eventually(
    'all to be delivered',
    async () => (await galley.database.count(deliveryLog)) === DELIVERY_COUNT,
  );
}

it('replays the deliveries that match a filter, after a dry run', async () => {
  await deliverAll();
  expect(await dryRunCount({})).toBe(DELIVERY_COUNT);
  expect(await dryRunCount({ events: ['module.created'] })).toBe(DELIVERY_COUNT / 2);
  expect(await dryRunCount({ status: ['failed'] })).toBe(0);
  expect(await dryRunCount({ until: '2026-01-02T00:00:00Z' })).toBe(0);
  expect(await dryRunCount({ until: '2026-01-02T00:00:00.123456789+01:00' })).toBe(0);
  const [{ resource_id: resourceId } = {}] = await galley.database.query<{ resource_id: string }>(
    'SELECT resource_id FROM events WHERE workspace_id = $1 LIMIT 1',
    [workspace.id],
  );
  expect(await dryRunCount({ resourceId })).toBe(1);
  expect(receiver.received).toHaveLength(DELIVERY_COUNT);

  const response = await ada.post<Replay>(replaysPath(), { since, events: ['module.created'] });
  expect([response.status, response.body]).toMatchObject([
    202,
    { status: 'running', total: DELIVERY_COUNT / 2, done: 0 },
  ]);
  await eventually('the replay to be done', async () => {
    const replay = await latestReplay();
    return replay?.status === 'done' && replay.done === DELIVERY_COUNT / 2;
  });
  await eventually('all to arrive', () => receiver.received.length === DELIVERY_COUNT * 1.5);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(DELIVERY_COUNT);
  // Deliveries of replays are not replayed, so the count is the same as before the replay.
  expect(await dryRunCount({ until: '2099-01-01T00:00:00Z' })).toBe(DELIVERY_COUNT);
  // The list shows the replay as the response to its creation did, except for the progress.
  const { status, done, finishedAt } = { finishedAt: '', ...(await latestReplay()) };
  expect(await latestReplay()).toEqual({ ...response.body, status, done, finishedAt });
});

it('replays the deliveries from `since` on and before `until`, to the millisecond', async () => {
  const end = Date.now() - 3_600_000;
  const times = [-3_600_001, -3_600_000, -60_000, 0, 1].map((ms) => new Date(end + ms));
  await createPartitionsSince(galley.database, new Date(end - 2 * 3_600_000));
  await galley.database.query(
    `INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
       event_relayed_at, event_id, kind, resource_id, sequence, status, attempts)
     SELECT $1, uuidv7_at(at), $2, 1, at, gen_random_uuid(), 'template.created', gen_random_uuid(), 1,
       'delivered', 1 FROM unnest($3::timestamptz[]) at`,
    [endpoint.id, workspace.id, times],
  );
  const [, from, , to] = times;
  const filter = { since: from?.toISOString(), until: to?.toISOString() };
  expect(await dryRunCount(filter)).toBe(2);
  const { body } = await ada.post<Replay>(replaysPath(), filter);
  expect(body.total).toBe(2);
  await eventually('the replay to be done', async () => (await latestReplay())?.status === 'done');
  expect((await latestReplay())?.done).toBe(2);
});

it('ends, even if its `until` is in the future', async () => {
  await deliverAll();
  await ada.post(replaysPath(), { since, until: '2099-01-01T00:00:00Z' });
  // An endpoint has only one replay at a time. So at most a hundred deliveries of replays are ahead of a
  // live event.
  const second = await ada.post<{ message: string }>(replaysPath(), { since });
  expect([second.status, second.body.message]).toEqual([
    409,
    expect.stringContaining('still running'),
  ]);
  await eventually('the replay to be done', async () => (await latestReplay())?.status === 'done');
  expect((await latestReplay())?.done).toBe(DELIVERY_COUNT);
  await eventually('all to arrive', () => receiver.received.length === 2 * DELIVERY_COUNT);
});

it('keeps the order of an ordered endpoint', async () => {
  await ada.put(`/api/webhooks/${endpoint.id}`, { ordered: true });
  const { body } = await ada.post<{ id: string }>('/api/templates', {
    name: 'First',
    workspaceId: workspace.id,
  });
  for (let version = 2; version <= 20; version++) {
    await ada.put(`/api/templates/${body.id}`, { name: `Name ${version}` });
  }
  const deliveryLog = `webhook_delivery_log WHERE endpoint_id = '${endpoint.id}'`;
  await eventually(
    'all to be delivered',
    async () => (await galley.database.count(deliveryLog)) === 20,
  );
  await ada.post(replaysPath(), { since });
  await eventually('all notifications to arrive again', () => receiver.received.length === 40);
  const sequences = receiver.received.map(({ headers }) => Number(headers['x-service-sequence']));
  const expectedSequences = Array.from({ length: 20 }, (_, index) => index + 1);
  expect(sequences).toEqual([...expectedSequences, ...expectedSequences]);
});

it('does not delay live events, and ends when it is cancelled', async () => {
  await deliverAll();
  let respond: () => void = () => undefined;
  const responseGate = new Promise<void>((resolve) => (respond = resolve));
  receiver.reaction = async ({ body }) => {
    if (!body.includes('Live')) await responseGate;
    return 204;
  };
  await ada.put(`/api/webhooks/${endpoint.id}`, { rateLimit: 100 });
  const { body } = await ada.post<Replay>(replaysPath(), { since });
  await eventually('a step to be done', async () => ((await latestReplay())?.done ?? 0) > 0);
  // However long the replay is, at most a hundred of its deliveries are ahead of a live event.
  const pendingDeliveries = `webhook_deliveries WHERE endpoint_id = '${endpoint.id}'`;
  expect(await galley.database.count(pendingDeliveries)).toBeLessThanOrEqual(100);
  const cancelled = await ada.post<Replay>(replaysPath(`/${body.id}/cancel`));
  expect(cancelled.body).toMatchObject({ id: body.id, status: 'cancelled' });
  respond();
  await eventually('the attempts in flight to end', async () => {
    return (await galley.database.count(pendingDeliveries)) === 0;
  });
  expect(receiver.received.length).toBeLessThan(2 * DELIVERY_COUNT);
  await ada.post('/api/templates', { name: 'Live', workspaceId: workspace.id });
  await eventually('the live event', () => receiver.received.at(-1)?.body.includes('Live'));
  expect((await latestReplay())?.status).toBe('cancelled');
});

it('repeated for an ordered endpoint does not block it', async () => {
  await ada.put(`/api/webhooks/${endpoint.id}`, { ordered: true });
  const { body } = await ada.post<{ id: string }>('/api/templates', {
    name: 'First',
    workspaceId: workspace.id,
  });
  await ada.put(`/api/templates/${body.id}`, { name: 'Second' });
  await ada.put(`/api/templates/${body.id}`, { name: 'Third' });
  await eventually('all to arrive', () => receiver.received.length === 3);
  const deliveryLog = `webhook_delivery_log WHERE endpoint_id = '${endpoint.id}'`;
  await eventually(
    'all attempts to be recorded',
    async () => (await galley.database.count(deliveryLog)) === 3,
  );
  let respond: () => void = () => undefined;
  const responseGate = new Promise<void>((resolve) => (respond = resolve));
  receiver.reaction = async () => {
    await responseGate;
    return 204;
  };
  await galley.database.query(
    'UPDATE webhook_traffic SET window_size = 50 WHERE endpoint_id = $1',
    [endpoint.id],
  );
  for (let round = 0; round < 2; round++) {
    await ada.post(replaysPath(), { since });
    await eventually(
      'the deliveries to be added',
      async () => (await latestReplay())?.status === 'done',
    );
  }
  await eventually('the other deliveries to be set aside', async () => {
    const waitingDeliveries = `webhook_deliveries WHERE endpoint_id = '${endpoint.id}' AND due_at = 'infinity'`;
    return (await galley.database.count(waitingDeliveries)) === 4;
  });
  respond();
  await eventually('all to arrive', () => receiver.received.length === 9);
});

it.each([
  [{}, 'since'],
  [{ since: 'yesterday' }, 'since'],
  [{ since: '2026-02-30' }, 'since'],
  [{ since: '2026-02-30T00:00:00Z' }, 'since'],
  [{ since: '2026-13-01T00:00:00Z' }, 'since'],
  [{ since, until: since }, 'until'],
  [{ since, until: 5 }, 'until'],
  [{ since, events: [] }, 'events'],
  [{ since, events: ['nothing'] }, 'events'],
  [{ since, status: ['pending'] }, 'status'],
  [{ since, status: 'failed' }, 'status'],
  [{ since, dryRun: 'yes' }, 'dryRun'],
  [{ since, limit: 5 }, 'limit'],
])('refuses %j', async (body, field) => {
  const response = await ada.post<{ message: string }>(replaysPath(), body);
  expect(response.status).toBe(400);
  expect(response.body.message).toContain(field);
});
