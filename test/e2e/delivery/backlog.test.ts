import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadWorkerConfig } from '#config';
import { AttemptRecorder, Claims } from '#webhooks';
import { createWorker } from '../../../apps/worker/worker.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';
import { SUCCESSFUL_ATTEMPT } from '../../support/webhooks/attempts.js';

const EVENTS = 4_000;

let galley: Galley;
beforeAll(async () => {
  galley = await startGalley();
});
afterAll(() => galley.stop());

it('a worker reads a long outbox once, and not again for each chunk', async () => {
  const worker = await createWorker(loadWorkerConfig(galley.environment));
  await worker.init();
  const countEvents = () => galley.database.count('events');
  const workspace = await galley.createWorkspaceFor('ada');
  // The relay's statement is planned while the table is almost empty.
  await addEvents(galley.database, 1, workspace);
  await eventually('the first event to be relayed', async () => (await countEvents()) === 1);

  await addEvents(galley.database, EVENTS, workspace);
  await eventually('all events to be relayed', async () => (await countEvents()) > EVENTS);
  const indexReads = await indexReadsAfterClose(worker, 'outbox_pkey');
  expect(indexReads).toBeGreaterThanOrEqual(EVENTS);
  // Once when the event is read, once when it is deleted, and again until PostgreSQL marks the entry as
  // dead.
  expect(indexReads).toBeLessThan(8 * EVENTS);
});

it('claims and recorded attempts read no deliveries of other endpoints', async () => {
  const worker = await createWorker(loadWorkerConfig(galley.environment));
  const claims = worker.get(Claims, { strict: false });
  const attemptRecorder = worker.get(AttemptRecorder, { strict: false });
  const ada = await galley.clientFor('ada');
  const receiver = await Receiver.start();
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const { id: busyEndpointId } = await subscribe(ada, workspaceId, receiver);
  const { id: quietEndpointId } = await subscribe(ada, workspaceId, receiver);
  const deliverOne = async () => {
    await insertDueDeliveries(workspaceId, quietEndpointId, 1);
    const { deliveries } = await claims.claim(quietEndpointId, 1);
    expect(deliveries).toHaveLength(1);
    await Promise.all(
      deliveries.map((delivery) => attemptRecorder.record(delivery, SUCCESSFUL_ATTEMPT, undefined)),
    );
  };
  // All statements are planned while the tables are almost empty.
  await deliverOne();
  await insertDueDeliveries(workspaceId, busyEndpointId, EVENTS);
  for (let run = 0; run < 5; run++) await deliverOne();
  await receiver.stop();
  expect(await indexReadsAfterClose(worker, 'webhook_deliveries%')).toBeLessThan(200);
});

it('an event reads nothing of the endpoints of other workspaces', async () => {
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  const ada = await galley.clientFor('ada');
  const receiver = await Receiver.start();
  for (let number = 0; number < 10; number++) {
    await insertEndpoints((await galley.createWorkspaceFor('ada')).id, EVENTS / 10);
  }
  // The newest endpoint has the last id, so that a scan of all ids would reach it last.
  await subscribe(ada, workspaceId, receiver);
  // With statistics, PostgreSQL may prefer the index by id to the index by workspace and id.
  await galley.database.query('VACUUM ANALYZE');
  const worker = await createWorker(loadWorkerConfig(galley.environment));
  await worker.init();
  for (let number = 1; number <= 5; number++) {
    await ada.post('/api/templates', { name: 'Welcome', workspaceId, content: {} });
    await eventually('the event to be delivered', () => receiver.received.length === number);
  }
  await receiver.stop();
  // Housekeeping reads all endpoints once, to find secrets that an earlier key has encrypted.
  expect(await indexReadsAfterClose(worker, 'webhook_endpoints%')).toBeLessThan(EVENTS + 200);
});

async function insertEndpoints(workspaceId: string, count: number): Promise<void> {
  await galley.database.query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, events, description, encrypted_secret)
     SELECT uuidv7_at(now()), $1, '', '{module.created}', '', '' FROM generate_series(1, $2::integer)`,
    [workspaceId, count],
  );
}

/** Deliveries as the relay creates them. */
async function insertDueDeliveries(
  workspaceId: string,
  endpointId: string,
  count: number,
): Promise<void> {
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

/** How many entries of the indexes with such names were read. */
async function indexReadsAfterClose(
  worker: NestFastifyApplication,
  indexPattern: string,
): Promise<number> {
  // PostgreSQL publishes a session's statistics when the session has ended.
  await worker.close();
  const sessions = `pg_stat_activity
    WHERE application_name = 'galley worker' AND datname = current_database()`;
  await eventually(
    "the worker's sessions to end",
    async () => (await galley.database.count(sessions)) === 0,
  );
  const [row] = await galley.database.query<{ read: number }>(
    `SELECT sum(idx_tup_read)::integer AS read FROM pg_stat_user_indexes
     WHERE indexrelname LIKE $1`,
    [indexPattern],
  );
  return row?.read ?? NaN;
}
