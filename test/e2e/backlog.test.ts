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
  const relayed = () => galley.database.count('events');
  const { id: workspaceId } = await galley.workspaceOf('ada');
  const add = (count: number) =>
    galley.database.query(
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       SELECT gen_random_uuid(), 'template.created', $2, gen_random_uuid(), 1, '{}'
       FROM generate_series(1, $1::integer)`,
      [count, workspaceId],
    );
  // The relay's statement is planned while the table is as good as empty.
  await add(1);
  await eventually('the first event to be relayed', async () => (await relayed()) === 1);

  await add(EVENTS);
  await eventually('all events to be relayed', async () => (await relayed()) > EVENTS);
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
     WHERE indexrelname = 'outbox_pkey'`,
  );
  expect(index?.read).toBeGreaterThanOrEqual(EVENTS);
  // Once when it is read, once when it is deleted, and once more when PostgreSQL finds it gone.
  expect(index?.read).toBeLessThan(4 * EVENTS);
});
