import { describe, expect, it } from '@jest/globals';
import { createPartitionsSince } from '../../support/galley/database.js';
import type { Delivery, DeliveryDetails, DeliveryPage } from '#client';
import { build } from '#config';
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

const deliveriesPath = (suffix = '') => `/api/webhooks/${endpoint.id}/deliveries${suffix}`;
const createTemplate = async (name = 'Welcome') =>
  (await ada.post<{ id: string }>('/api/templates', { name, workspaceId: workspace.id })).body.id;
const listDeliveries = async (query = '') =>
  (await ada.get<DeliveryPage>(deliveriesPath(query))).body;
const waitForOnlyDelivery = (status: string, attempts: number) =>
  eventually(`a delivery that is ${status} after ${attempts}`, async () => {
    const [delivery] = (await listDeliveries()).data;
    return delivery?.status === status && delivery.attempts === attempts && delivery;
  });
/** Makes the tenth and last attempt of pending deliveries due now. */
const exhaustAttempts = async () => {
  await galley.database.query(
    `WITH flow AS (
       UPDATE webhook_traffic SET wake_at = now(), open_until = '-infinity' WHERE endpoint_id = $1
     )
     UPDATE webhook_deliveries SET attempts = 9, due_at = now() WHERE endpoint_id = $1`,
    [endpoint.id],
  );
  return waitForOnlyDelivery('failed', 10);
};

describe('the log of deliveries', () => {
  it('lists deliveries, newest first, in pages, by status', async () => {
    for (let created = 0; created < 5; created++) await createTemplate();
    await eventually('all to be delivered', async () => {
      return (await listDeliveries('?status=delivered')).data.length === 5;
    });
    const first = await listDeliveries('?limit=3');
    const second = await listDeliveries(`?limit=3&cursor=${first.nextCursor}`);
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(ids.toSorted().reverse());
    expect(second.nextCursor).toBeNull();
    expect((await listDeliveries('?status=failed')).data).toEqual([]);
    expect(first.data[0]).toMatchObject({ event: 'template.created', sequence: 1, attempts: 1 });
    expect((await ada.get(deliveriesPath('?status=lost'))).status).toBe(400);
  });

  it('shows the time, duration and result of each attempt', async () => {
    receiver.reaction = () => ({ status: 500, headers: { 'x-why': 'because' } });
    await createTemplate();
    const { id, eventId } = await waitForOnlyDelivery('pending', 1);
    const { body } = await ada.get<DeliveryDetails>(deliveriesPath(`/${id}`));
    const outcome = { statusCode: 500, stage: 'status', error: 'the response status was 500' };
    const lastAttempt: unknown = {
      ...outcome,
      startedAt: expect.any(String),
      durationMs: expect.any(Number),
    };
    expect(body).toMatchObject({ id, eventId, status: 'pending', attempts: 1, lastAttempt });
    expect((await listDeliveries()).data).toMatchObject([{ id, lastAttempt }]);
    expect(body.attemptsMade).toMatchObject([
      {
        ...outcome,
        url: receiver.url,
        responseBody: '',
        requestHeaders: { 'webhook-id': eventId, 'user-agent': `Galley/${build}` },
        responseHeaders: { 'x-why': 'because' },
      },
    ]);
    expect((await ada.get(deliveriesPath(`/${endpoint.id}`))).status).toBe(404);
    const bob = await galley.clientFor('bob');
    expect((await bob.get(deliveriesPath(`/${id}`))).status).toBe(403);
    expect((await bob.get(deliveriesPath())).status).toBe(403);
  });
});

describe('a delivery', () => {
  it('shows the body that was sent, byte for byte, and the URL of each attempt', async () => {
    receiver.reaction = () => 500;
    const content = { name: 'Größe "1" \\ \u2028 😀', workspaceId: workspace.id };
    await ada.post('/api/templates', content);
    const { id } = await waitForOnlyDelivery('pending', 1);
    const newUrl = `${receiver.url}/elsewhere?token=sesame`;
    await ada.put(`/api/webhooks/${endpoint.id}`, { url: newUrl });
    const getDetails = async () => (await ada.get<DeliveryDetails>(deliveriesPath(`/${id}`))).body;
    const first = await getDetails();
    expect(first.url).toBe(receiver.url);
    receiver.reaction = () => 204;
    expect((await ada.post(deliveriesPath(`/${id}/retry`))).status).toBe(202);
    await waitForOnlyDelivery('delivered', 2);
    const { url, requestBody, attemptsMade } = await getDetails();
    expect(url).toBe(newUrl);
    expect(attemptsMade.map((attempt) => attempt.url)).toEqual([receiver.url, newUrl]);
    expect(receiver.received.map(({ body }) => body)).toEqual([requestBody, requestBody]);
    await galley.database.query('DELETE FROM events WHERE workspace_id = $1', [workspace.id]);
    expect((await getDetails()).requestBody).toBeNull();
  });

  it('shows its latest attempts, within the size of a response', async () => {
    receiver.reaction = () => 500;
    await createTemplate();
    const { id } = await waitForOnlyDelivery('pending', 1);
    const getAttempts = async () => {
      const { text, body } = await ada.get<DeliveryDetails>(deliveriesPath(`/${id}`));
      return { bytes: text.length, urls: body.attemptsMade.map(({ url }) => url) };
    };
    // In JSON, `chr(1)` is an escape sequence of six characters.
    await galley.database.query(
      `INSERT INTO webhook_attempts (delivery_id, claim, started_at, duration_ms, url, response_body)
       SELECT $1, claim, now() + claim * interval '1 s', 1, claim::text, repeat(chr(1), $2)
       FROM generate_series(1000, 1149) claim`,
      [id, 10],
    );
    const latestUrls = (count: number) =>
      Array.from({ length: count }, (_, index) => `${1150 - count + index}`);
    expect((await getAttempts()).urls).toEqual(latestUrls(100));
    await galley.database.query(
      `UPDATE webhook_attempts SET response_body = repeat(chr(1), 16384)
       WHERE delivery_id = $1 AND claim >= 1000`,
      [id],
    );
    const { bytes, urls } = await getAttempts();
    expect(bytes).toBeLessThan(4.1 * 1024 * 1024);
    expect(urls.length).toBeGreaterThan(35);
    expect(urls).toEqual(latestUrls(urls.length));
  });

  it('shows its URL before the first attempt', async () => {
    await ada.post(`/api/webhooks/${endpoint.id}/disable`);
    await createTemplate();
    const { id } = await waitForOnlyDelivery('held', 0);
    const { body } = await ada.get<DeliveryDetails>(deliveriesPath(`/${id}`));
    expect(body).toMatchObject({ url: receiver.url, lastAttempt: null, attemptsMade: [] });
    expect(body.requestBody).toContain('"event":"template.created"');
  });
});

describe('a filter of the log', () => {
  /**
   * Inserts delivered deliveries, a second apart, the last one a minute ago. The oldest belongs to another
   * event.
   */
  const insertLogEntries = async (count: number) => {
    await createPartitionsSince(galley.database, new Date(Date.now() - (count + 60) * 1000));
    await galley.database.query(
      `INSERT INTO webhook_delivery_log (endpoint_id, id, workspace_id, event_position,
         event_relayed_at, event_id, kind, resource_id, sequence, status, attempts)
       SELECT $1, uuidv7_at(now() - number * interval '1 second' - interval '1 minute'), $2, number, now(),
         gen_random_uuid(), CASE WHEN number = $3 THEN 'module.deleted' ELSE 'module.updated' END,
         $1, 1, 'delivered', 1
       FROM generate_series(1, $3::integer) number`,
      [endpoint.id, workspace.id, count],
    );
  };

  it('may be event, resource, time and status, alone or combined', async () => {
    const [renamedId, deletedId] = [await createTemplate(), await createTemplate()];
    await ada.put(`/api/templates/${renamedId}`, { name: 'Changed' });
    await ada.delete(`/api/templates/${deletedId}`);
    await eventually('all to be delivered', async () => {
      return (await listDeliveries('?status=delivered')).data.length === 4;
    });
    const allDeliveries = (await listDeliveries()).data;
    const matchingIndexes = async (query: string) =>
      (await listDeliveries(query)).data.map((each) =>
        allDeliveries.findIndex(({ id }) => id === each.id),
      );
    const timeOf = (id = '') =>
      new Date(parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString();
    const middleTime = timeOf(allDeliveries[1]?.id);
    expect(await matchingIndexes('?event=template.created')).toHaveLength(2);
    expect(await matchingIndexes(`?resourceId=${renamedId}`)).toHaveLength(2);
    expect(await matchingIndexes(`?resourceId=${renamedId}&event=template.updated`)).toHaveLength(
      1,
    );
    expect(await matchingIndexes(`?resourceId=${renamedId}&event=template.deleted`)).toEqual([]);
    expect(await matchingIndexes('?event=template.deleted&status=delivered')).toHaveLength(1);
    expect(await matchingIndexes('?event=template.deleted&status=failed')).toEqual([]);
    expect(await matchingIndexes('?event=template.deleted&status=pending')).toEqual([]);
    const since = await matchingIndexes(`?since=${middleTime}`);
    const until = await matchingIndexes(`?until=${middleTime}`);
    expect([...since, ...until]).toEqual([0, 1, 2, 3]);
    expect(since).toContain(1);
    expect(await matchingIndexes(`?since=${middleTime}&until=${middleTime}`)).toEqual([]);
    for (const query of ['event=template', 'event=*', 'resourceId=1', 'since=now', 'until=1']) {
      expect((await ada.get(deliveriesPath(`?${query}`))).status).toBeGreaterThanOrEqual(400);
    }
    const { nextCursor } = await listDeliveries('?limit=1&event=template.created');
    expect(nextCursor).not.toBeNull();
    expect(
      (await ada.get(deliveriesPath(`?event=template.deleted&cursor=${nextCursor}`))).status,
    ).toBe(400);
  });

  it('reads a part of a long log, and returns a cursor to continue', async () => {
    await insertLogEntries(12_000);
    let pages = 0;
    let cursor: string | null = '';
    const events: unknown[] = [];
    do {
      const query = `?event=module.deleted${cursor && `&cursor=${cursor}`}`;
      const page: DeliveryPage = await listDeliveries(query);
      events.push(...page.data);
      cursor = page.nextCursor;
      pages++;
    } while (cursor !== null);
    expect([pages, events]).toEqual([3, [expect.objectContaining({ event: 'module.deleted' })]]);
    expect((await listDeliveries('?status=delivered&limit=10')).data).toHaveLength(10);
    const last = await listDeliveries('?event=module.updated&limit=100');
    expect([last.data.length, last.nextCursor === null]).toEqual([100, false]);
  });
});

describe('a delivery whose event has expired', () => {
  it('fails with a reason', async () => {
    await ada.post(`/api/webhooks/${endpoint.id}/disable`);
    await createTemplate();
    await waitForOnlyDelivery('held', 0);
    await galley.database.query('DELETE FROM events WHERE workspace_id = $1', [workspace.id]);
    await ada.post(`/api/webhooks/${endpoint.id}/enable`);
    const { id } = await waitForOnlyDelivery('failed', 1);
    expect((await ada.get(deliveriesPath(`/${id}`))).body).toMatchObject({
      attemptsMade: [{ stage: 'event', error: 'the event is no longer stored', statusCode: null }],
    });
    expect(receiver.received).toEqual([]);
    const failingTraffic = `webhook_traffic WHERE endpoint_id = '${endpoint.id}' AND failures > 0`;
    expect(await galley.database.count(failingTraffic)).toBe(0);
  });
});

describe('a retry', () => {
  it('is immediate for pending and for failed deliveries', async () => {
    receiver.reaction = () => 500;
    await createTemplate();
    const { id } = await waitForOnlyDelivery('pending', 1);
    const retry = () => ada.post(deliveriesPath(`/${id}/retry`));
    expect((await retry()).status).toBe(202);
    await waitForOnlyDelivery('pending', 2);
    await exhaustAttempts();
    expect((await retry()).status).toBe(202);
    await waitForOnlyDelivery('failed', 11);
    receiver.reaction = () => 204;
    expect((await retry()).status).toBe(202);
    await waitForOnlyDelivery('delivered', 12);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('of a delivered delivery is a new delivery of the same event', async () => {
    await createTemplate();
    const first = await waitForOnlyDelivery('delivered', 1);
    receiver.reaction = () => 500;
    const { status, body: resend } = await ada.post<Delivery>(deliveriesPath(`/${first.id}/retry`));
    expect([status, resend]).toMatchObject([
      202,
      { status: 'pending', attempts: 0, eventId: first.eventId, lastAttempt: null },
    ]);
    expect(resend.id).not.toBe(first.id);
    const statesOfBoth = async () =>
      (await listDeliveries()).data.map((each) => [each.id, each.status, each.attempts]);
    await eventually('the attempt to fail', async () => (await statesOfBoth())[0]?.[2] === 1);
    receiver.reaction = () => 204;
    const retried = await ada.post<Delivery>(deliveriesPath(`/${resend.id}/retry`));
    expect([retried.status, retried.body]).toMatchObject([
      202,
      { id: resend.id, attempts: 1, lastAttempt: { statusCode: 500 } },
    ]);
    await eventually(
      'the notification to arrive',
      async () => (await statesOfBoth())[0]?.[1] === 'delivered',
    );
    expect(await statesOfBoth()).toEqual([
      [resend.id, 'delivered', 2],
      [first.id, 'delivered', 1],
    ]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([first.eventId, first.eventId, first.eventId]);
    const replay = { since: '2026-01-01T00:00:00Z', dryRun: true };
    expect((await ada.post(`/api/webhooks/${endpoint.id}/replays`, replay)).body).toEqual({
      count: 1,
    });
  });

  it('of a delivered delivery ignores the order of events', async () => {
    await ada.put(`/api/webhooks/${endpoint.id}`, { ordered: true });
    const template = await createTemplate();
    const { id } = await waitForOnlyDelivery('delivered', 1);
    receiver.reaction = () => 500;
    expect((await ada.post(deliveriesPath(`/${id}/retry`))).status).toBe(202);
    await eventually('the attempt to fail', () => receiver.received.length === 2);
    receiver.reaction = () => 204;
    await ada.put(`/api/templates/${template}`, { name: 'Changed' });
    await eventually('the next notification', async () => {
      return (await listDeliveries('?status=delivered')).data.length === 2;
    });
  });

  it('is refused if it cannot be sent', async () => {
    await createTemplate();
    const { id } = await waitForOnlyDelivery('delivered', 1);
    expect((await ada.post(deliveriesPath(`/${endpoint.id}/retry`))).status).toBe(404);
    await ada.post(`/api/webhooks/${endpoint.id}/disable`);
    expect((await ada.post(deliveriesPath(`/${id}/retry`))).status).toBe(409);
  });
});

describe('the cancellation', () => {
  it('of one delivery, or of all pending ones, is final', async () => {
    receiver.reaction = () => 500;
    await createTemplate();
    const { id } = await waitForOnlyDelivery('pending', 1);
    expect((await ada.post(deliveriesPath(`/${id}/cancel`))).status).toBe(204);
    await waitForOnlyDelivery('cancelled', 1);
    const secondCancel = await ada.post<{ message: string }>(deliveriesPath(`/${id}/cancel`));
    expect([secondCancel.status, secondCancel.body.message]).toEqual([
      409,
      'The delivery has already finished: its status is cancelled.',
    ]);
    await Promise.all([createTemplate(), createTemplate(), createTemplate()]);
    await eventually('the attempts to fail', async () => {
      const { data } = await listDeliveries('?status=pending');
      return data.length === 3 && data.every(({ attempts }) => attempts === 1);
    });
    expect((await ada.post(deliveriesPath('/cancel'))).body).toEqual({ cancelled: 3 });
    expect((await listDeliveries('?status=cancelled')).data).toHaveLength(4);
  });
});
