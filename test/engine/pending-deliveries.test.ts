import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PendingDeliveries } from '#webhooks';
import { PreparedDatabase } from './support/prepared-database.js';
import type { PreparedEndpoint } from './support/prepared-endpoint.js';
import { RESOURCE_A, type State } from './support/state.js';

const DAY = 24 * 3_600;
const RETENTION_DAYS = 30;
const REPLAY_ID = '00000000-0000-7000-8000-00000000000f';

const ordered = { resource_id: RESOURCE_A, is_ordered: true };
const blocked = { ...ordered, due_at: Infinity };
const live = { claims: 1, claimed_until: 0.001 };
const lost = { claims: 1, claimed_until: 0 };
const expired = { event_relayed_at: -RETENTION_DAYS * DAY - 1 };

interface PendingCase extends State {
  title: string;
  run: (pendingDeliveries: PendingDeliveries, endpoint: PreparedEndpoint) => Promise<unknown>;
  changed?: number;
  /** Columns that are left out may have any value. `deliveries` and `log` name all rows of their tables. */
  after: State;
}

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

it.each<PendingCase>([
  {
    title: 'cancelling leaves deliveries alone that are being sent, not those of a dead worker',
    traffic: { in_flight: 2, wake_at: 9 },
    deliveries: { live, lost, waiting: {}, retry: { due_at: 300, attempts: 4 } },
    run: (pending, { id }) => pending.cancelAll(id),
    changed: 3,
    after: {
      traffic: { in_flight: 1, wake_at: 0 },
      deliveries: { live },
      log: {
        lost: { status: 'cancelled', attempts: 0 },
        waiting: { status: 'cancelled' },
        retry: { status: 'cancelled', attempts: 4 },
      },
    },
  },
  {
    title: 'cancelling a replay leaves other deliveries alone, and releases the next ordered one',
    deliveries: {
      a1: { ...ordered, replay_id: REPLAY_ID },
      a2: blocked,
      sent: { ...live, replay_id: REPLAY_ID },
      other: {},
    },
    run: (pending, { id }) => pending.cancelReplay(id, REPLAY_ID),
    changed: 1,
    after: {
      traffic: { wake_at: 0 },
      deliveries: { a2: { due_at: 0 }, sent: live, other: { claims: 0 } },
      log: { a1: { status: 'cancelled' } },
    },
  },
  {
    title: 'an endpoint that is no longer ordered gets its blocked deliveries at once',
    deliveries: { a1: { ...ordered, due_at: 300 }, a2: blocked, a3: blocked },
    run: (pending, { id }) => pending.releaseOrdered(id),
    changed: 2,
    after: {
      traffic: { wake_at: 0 },
      deliveries: { a1: { due_at: 300 }, a2: { due_at: 0 }, a3: { due_at: 0 } },
    },
  },
  {
    title: 'the end of the back-off makes retries due before the endpoint was enabled',
    endpoint: { status_since: -3_600 },
    traffic: { wake_at: 300, opened: 2, open_until: 60 },
    deliveries: { retry: { due_at: 300, attempts: 2 }, due: { due_at: -5 }, a2: blocked },
    run: (pending, { id }) => pending.endBackoff(id),
    changed: 1,
    after: {
      traffic: { wake_at: 0, open_until: -Infinity, opened: 2, is_draining: true },
      deliveries: {
        retry: { due_at: -3_600.001, attempts: 2 },
        due: { due_at: -5 },
        a2: { due_at: Infinity },
      },
    },
  },
  {
    title: 'the end of the back-off keeps the order in which the events came',
    endpoint: { status_since: -60 },
    deliveries: { retry: { due_at: 300 } },
    run: (pending, { id }) => pending.endBackoff(id),
    changed: 1,
    after: { deliveries: { retry: { due_at: -600 } } },
  },
  {
    title: 'the end of the back-off starts no drain if nothing was waiting',
    traffic: { opened: 2, open_until: 60 },
    deliveries: { due: { due_at: 0 } },
    run: (pending, { id }) => pending.endBackoff(id),
    changed: 0,
    after: {
      traffic: { wake_at: 0, open_until: -Infinity, is_draining: false },
      deliveries: { due: { due_at: 0 } },
    },
  },
  {
    title: 'the deletion of an endpoint deletes deliveries that are being sent, without a trace',
    deliveries: { live, waiting: {}, a2: blocked },
    run: (pending, { id }) => pending.deleteAll(id),
    changed: 3,
    after: { deliveries: {} },
  },
  {
    title: 'deliveries older than the retention are deleted, and release the next ordered one',
    traffic: { wake_at: 9 },
    deliveries: {
      a1: { ...ordered, ...expired },
      a2: blocked,
      young: { event_relayed_at: -RETENTION_DAYS * DAY + 1 },
    },
    run: (pending) => pending.deleteExpired(RETENTION_DAYS),
    after: {
      traffic: { wake_at: 0 },
      deliveries: { a2: { due_at: 0 }, young: { claims: 0 } },
    },
  },
  {
    title: 'an endpoint does not wake for deleted deliveries that nothing waits for',
    endpoint: { status: 'disabled' },
    traffic: { wake_at: null },
    deliveries: { old: expired },
    run: (pending) => pending.deleteExpired(RETENTION_DAYS),
    after: { traffic: { wake_at: null }, deliveries: {} },
  },
])('$title', async ({ run, changed, after, ...before }) => {
  const endpoint = await database.prepare(before);
  expect(await run(database.get(PendingDeliveries), endpoint)).toBe(changed);
  const actual = await endpoint.read();
  expect(actual).toMatchObject(after);
  expect(Object.keys(actual.deliveries).sort()).toEqual(Object.keys(after.deliveries ?? {}).sort());
  expect(Object.keys(actual.log).sort()).toEqual(Object.keys(after.log ?? {}).sort());
});
