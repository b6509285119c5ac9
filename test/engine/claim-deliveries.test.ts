import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Claims } from '#webhooks';
import {
  CLAIMED,
  deliveries,
  expectClaim,
  LEASE,
  QUEUED_JOB_TIMEOUT,
  UNCLAIMED,
  type ClaimCase,
} from './support/claim-case.js';
import { PreparedDatabase } from './support/prepared-database.js';

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

describe('window and slots', () => {
  it.each<ClaimCase>([
    {
      title: 'an endpoint that was never tried gets one attempt',
      deliveries: deliveries(3),
      claimed: ['d1'],
      after: {
        traffic: { in_flight: 1, claimed_until: LEASE, queued: false, wake_at: LEASE },
        deliveries: { d1: CLAIMED, d2: UNCLAIMED, d3: UNCLAIMED },
      },
    },
    {
      title: 'a partly full window admits as many attempts as it has free places',
      traffic: { window_size: 4, in_flight: 2, claimed_until: 10 },
      deliveries: deliveries(3),
      claimed: ['d1', 'd2'],
      after: {
        traffic: { in_flight: 4, claimed_until: LEASE, wake_at: LEASE },
        deliveries: { d3: UNCLAIMED },
      },
    },
    {
      title: 'a full window admits no attempt, and the endpoint wakes when the last lease expires',
      traffic: { window_size: 2, in_flight: 2, claimed_until: 10, queued: true },
      deliveries: deliveries(1),
      claimed: [],
      after: {
        traffic: { in_flight: 2, claimed_until: 10, queued: false, wake_at: 10 },
        deliveries: { d1: UNCLAIMED },
      },
    },
    {
      title: 'a window that was halved below the attempts in flight admits no attempt',
      traffic: { window_size: 1, in_flight: 5, claimed_until: 10 },
      deliveries: deliveries(1),
      claimed: [],
      after: { traffic: { in_flight: 5 }, deliveries: { d1: UNCLAIMED } },
    },
    {
      title: 'the endpoint is not queued again if the window is full when the slots are used up',
      traffic: { window_size: 2 },
      deliveries: deliveries(3),
      limit: 2,
      claimed: ['d1', 'd2'],
      after: { traffic: { in_flight: 2, queued: false, wake_at: LEASE } },
    },
    {
      title: 'the endpoint is queued again if the worker has fewer slots than the window',
      traffic: { window_size: 10, wake_at: 1 },
      deliveries: deliveries(3),
      limit: 2,
      claimed: ['d1', 'd2'],
      hasMore: true,
      after: { traffic: { in_flight: 2, queued: true, wake_at: QUEUED_JOB_TIMEOUT } },
    },
    {
      title: 'the endpoint is not queued again if the slots suffice for all due deliveries',
      traffic: { window_size: 10, queued: true },
      deliveries: deliveries(3),
      limit: 3,
      claimed: ['d1', 'd2', 'd3'],
      after: { traffic: { in_flight: 3, queued: false } },
    },
  ])('$title', (row) => expectClaim(database, row));
});

describe('due times', () => {
  it.each<ClaimCase>([
    {
      title: 'an endpoint without deliveries sleeps',
      traffic: { queued: true, wake_at: 1 },
      claimed: [],
      after: { traffic: { in_flight: 0, claimed_until: -Infinity, queued: false, wake_at: null } },
    },
    {
      title: 'a delivery of the future is not claimed, and wakes the endpoint',
      deliveries: { soon: { due_at: 0.001 }, later: { due_at: 30 } },
      claimed: [],
      after: { traffic: { wake_at: 0.001 }, deliveries: { soon: UNCLAIMED } },
    },
    {
      title: 'a delivery that is due at this moment is claimed',
      deliveries: { now: { due_at: 0 } },
      claimed: ['now'],
      after: { deliveries: { now: CLAIMED } },
    },
    {
      title: 'the delivery that was due first is claimed first, whatever the age of its event',
      deliveries: { old: { due_at: -1 }, new: { due_at: -5 } },
      claimed: ['new'],
      after: { deliveries: { old: UNCLAIMED } },
    },
    {
      title: 'the endpoint wakes for the next retry if no lease expires earlier',
      deliveries: { now: {}, retry: { due_at: LEASE - 1 } },
      claimed: ['now'],
      after: { traffic: { claimed_until: LEASE, wake_at: LEASE - 1 } },
    },
    {
      title: 'the endpoint wakes when the lease expires if no retry is due earlier',
      deliveries: { now: {}, retry: { due_at: LEASE + 1 } },
      claimed: ['now'],
      after: { traffic: { claimed_until: LEASE, wake_at: LEASE } },
    },
  ])('$title', (row) => expectClaim(database, row));
});

describe('leases', () => {
  const expired = { claims: 3, claimed_until: -1 };
  it.each<ClaimCase>([
    {
      title: 'a live lease keeps its delivery from other workers',
      traffic: { window_size: 5, in_flight: 1, claimed_until: 5 },
      deliveries: { live: { claims: 1, claimed_until: 0.001 }, free: {} },
      claimed: ['free'],
      after: {
        traffic: { in_flight: 2 },
        deliveries: { live: { claims: 1, claimed_until: 0.001 }, free: CLAIMED },
      },
    },
    {
      title: 'a delivery whose lease has expired is claimed again, with the next fencing number',
      traffic: { in_flight: 1, claimed_until: -1 },
      deliveries: { lost: { claims: 3, claimed_until: -1, attempts: 2 } },
      claimed: ['lost'],
      after: {
        traffic: { in_flight: 1, claimed_until: LEASE },
        deliveries: { lost: { claims: 4, claimed_until: LEASE, attempts: 2 } },
      },
    },
    {
      title: 'a lease expires at its last moment',
      traffic: { in_flight: 1, claimed_until: 0 },
      deliveries: { lost: { claims: 1, claimed_until: 0 } },
      claimed: ['lost'],
      after: { traffic: { in_flight: 1 }, deliveries: { lost: { claims: 2 } } },
    },
    {
      title: 'a delivery whose lease expires beside live ones is not counted twice',
      traffic: { window_size: 3, in_flight: 2, claimed_until: 10 },
      deliveries: { lost: expired, live: { claims: 1, claimed_until: 10 } },
      claimed: ['lost'],
      after: {
        traffic: { in_flight: 2, claimed_until: LEASE },
        deliveries: { lost: { claims: 4, claimed_until: LEASE } },
      },
    },
    {
      title: 'the window is free once all leases have expired, whatever the traffic counts',
      traffic: { window_size: 3, in_flight: 3, claimed_until: -1 },
      deliveries: deliveries(2),
      claimed: ['d1', 'd2'],
      after: { traffic: { in_flight: 2 } },
    },
    {
      title: 'expired leases that the worker has no slot for are cleared, and no longer counted',
      traffic: { window_size: 5, in_flight: 5, claimed_until: -1 },
      deliveries: deliveries(5, expired),
      limit: 2,
      claimed: ['d1', 'd2'],
      hasMore: true,
      after: {
        traffic: { in_flight: 2, claimed_until: LEASE },
        deliveries: {
          d2: { claims: 4, claimed_until: LEASE },
          d3: { claims: 3, claimed_until: null },
          d5: { claims: 3, claimed_until: null },
        },
      },
    },
    {
      title: 'an expired lease beside live ones is not cleared, because it is still counted',
      traffic: { window_size: 4, in_flight: 3, claimed_until: 10 },
      deliveries: deliveries(2, expired),
      limit: 1,
      claimed: ['d1'],
      after: { traffic: { in_flight: 3 }, deliveries: { d2: expired } },
    },
  ])('$title', (row) => expectClaim(database, row));
});

describe('circuit breaker and status', () => {
  it.each<ClaimCase>([
    {
      title: 'an open breaker admits no attempt, and the endpoint wakes when it closes',
      traffic: { window_size: 9, opened: 1, open_until: 5, queued: true },
      deliveries: deliveries(2),
      claimed: [],
      after: {
        traffic: { in_flight: 0, queued: false, wake_at: 5, opened: 1, open_until: 5 },
        deliveries: { d1: UNCLAIMED },
      },
    },
    {
      title: 'an open breaker delays the look after attempts that are still in flight',
      traffic: { in_flight: 2, claimed_until: 3, opened: 1, open_until: 5 },
      deliveries: deliveries(1),
      claimed: [],
      after: { traffic: { in_flight: 2, claimed_until: 3, wake_at: 5 } },
    },
    {
      title: 'a breaker whose pause ends at this moment is half-open and admits one attempt',
      traffic: { opened: 1, open_until: 0, failures: 5 },
      deliveries: deliveries(3),
      claimed: ['d1'],
      after: { traffic: { in_flight: 1, opened: 1, open_until: 0, failures: 5 } },
    },
    {
      title: 'a half-open breaker admits no second attempt beside the first',
      traffic: { opened: 1, open_until: -1, failures: 5, in_flight: 1, claimed_until: 9 },
      deliveries: deliveries(3),
      claimed: [],
      after: { traffic: { in_flight: 1, wake_at: 9 } },
    },
    {
      title: 'an endpoint with the status failing gets attempts',
      endpoint: { status: 'failing' },
      deliveries: deliveries(1),
      claimed: ['d1'],
      after: { deliveries: { d1: CLAIMED } },
    },
    {
      title: 'a disabled endpoint gets no attempt and sleeps',
      endpoint: { status: 'disabled' },
      traffic: { window_size: 9, queued: true, wake_at: 1, in_flight: 1, claimed_until: 9 },
      deliveries: deliveries(2),
      claimed: [],
      after: {
        endpoint: { status: 'disabled' },
        traffic: { queued: false, wake_at: null, in_flight: 1, claimed_until: 9 },
        deliveries: { d1: UNCLAIMED, d2: UNCLAIMED },
      },
    },
    {
      title: 'an endpoint of a deleted workspace gets the attempts that are left',
      endpoint: { workspace_deleted_at: -60 },
      deliveries: deliveries(1),
      claimed: ['d1'],
      after: { deliveries: { d1: CLAIMED } },
    },
  ])('$title', (row) => expectClaim(database, row));
});

it('a claim of a deleted endpoint returns nothing', async () => {
  const endpoint = await database.prepare({ deliveries: deliveries(1) });
  await database.query('DELETE FROM webhook_endpoints WHERE id = $1', [endpoint.id]);
  expect(await database.get(Claims).claim(endpoint.id, 1)).toEqual({
    deliveries: [],
    hasMore: false,
    pausedForMs: null,
  });
});

it('claims that share a statement keep to the limit and window of their own endpoint', async () => {
  const wide = await database.prepare({
    traffic: { window_size: 9 },
    deliveries: deliveries(4),
  });
  const narrow = await database.prepare({ deliveries: deliveries(4) });
  const results = await Promise.all([
    database.get(Claims).claim(wide.id, 3),
    database.get(Claims).claim(narrow.id, 9),
  ]);
  expect(results.map(({ deliveries }) => deliveries.map(({ endpointId }) => endpointId))).toEqual([
    [wide.id, wide.id, wide.id],
    [narrow.id],
  ]);
  expect(results.map(({ hasMore }) => hasMore)).toEqual([true, false]);
  expect(await wide.read()).toMatchObject({ traffic: { in_flight: 3, queued: true } });
  expect(await narrow.read()).toMatchObject({ traffic: { in_flight: 1, queued: false } });
});

it('a claimed delivery has what is needed to send it', async () => {
  const endpoint = await database.prepare({
    endpoint: { workspace_deleted_at: -60 },
    deliveries: { second: { event_position: 2, event_relayed_at: 0, claims: 4, attempts: 3 } },
  });
  const event = {
    workspace_id: endpoint.workspaceId,
    kind: 'template.updated',
    resource_id: endpoint.id,
    sequence: 1,
    occurred_at: -1,
    relayed_at: 0,
  };
  for (const position of [1, 2, 3]) {
    const data = JSON.stringify({ position });
    await database.insert('events', { ...event, id: endpoint.idOf('second'), position, data });
  }
  const { deliveries: claimed } = await database.get(Claims).claim(endpoint.id, 1);
  expect(claimed).toMatchObject([
    {
      id: endpoint.idOf('second'),
      claimNumber: 5,
      attempts: 3,
      workspaceId: endpoint.workspaceId,
      url: 'https://receiver.example/',
      encryptedSecret: 'encrypted secret',
      previousSecrets: [],
      encryptedHeaders: null,
      isWorkspaceDeleted: true,
      kind: 'template.updated',
      data: '{"position":2}',
    },
  ]);
});
