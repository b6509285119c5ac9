import { beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { type Notification } from '../../support/webhooks/receiver.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';

useSubscribedWorkspace();

beforeEach(async () => {
  await ada.put(`/api/webhooks/${endpoint.id}`, { ordered: true });
});

const resourceOf = ({ body }: Notification) =>
  (JSON.parse(body) as { data: { id: string } }).data.id;
const sequenceOf = ({ headers }: Notification) => Number(headers['x-service-sequence']);

/** Creates templates with this many changes each; the changes alternate between the templates. */
async function createTemplatesWithUpdates(templates: number, changes: number): Promise<string[]> {
  const ids: string[] = [];
  for (let created = 0; created < templates; created++) {
    const { body } = await ada.post<{ id: string }>('/api/templates', {
      name: 'First',
      workspaceId: workspace.id,
    });
    ids.push(body.id);
  }
  for (let change = 2; change <= changes; change++) {
    await Promise.all(ids.map((id) => ada.put(`/api/templates/${id}`, { name: `Name ${change}` })));
  }
  return ids;
}

const countDelivered = async () => {
  const deliveredLog = `webhook_delivery_log WHERE endpoint_id = '${endpoint.id}' AND status = 'delivered'`;
  return galley.database.count(deliveredLog);
};

it('the events of a resource are sent in order, one at a time', async () => {
  const inFlight = new Map<string, number>();
  let maxResourcesInFlight = 0;
  let maxPerResource = 0;
  receiver.reaction = async (notification) => {
    const id = resourceOf(notification);
    const count = (inFlight.get(id) ?? 0) + 1;
    inFlight.set(id, count);
    maxPerResource = Math.max(maxPerResource, count);
    maxResourcesInFlight = Math.max(
      maxResourcesInFlight,
      [...inFlight.values()].filter((each) => each > 0).length,
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    inFlight.set(id, count - 1);
    return 204;
  };
  const [templates, changes] = [5, 12];
  const ids = await createTemplatesWithUpdates(templates, changes);
  await eventually(
    'all to be delivered',
    async () => (await countDelivered()) === templates * changes,
  );
  for (const id of ids) {
    const sequences = receiver.received.filter((each) => resourceOf(each) === id).map(sequenceOf);
    expect(sequences).toEqual(Array.from({ length: changes }, (_, index) => index + 1));
  }
  expect(maxPerResource).toBe(1);
  // Resources do not wait for each other.
  expect(maxResourcesInFlight).toBeGreaterThan(1);
});

it('later events wait for the retry of an earlier one, and continue when it has failed for good', async () => {
  let failingId = '';
  receiver.reaction = (notification) => (resourceOf(notification) === failingId ? 500 : 204);
  const { body } = await ada.post<{ id: string }>('/api/templates', {
    name: 'Broken',
    workspaceId: workspace.id,
  });
  failingId = body.id;
  await ada.put(`/api/templates/${failingId}`, { name: 'Second' });
  const others = await createTemplatesWithUpdates(2, 3);
  await eventually(
    'the other resources',
    async () => (await countDelivered()) >= others.length * 3,
  );
  const receivedOfFailing = () =>
    receiver.received.filter((each) => resourceOf(each) === failingId);
  const receivedSequences = new Set(receivedOfFailing().map(sequenceOf));
  if (receivedSequences.has(2)) throw new Error('The second did not wait for the first.');

  const path = `/api/webhooks/${endpoint.id}/deliveries`;
  const { data } = (
    await ada.get<{ data: { id: string; resourceId: string; sequence: number }[] }>(
      `${path}?status=pending`,
    )
  ).body;
  // The events may have been relayed in the same millisecond, so the order in the list may be either.
  const [first, second] = data.toSorted((a, b) => a.sequence - b.sequence);
  expect([first?.sequence, second?.sequence]).toEqual([1, 2]);
  // The message says why a waiting delivery cannot be retried.
  const refused = await ada.post<{ message: string }>(`${path}/${second?.id}/retry`);
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('earlier')]);
  await galley.database.query(
    `WITH flow AS (
       UPDATE webhook_traffic SET wake_at = now(), open_until = '-infinity' WHERE endpoint_id = $1
     )
     UPDATE webhook_deliveries SET attempts = 9, due_at = now() WHERE id = $2`,
    [endpoint.id, first?.id],
  );
  await eventually('the second to be tried', () =>
    receivedOfFailing().some((each) => sequenceOf(each) === 2),
  );
});

it('an endpoint that is no longer ordered gets waiting deliveries at once', async () => {
  receiver.reaction = (notification) => (sequenceOf(notification) === 1 ? 500 : 204);
  const { body } = await ada.post<{ id: string }>('/api/templates', {
    name: 'First',
    workspaceId: workspace.id,
  });
  await eventually('the first to fail', () => receiver.received.length > 0);
  await ada.put(`/api/templates/${body.id}`, { name: 'Second' });
  await eventually('the second to be set aside', async () => {
    const waitingDeliveries = `webhook_deliveries WHERE endpoint_id = '${endpoint.id}' AND due_at = 'infinity'`;
    return (await galley.database.count(waitingDeliveries)) === 1;
  });
  await ada.put(`/api/webhooks/${endpoint.id}`, { ordered: false });
  await eventually('the second', () => receiver.received.some((each) => sequenceOf(each) === 2));
});
