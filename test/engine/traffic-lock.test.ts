import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Claims, PendingDeliveries, type ClaimedDelivery } from '#webhooks';
import { PreparedDatabase } from './support/prepared-database.js';
import type { PreparedEndpoint } from './support/prepared-endpoint.js';
import { record, success } from './support/record-case.js';
import { runWhileLocked } from './support/run-while-locked.js';
import type { State } from './support/state.js';

const CLAIMED = { claims: 1, claimed_until: 9 };

interface LockCase extends State {
  title: string;
  /** Runs the statement that must wait for the other worker's transaction. */
  run: (endpoint: PreparedEndpoint) => Promise<unknown>;
  /** SQL: how the other worker's transaction changes the traffic. */
  concurrent: string;
  after: State;
}

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

it.each<LockCase>([
  {
    title: 'a claim sees the attempts that another worker has begun meanwhile',
    traffic: { window_size: 2 },
    deliveries: { d1: {}, d2: {} },
    run: ({ id }) => database.get(Claims).claim(id, 2),
    concurrent: "in_flight = 1, claimed_until = fixed.now() + interval '20 s'",
    after: { traffic: { in_flight: 2 }, deliveries: { d2: { claims: 0 } } },
  },
  {
    title: 'a recording sees the attempts that another worker has begun meanwhile',
    traffic: { window_size: 8, in_flight: 1 },
    deliveries: { d1: CLAIMED },
    run: (endpoint) => record(database, endpoint, success('d1')),
    concurrent: 'in_flight = 5, failures = 2',
    after: { traffic: { in_flight: 4, failures: 0, window_size: 9 } },
  },
  {
    title: 'a release sees the attempts that another worker has begun meanwhile',
    traffic: { window_size: 8, in_flight: 1 },
    deliveries: { d1: CLAIMED },
    run: (endpoint) =>
      database
        .get(Claims)
        .release(
          { endpointId: endpoint.id, id: endpoint.idOf('d1'), claimNumber: 1 } as ClaimedDelivery,
          { affectsAllEndpoints: false, needsOperator: false },
        ),
    concurrent: 'in_flight = 5, wake_at = fixed.now()',
    after: { traffic: { in_flight: 4, wake_at: 0 } },
  },
])('$title', async ({ run, concurrent, after, ...before }) => {
  const endpoint = await database.prepare(before);
  await runWhileLocked(
    database,
    'webhook_traffic',
    endpoint.id,
    () => run(endpoint),
    `UPDATE webhook_traffic SET ${concurrent} WHERE endpoint_id = $1`,
  );
  expect(await endpoint.read()).toMatchObject(after);
});

it('deliveries that a worker claims meanwhile are not cancelled', async () => {
  const endpoint = await database.prepare({ deliveries: { d1: {}, d2: {} } });
  const cancelled = await runWhileLocked(
    database,
    'webhook_traffic',
    endpoint.id,
    () => database.get(PendingDeliveries).cancelAll(endpoint.id),
    `UPDATE webhook_deliveries SET claimed_until = fixed.now() + interval '20 s'
     WHERE endpoint_id = $1 AND event_position = 1`,
  );
  expect(cancelled).toBe(1);
  expect(await endpoint.read()).toMatchObject({
    deliveries: { d1: { claimed_until: 20 } },
    log: { d2: { status: 'cancelled' } },
  });
});
