import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Database } from '#database';
import { BacklogObserver, MAX_COUNTED, OBSERVE_BACKLOG } from '#webhooks';
import { flattenPlan, type PlanNode } from '../support/galley/recorded-statements.js';
import { PreparedDatabase } from './support/prepared-database.js';

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());
// The observer looks at all endpoints, so the endpoints of earlier tests must be gone.
beforeEach(() => database.query('TRUNCATE webhook_endpoints, webhook_deliveries, outbox CASCADE'));

const observe = () => database.get(BacklogObserver).observeBacklog();

it('an empty Galley has no backlog', async () => {
  expect(await observe()).toMatchObject({
    due: 0,
    inFlight: 0,
    held: 0,
    paused: 0,
    scheduled: 0,
    openBreakers: 0,
    oldestDueAgeSeconds: 0,
    workspaceBacklogs: [],
  });
});

it('deliveries are counted by what they wait for, and workspaces by their backlog', async () => {
  await database.prepare({
    traffic: { in_flight: 1, claimed_until: 20, window_size: 5 },
    deliveries: {
      flying: { due_at: -30, claimed_until: 20 },
      late: { due_at: -12 },
      later: { due_at: 60 },
    },
  });
  await database.prepare({
    endpoint: { status: 'disabled' },
    deliveries: { a: { due_at: -900 }, b: { due_at: 60 } },
  });
  await database.prepare({ deliveries: { fresh: { due_at: -1 } } });
  expect(await observe()).toMatchObject({
    due: 2,
    inFlight: 1,
    held: 2,
    paused: 0,
    scheduled: 1,
    openBreakers: 0,
    oldestDueAgeSeconds: 12,
    workspaceBacklogs: [3, 1],
  });
});

it.each([
  ['an open circuit breaker', { traffic: { open_until: 30, failures: 5, failing_since: -60 } }, 1],
  ['failures', { traffic: { failures: 3, failing_since: -60, failed_at: -5 } }, 0],
  ['a drain', { traffic: { is_draining: true } }, 0],
  ['a rate limit', { endpoint: { rate_limit: 10 }, traffic: { paced_until: 30 } }, 0],
])(
  'a delivery that waits because of %s is paused, and not late',
  async (_cause, state, openBreakers) => {
    await database.prepare({ ...state, deliveries: { waiting: { due_at: -600 } } });
    expect(await observe()).toMatchObject({
      due: 0,
      paused: 1,
      openBreakers,
      oldestDueAgeSeconds: 0,
    });
  },
);

it('the cost is bounded, and endpoints with a long backlog share the count', async () => {
  const ids = [1, 2].map(() => randomUUID());
  for (const id of ids) {
    await database.insert('workspaces', { id, name: 'Large' });
    await database.insert('webhook_endpoints', {
      id,
      workspace_id: id,
      url: 'https://receiver.example/',
      events: ['*'],
      description: '',
      encrypted_secret: 'encrypted secret',
    });
    await database.insert('webhook_traffic', { endpoint_id: id });
    await database.query(
      `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position, event_relayed_at,
         event_id, kind, resource_id, sequence, due_at)
       SELECT $1, gen_random_uuid(), $1, number, now(), gen_random_uuid(), 'template.created',
         gen_random_uuid(), 1, now() - interval '1 minute'
       FROM generate_series(1, $2::integer) number`,
      [id, MAX_COUNTED],
    );
  }
  await database.query('VACUUM ANALYZE webhook_deliveries');
  const { due, workspaceBacklogs } = await observe();
  expect(due).toBe(MAX_COUNTED);
  expect(workspaceBacklogs).toEqual([MAX_COUNTED / 2, MAX_COUNTED / 2]);
  expect(await scannedTables()).toEqual([]);
});

/** The tables that the statement reads as a whole, with the settings of Galley's sessions. */
async function scannedTables(): Promise<unknown[]> {
  // The engine's own connections have the settings under which the statement runs.
  const [row] = await database
    .get(Database)
    .query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${OBSERVE_BACKLOG}`);
  return flattenPlan(row?.['QUERY PLAN'][0].Plan as PlanNode)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']);
}
