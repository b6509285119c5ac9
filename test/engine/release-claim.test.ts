import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Claims, type ClaimedDelivery } from '#webhooks';
import { PreparedDatabase } from './support/prepared-database.js';
import type { State } from './support/state.js';

interface ReleaseCase extends State {
  title: string;
  /** Whether the problem affects deliveries to all endpoints. */
  affectsAllEndpoints?: boolean;
  needsOperator?: boolean;
  after: State;
}

// The number of the claim that is released.
const CLAIM = 3;
const claimed = { claims: CLAIM, claimed_until: 9, attempts: 2 };

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

it.each<ReleaseCase>([
  {
    title: 'a delivery that met a local problem is due again in 2 s, and keeps its attempts',
    traffic: { window_size: 8, in_flight: 2, wake_at: 9 },
    deliveries: { d1: claimed },
    after: {
      traffic: { window_size: 8, in_flight: 1, wake_at: 2, failures: 0 },
      deliveries: { d1: { due_at: 2, claimed_until: null, claims: CLAIM, attempts: 2 } },
    },
  },
  {
    title: 'a problem of all endpoints resets the window; the operator has 10 s',
    traffic: { window_size: 8, in_flight: 2 },
    deliveries: { d1: claimed },
    affectsAllEndpoints: true,
    needsOperator: true,
    after: {
      traffic: { window_size: 1, in_flight: 1, wake_at: 10, failures: 0 },
      deliveries: { d1: { due_at: 10, claimed_until: null } },
    },
  },
  {
    title: 'a missing key delays the delivery by 10 s, and leaves the window as it is',
    traffic: { window_size: 8, in_flight: 2 },
    deliveries: { d1: claimed },
    needsOperator: true,
    after: {
      traffic: { window_size: 8, in_flight: 1, wake_at: 10, failures: 0 },
      deliveries: { d1: { due_at: 10, claimed_until: null } },
    },
  },
  {
    title: 'a release does not postpone an earlier wake-up',
    traffic: { in_flight: 1, wake_at: 1 },
    deliveries: { d1: claimed },
    after: { traffic: { in_flight: 0, wake_at: 1 } },
  },
  {
    title: 'a worker does not release a delivery that a later worker has claimed',
    traffic: { window_size: 8, in_flight: 2, wake_at: 9 },
    deliveries: { d1: { ...claimed, claims: CLAIM + 1, due_at: -60 } },
    affectsAllEndpoints: true,
    after: {
      traffic: { window_size: 8, in_flight: 2, wake_at: 9 },
      deliveries: { d1: { due_at: -60, claimed_until: 9 } },
    },
  },
  {
    title: 'a worker does not release a delivery after its lease has expired',
    traffic: { window_size: 8, in_flight: 2, wake_at: 9 },
    deliveries: { d1: { ...claimed, claimed_until: 0, due_at: -60 } },
    after: {
      traffic: { window_size: 8, in_flight: 2, wake_at: 9 },
      deliveries: { d1: { due_at: -60, claimed_until: 0 } },
    },
  },
])('$title', async ({ affectsAllEndpoints = false, needsOperator = false, after, ...before }) => {
  const endpoint = await database.prepare(before);
  const delivery = { id: endpoint.idOf('d1'), endpointId: endpoint.id, claimNumber: CLAIM };
  await database.get(Claims).release(delivery as ClaimedDelivery, {
    affectsAllEndpoints,
    needsOperator,
  });
  expect(await endpoint.read()).toMatchObject(after);
});

it.each([
  { random: 0, due_at: 1 },
  { random: 1, due_at: 3 },
])('the delay varies by a half: $due_at s at random $random', async ({ random, due_at }) => {
  await database.setRandom(random);
  const endpoint = await database.prepare({ deliveries: { d1: claimed } });
  const delivery = { id: endpoint.idOf('d1'), endpointId: endpoint.id, claimNumber: CLAIM };
  await database.get(Claims).release(delivery as ClaimedDelivery, {
    affectsAllEndpoints: false,
    needsOperator: false,
  });
  expect(await endpoint.read()).toMatchObject({ deliveries: { d1: { due_at } } });
});
