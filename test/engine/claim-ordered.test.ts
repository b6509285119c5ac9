import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Claims } from '#webhooks';
import { CLAIMED, expectClaim, QUEUED_JOB_TIMEOUT, type ClaimCase } from './support/claim-case.js';
import { PreparedDatabase } from './support/prepared-database.js';
import { RESOURCE_A, RESOURCE_B } from './support/state.js';

const inOrder = (resource_id: string, columns = {}) => ({
  resource_id,
  is_ordered: true,
  ...columns,
});
const BLOCKED = { due_at: Infinity, claims: 0, claimed_until: null };
const ordered = { ordered: true };
const wide = { window_size: 9 };

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

it.each<ClaimCase>([
  {
    title: 'the first delivery of each resource is claimed, and blocks the later ones',
    endpoint: ordered,
    traffic: wide,
    deliveries: {
      a1: inOrder(RESOURCE_A),
      a2: inOrder(RESOURCE_A),
      a3: inOrder(RESOURCE_A),
      b1: inOrder(RESOURCE_B),
    },
    claimed: ['a1', 'b1'],
    after: {
      traffic: { in_flight: 2, queued: false },
      deliveries: { a1: CLAIMED, a2: BLOCKED, a3: BLOCKED, b1: CLAIMED },
    },
  },
  {
    title: 'a delivery waits while an earlier one of its resource waits for a retry',
    endpoint: ordered,
    traffic: wide,
    deliveries: { a1: inOrder(RESOURCE_A, { due_at: 300, attempts: 1 }), a2: inOrder(RESOURCE_A) },
    claimed: [],
    after: { traffic: { in_flight: 0, wake_at: 300 }, deliveries: { a2: BLOCKED } },
  },
  {
    title: 'a delivery waits while an earlier one of its resource is in flight',
    endpoint: ordered,
    traffic: { window_size: 9, in_flight: 1, claimed_until: 9 },
    deliveries: {
      a1: inOrder(RESOURCE_A, { claims: 1, claimed_until: 9 }),
      a2: inOrder(RESOURCE_A),
    },
    claimed: [],
    after: { traffic: { in_flight: 1, wake_at: 9 }, deliveries: { a2: BLOCKED } },
  },
  {
    title: 'the order is the order of the events, whichever delivery is due first',
    endpoint: ordered,
    traffic: wide,
    deliveries: { a1: inOrder(RESOURCE_A), a2: inOrder(RESOURCE_A, { due_at: -3_600 }) },
    claimed: ['a1'],
    after: { deliveries: { a1: CLAIMED, a2: BLOCKED } },
  },
  {
    title: 'the endpoint is queued again if all that one statement reads is blocked',
    endpoint: ordered,
    traffic: { window_size: 2 },
    deliveries: {
      a1: inOrder(RESOURCE_A, { due_at: 300 }),
      a2: inOrder(RESOURCE_A),
      a3: inOrder(RESOURCE_A),
      a4: inOrder(RESOURCE_A),
      b1: inOrder(RESOURCE_B),
    },
    claimed: [],
    hasMore: true,
    after: {
      traffic: { in_flight: 0, queued: true, wake_at: QUEUED_JOB_TIMEOUT },
      deliveries: { a4: BLOCKED, b1: { due_at: -56 } },
    },
  },
  {
    title: 'blocked deliveries do not count for the rate',
    endpoint: { ordered: true, rate_limit: 10 },
    traffic: wide,
    deliveries: {
      a1: inOrder(RESOURCE_A),
      a2: inOrder(RESOURCE_A),
    },
    claimed: ['a1'],
    after: { traffic: { paced_until: 0.1 }, deliveries: { a2: BLOCKED } },
  },
  {
    title: 'a blocked delivery does not wake the endpoint',
    endpoint: ordered,
    deliveries: { a2: inOrder(RESOURCE_A, { due_at: Infinity }) },
    claimed: [],
    after: { traffic: { wake_at: null }, deliveries: { a2: BLOCKED } },
  },
  {
    title: 'two deliveries of one event do not wait for each other',
    endpoint: ordered,
    traffic: wide,
    deliveries: {
      first: inOrder(RESOURCE_A, { event_position: 1 }),
      repeated: inOrder(RESOURCE_A, { event_position: 1 }),
    },
    claimed: ['first', 'repeated'],
    after: { traffic: { in_flight: 2 } },
  },
  {
    title: 'a delivery from before the endpoint was ordered neither waits nor blocks',
    endpoint: ordered,
    traffic: wide,
    deliveries: {
      a1: inOrder(RESOURCE_A, { is_ordered: false }),
      a2: inOrder(RESOURCE_A),
      a3: inOrder(RESOURCE_A, { is_ordered: false }),
    },
    claimed: ['a1', 'a2', 'a3'],
    after: { traffic: { in_flight: 3 } },
  },
  {
    title: 'no delivery waits once the endpoint is no longer ordered',
    traffic: wide,
    deliveries: { a1: inOrder(RESOURCE_A), a2: inOrder(RESOURCE_A) },
    claimed: ['a1', 'a2'],
    after: { traffic: { in_flight: 2 }, deliveries: { a1: CLAIMED, a2: CLAIMED } },
  },
])('$title', (row) => expectClaim(database, row));

it('a delivery does not wait for one of its resource to another endpoint', async () => {
  const deliveries = { a1: inOrder(RESOURCE_A), a2: inOrder(RESOURCE_A, { event_position: 2 }) };
  await database.prepare({ endpoint: ordered, deliveries });
  const endpoint = await database.prepare({
    endpoint: ordered,
    deliveries: { a2: inOrder(RESOURCE_A, { event_position: 2 }) },
  });
  const { deliveries: claimed } = await database.get(Claims).claim(endpoint.id, 1);
  expect(claimed).toMatchObject([{ id: endpoint.idOf('a2') }]);
});
