import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Relay, type EndpointHealth } from '#webhooks';
import { PreparedDatabase } from './support/prepared-database.js';
import { RESOURCE_A, RESOURCE_B, type State } from './support/state.js';

interface RelayCase extends State {
  title: string;
  /** The health with which the endpoint is queued. Left out: the endpoint is not queued. */
  queuedAs?: EndpointHealth;
  /** Columns of the new delivery. Left out: there is no delivery. */
  delivery?: object;
  after?: State;
}

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

async function relay(workspaceId: string, event = {}): Promise<object[]> {
  await database.insert('workspace_feeds', { workspace_id: workspaceId, position: 41 });
  await database.insert('outbox', {
    workspace_id: workspaceId,
    id: randomUUID(),
    kind: 'template.created',
    resource_id: RESOURCE_A,
    sequence: 3,
    data: {},
    ...event,
  });
  return (await database.get(Relay).startWalk().relayChunk()).dueEndpoints;
}

const NEW = { due_at: 0, attempts: 0, claims: 0, event_position: '42', sequence: 3 };

it.each<RelayCase>([
  {
    title: 'an endpoint that was never tried is queued as unproven',
    queuedAs: 'unproven',
    delivery: { ...NEW, is_ordered: false, kind: 'template.created', resource_id: RESOURCE_A },
    after: { traffic: { queued: true, wake_at: 60 } },
  },
  {
    title: 'an endpoint that responds is queued as healthy',
    traffic: { window_size: 8, in_flight: 7, claimed_until: 9 },
    queuedAs: 'healthy',
    delivery: NEW,
    after: { traffic: { queued: true, wake_at: 20 } },
  },
  {
    title: 'an endpoint that is queued already is not queued again',
    traffic: { queued: true, wake_at: 7 },
    delivery: NEW,
    after: { traffic: { wake_at: 7 } },
  },
  {
    title: 'an endpoint whose window is full is not queued',
    traffic: { window_size: 8, in_flight: 8, claimed_until: 9, wake_at: 9 },
    delivery: NEW,
    after: { traffic: { queued: false, wake_at: 9 } },
  },
  {
    title: 'an endpoint whose breaker is open is not queued',
    traffic: { failures: 5, opened: 1, open_until: 0.001, wake_at: 0.001 },
    delivery: NEW,
    after: { traffic: { queued: false, wake_at: 0.001 } },
  },
  {
    title: 'an endpoint whose breaker is half-open is queued as failing',
    traffic: { failures: 5, opened: 1, open_until: 0 },
    queuedAs: 'failing',
    delivery: NEW,
  },
  {
    title: 'deliveries of an ordered endpoint are ordered',
    endpoint: { ordered: true },
    queuedAs: 'unproven',
    delivery: { ...NEW, is_ordered: true },
  },
  {
    title: 'an endpoint gets the events of its kinds',
    endpoint: { events: ['module.deleted', 'template.created'] },
    queuedAs: 'unproven',
    delivery: NEW,
  },
  {
    title: 'an endpoint gets the events of its groups of kinds',
    endpoint: { events: ['template.*'] },
    queuedAs: 'unproven',
    delivery: NEW,
  },
  {
    title: 'an endpoint gets no event of another kind',
    endpoint: { events: ['template.updated', 'module.*'] },
  },
  {
    title: 'an endpoint gets the events of its resources',
    endpoint: { resource_ids: [RESOURCE_B, RESOURCE_A] },
    queuedAs: 'unproven',
    delivery: NEW,
  },
  {
    title: 'an endpoint gets no event of another resource',
    endpoint: { resource_ids: [RESOURCE_B] },
  },
])('$title', async ({ queuedAs, delivery, after = {}, ...before }) => {
  const endpoint = await database.prepare(before);
  const { id: endpointId, workspaceId } = endpoint;
  const dueEndpoints = await relay(workspaceId);
  expect(dueEndpoints).toEqual(
    queuedAs === undefined ? [] : [{ endpointId, workspaceId, health: queuedAs }],
  );
  const actual = await endpoint.read();
  expect(Object.values(actual.deliveries)).toMatchObject(delivery === undefined ? [] : [delivery]);
  expect(actual).toMatchObject(after);
});

it('a test goes to its endpoint alone, whatever it subscribes to, with the id of its event', async () => {
  const endpoint = await database.prepare({ endpoint: { events: ['module.*'] } });
  const id = randomUUID();
  await relay(endpoint.workspaceId, { id, kind: 'webhook.test', endpoint_id: endpoint.id });
  expect(Object.keys((await endpoint.read()).deliveries)).toEqual([id]);

  const other = await database.prepare({});
  await relay(other.workspaceId, { kind: 'webhook.test', endpoint_id: endpoint.id });
  expect((await other.read()).deliveries).toEqual({});
});

it('an event for more endpoints than a statement serves reaches each of them once', async () => {
  const { workspaceId } = await database.prepare({});
  await database.query(
    `WITH endpoint AS (
       INSERT INTO webhook_endpoints (id, workspace_id, url, events, description, encrypted_secret)
       SELECT gen_random_uuid(), $1, 'https://receiver.example/', '{*}', '', ''
       FROM generate_series(1, 29) RETURNING id
     )
     INSERT INTO webhook_traffic (endpoint_id) SELECT id FROM endpoint`,
    [workspaceId],
  );
  const countDeliveries = async () => {
    const [row] = await database.query(
      `SELECT count(*)::integer AS deliveries, count(DISTINCT endpoint_id)::integer AS endpoints
       FROM webhook_deliveries WHERE workspace_id = $1`,
      [workspaceId],
    );
    return row;
  };
  await relay(workspaceId);
  expect(await countDeliveries()).toEqual({ deliveries: 25, endpoints: 25 });
  const unfinished = database.get(Relay).startUnfinishedWalk();
  expect(await unfinished.relayChunk()).toMatchObject({ hasFinished: true });
  expect(await countDeliveries()).toEqual({ deliveries: 30, endpoints: 30 });
  expect(await unfinished.relayChunk()).toMatchObject({ hasUnfinished: false });
  expect(await countDeliveries()).toEqual({ deliveries: 30, endpoints: 30 });
});
