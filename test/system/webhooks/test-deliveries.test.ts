import { describe, expect, it } from '@jest/globals';
import type { Delivery, DeliveryDetails, DeliveryPage } from '#client';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe, verify } from '../../support/webhooks/subscriptions.js';
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

describe('a test', () => {
  it('is sent only to the endpoint that is tested', async () => {
    const otherReceiver = await Receiver.start();
    await subscribe(ada, workspace.id, otherReceiver);
    const response = await ada.post(`/api/webhooks/${endpoint.id}/test`);
    expect([response.status, response.body]).toMatchObject([
      202,
      { event: 'webhook.test', resourceId: endpoint.id, sequence: 1, status: 'pending' },
    ]);
    const [test] = await eventually('it', () => receiver.received.length > 0 && receiver.received);
    if (test === undefined) throw new Error('unreachable');
    expect(verify(endpoint.secret, test)).toMatchObject({
      event: 'webhook.test',
      data: { id: endpoint.id, workspaceId: workspace.id },
    });
    await createTemplate();
    await eventually('the next event', () => otherReceiver.received.length > 0);
    expect(otherReceiver.received[0]?.body).toContain('template.created');
    await otherReceiver.stop();
  });
});

describe('the delivery of a test', () => {
  it('can be read from the request on, until the delivery is finished', async () => {
    const testDeliveries = Array.from({ length: 20 }, async () => {
      const { body: test } = await ada.post<Delivery>(`/api/webhooks/${endpoint.id}/test`);
      const readDelivery = () =>
        ada.get<DeliveryDetails & { lastAttempt: object | null }>(deliveriesPath(`/${test.id}`));
      expect((await readDelivery()).status).toBe(200);
      return eventually('the test to be delivered', async () => {
        const { status, body } = await readDelivery();
        expect([status, body.id, body.eventId]).toEqual([200, test.id, test.eventId]);
        return body.status === 'delivered' && body;
      });
    });
    for (const { requestBody, eventId, lastAttempt } of await Promise.all(testDeliveries)) {
      const received = receiver.received.find(({ headers }) => headers['webhook-id'] === eventId);
      expect(received?.body).toBe(requestBody);
      expect(lastAttempt).toMatchObject({ statusCode: 204, error: null });
    }
    expect((await listDeliveries()).data).toHaveLength(20);
  });

  it('can be read before it is relayed, only at its endpoint', async () => {
    const otherEndpoint = await subscribe(ada, workspace.id, receiver);
    // The relay skips a feed that another transaction has locked.
    const releaseLock = await galley.database.holdLock(
      'SELECT FROM workspace_feeds WHERE workspace_id = $1 FOR UPDATE',
      [workspace.id],
    );
    const { body: test } = await ada.post<Delivery>(`/api/webhooks/${endpoint.id}/test`);
    const readDelivery = (id: string) =>
      ada.get<DeliveryDetails>(`/api/webhooks/${id}/deliveries/${test.id}`);
    const { status, body } = await readDelivery(endpoint.id);
    expect([status, body]).toMatchObject([
      200,
      { id: test.id, eventId: test.id, status: 'pending', attempts: 0, url: receiver.url },
    ]);
    expect((await readDelivery(otherEndpoint.id)).status).toBe(404);
    await releaseLock();
    await eventually('the test to be delivered', async () => {
      return (await readDelivery(endpoint.id)).body.status === 'delivered';
    });
    expect(receiver.received.map((each) => each.body)).toEqual([body.requestBody]);
  });
});
