import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { workerConfig } from '#config';
import { createWorker } from '../../apps/worker/worker.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';

const EVENTS = 4_000;

let galley: Galley;
beforeAll(async () => {
  galley = await startGalley();
});
afterAll(() => galley.stop());

it('a worker reads a long outbox once, and not again with each batch', async () => {
  const worker = await createWorker(workerConfig(galley.environment));
  await worker.init();
  // Which does not use the index that is measured here.
  const dispatched = () => galley.database.count('outbox WHERE dispatched_at IS NOT NULL');
  const add = (count: number) =>
    galley.database.query(
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, data)
       SELECT gen_random_uuid(), 'template.created', gen_random_uuid(), gen_random_uuid(), '{}'
       FROM generate_series(1, $1::integer)`,
      [count],
    );
  // The relay's statement is planned while the table is as good as empty.
  await add(1);
  await eventually('the first event to be relayed', async () => (await dispatched()) === 1);

  await add(EVENTS);
  await eventually('all events to be relayed', async () => (await dispatched()) > EVENTS);
  // PostgreSQL publishes what a session has read when that has ended.
  await worker.close();
  const sessions = `pg_stat_activity
    WHERE application_name = 'galley worker' AND datname = current_database()`;
  await eventually(
    'its sessions to end',
    async () => (await galley.database.count(sessions)) === 0,
  );
  const [index] = await galley.database.query<{ read: number }>(
    `SELECT idx_tup_read::integer AS read FROM pg_stat_user_indexes
     WHERE indexrelname = 'outbox_undispatched'`,
  );
  expect(index?.read).toBeGreaterThanOrEqual(EVENTS);
  // Once when it is relayed, and once more when PostgreSQL finds it to be gone from the index.
  expect(index?.read).toBeLessThan(3 * EVENTS);
});
