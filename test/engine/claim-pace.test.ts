import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { deliveries, expectClaim, LEASE, type ClaimCase } from './support/claim-case.js';
import { PreparedDatabase } from './support/prepared-database.js';

// Seconds by which an attempt may be ahead of its time, so that a few attempts begin together.
const TOLERANCE = 0.1;

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

describe('rate limit', () => {
  it.each<ClaimCase>([
    {
      title: 'a claim moves the pace on by the time of each attempt',
      endpoint: { rate_limit: 10 },
      traffic: { window_size: 9, queued: true },
      deliveries: deliveries(5),
      claimed: ['d1', 'd2'],
      pausedForMs: 100,
      after: {
        traffic: { in_flight: 2, paced_until: 0.2, wake_at: 0.1, queued: false },
      },
    },
    {
      title: 'an attempt whose time is further ahead than the tolerance waits',
      endpoint: { rate_limit: 1 },
      traffic: { window_size: 9, paced_until: 0.5 },
      deliveries: deliveries(2),
      claimed: [],
      pausedForMs: 400,
      after: { traffic: { in_flight: 0, paced_until: 0.5, wake_at: 0.4 } },
    },
    {
      title: 'an attempt whose time is ahead by the tolerance goes',
      endpoint: { rate_limit: 1 },
      traffic: { window_size: 9, paced_until: TOLERANCE },
      deliveries: deliveries(2),
      claimed: ['d1'],
      pausedForMs: 1_000,
      after: { traffic: { paced_until: 1.1, wake_at: 1 } },
    },
    {
      title: 'an endpoint that was idle for long saves up no attempts',
      endpoint: { rate_limit: 1 },
      traffic: { window_size: 9, paced_until: -60 },
      deliveries: deliveries(3),
      claimed: ['d1'],
      pausedForMs: 900,
      after: { traffic: { paced_until: 1 } },
    },
    {
      title: 'the endpoint does not wake more often than every 10 ms',
      endpoint: { rate_limit: 1_000 },
      traffic: { window_size: 9, paced_until: TOLERANCE },
      deliveries: deliveries(2),
      claimed: ['d1'],
      pausedForMs: 1,
      after: { traffic: { paced_until: 0.101, wake_at: 0.01 } },
    },
    {
      title: 'a full window is not a matter of the rate',
      endpoint: { rate_limit: 1_000 },
      traffic: { window_size: 2 },
      deliveries: deliveries(3),
      claimed: ['d1', 'd2'],
      after: { traffic: { in_flight: 2, paced_until: 0.002, wake_at: LEASE } },
    },
    {
      title: 'used up slots are not a matter of the rate',
      endpoint: { rate_limit: 1_000 },
      traffic: { window_size: 9 },
      deliveries: deliveries(3),
      limit: 1,
      claimed: ['d1'],
      hasMore: true,
      after: { traffic: { paced_until: 0.001, queued: true } },
    },
    {
      title: 'an open breaker is not a matter of the rate',
      endpoint: { rate_limit: 1 },
      traffic: { window_size: 9, opened: 1, open_until: 5, paced_until: 2 },
      deliveries: deliveries(2),
      claimed: [],
      after: { traffic: { paced_until: 2, wake_at: 5 } },
    },
    {
      title: 'an endpoint without a limit gets no pause',
      traffic: { window_size: 9, paced_until: 60 },
      deliveries: deliveries(3),
      claimed: ['d1', 'd2', 'd3'],
      after: { traffic: { in_flight: 3, wake_at: LEASE } },
    },
  ])('$title', (row) => expectClaim(database, row));
});

describe('draining', () => {
  const held = { due_at: -3_600 };
  const enabledAMinuteAgo = { status_since: -60 };
  const draining = { window_size: 100, is_draining: true };
  it.each<ClaimCase>([
    {
      title: 'held deliveries go out at 50 in a second',
      endpoint: enabledAMinuteAgo,
      traffic: draining,
      deliveries: deliveries(8, held),
      claimed: ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'],
      pausedForMs: 20,
      after: {
        traffic: { is_draining: true, paced_until: 0.12, wake_at: 0.02 },
      },
    },
    {
      title: 'a lower rate limit applies to held deliveries as well',
      endpoint: { ...enabledAMinuteAgo, rate_limit: 10 },
      traffic: draining,
      deliveries: deliveries(8, held),
      claimed: ['d1', 'd2'],
      pausedForMs: 100,
      after: { traffic: { is_draining: true, paced_until: 0.2 } },
    },
    {
      title: 'a higher rate limit does not speed up held deliveries',
      endpoint: { ...enabledAMinuteAgo, rate_limit: 1_000 },
      traffic: draining,
      deliveries: deliveries(8, held),
      claimed: ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'],
      pausedForMs: 20,
      after: { traffic: { is_draining: true, paced_until: 0.12 } },
    },
    {
      title: 'the drain ends with the last held delivery',
      endpoint: enabledAMinuteAgo,
      traffic: draining,
      deliveries: deliveries(3, held),
      claimed: ['d1', 'd2', 'd3'],
      after: { traffic: { is_draining: false, paced_until: 0.06 } },
    },
    {
      title: 'the drain ends when only deliveries are left that were due after the enabling',
      endpoint: enabledAMinuteAgo,
      traffic: draining,
      deliveries: deliveries(8, { due_at: -59 }),
      claimed: ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'],
      pausedForMs: 20,
      after: { traffic: { is_draining: false } },
    },
    {
      title: 'the drain does not end while the breaker is open',
      endpoint: enabledAMinuteAgo,
      traffic: { ...draining, opened: 1, open_until: 5 },
      deliveries: deliveries(1, held),
      claimed: [],
      after: { traffic: { is_draining: true, wake_at: 5 } },
    },
  ])('$title', (row) => expectClaim(database, row));
});
