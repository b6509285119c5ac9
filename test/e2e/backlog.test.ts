import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { workerConfig } from '#config';
import { Turns } from '#webhooks';
import { createWorker } from '../../apps/worker/worker.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { Sink } from '../support/sink.js';
import { subscribe } from '../support/webhooks.js';

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
  const read = await readOnceClosed(worker, 'outbox_pkey');
  expect(read).toBeGreaterThanOrEqual(EVENTS);
  // Once when it is read, once when it is deleted, and once more when PostgreSQL finds it gone.
  expect(read).toBeLessThan(4 * EVENTS);
});

it('a turn reads nothing of what waits for other endpoints', async () => {
  const worker = await createWorker(workerConfig(galley.environment));
  const turns = worker.get(Turns, { strict: false });
  const ada = await galley.as('ada');
  const sink = await Sink.start();
  const { id: workspaceId } = await galley.workspaceOf('ada');
  const [busy, quiet] = await Promise.all([1, 2].map(() => subscribe(ada, workspaceId, sink)));
  // Planned while there is nothing.
  await turns.claim(quiet?.id ?? '', 1);
  await dueTo(workspaceId, busy?.id, EVENTS);
  await dueTo(workspaceId, quiet?.id, 10);
  const claimed = await Promise.all([
    turns.claim(quiet?.id ?? '', 1),
    turns.claim(busy?.id ?? '', 1),
  ]);
  for (let again = 0; again < 5; again++) claimed.push(await turns.claim(quiet?.id ?? '', 1));
  // Two are the most that a new endpoint gets.
  expect(claimed.flatMap(({ deliveries }) => deliveries)).toHaveLength(3);
  await sink.stop();
  expect(await readOnceClosed(worker, 'webhook_deliveries_due')).toBeLessThan(100);
});

/** Deliveries as a relay has left them. */
async function dueTo(workspaceId: string, endpointId: string | undefined, count: number) {
  await galley.database.query(
    `WITH event AS (
       INSERT INTO events (workspace_id, position, id, kind, resource_id, sequence, data,
         occurred_at, relayed_at)
       SELECT $2, (SELECT count(*) FROM events WHERE workspace_id = $2) + n, gen_random_uuid(),
         'template.created', gen_random_uuid(), 1, '{}', now(), now()
       FROM generate_series(1, $3::integer) n RETURNING *
     )
     INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
       event_relayed_at, event_id, kind, sequence, resource_id, due_at)
     SELECT $1, uuidv7_at(now()), workspace_id, position, relayed_at, id, kind, 1,
       resource_id, now() FROM event`,
    [endpointId, workspaceId, count],
  );
}

/** How many entries of an index have been read. */
async function readOnceClosed(worker: NestFastifyApplication, index: string): Promise<number> {
  // PostgreSQL publishes what a session has read when that has ended.
  await worker.close();
  const sessions = `pg_stat_activity
    WHERE application_name = 'galley worker' AND datname = current_database()`;
  await eventually(
    'its sessions to end',
    async () => (await galley.database.count(sessions)) === 0,
  );
  const [row] = await galley.database.query<{ read: number }>(
    `SELECT idx_tup_read::integer AS read FROM pg_stat_user_indexes WHERE indexrelname = $1`,
    [index],
  );
  return row?.read ?? NaN;
}
