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

// The relay reads an entry of the outbox's index once for the event and once to delete the event's row. Later scans
// read the entry again until PostgreSQL marks it as dead, which takes a scan after the end of older transactions.

it('a worker reads a long outbox once, and not again for each chunk', async () => {
  const { id } = await galley.createWorkspaceFor('ada');
  // The commits of workers do not wait for the disk, and PostgreSQL marks no entry before the commit of the deletion
  // has reached the disk. How long that takes would decide about the result.
  await galley.database.query(`
    CREATE FUNCTION wait_for_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM set_config('synchronous_commit', 'on', true); RETURN NULL; END $$`);
  await galley.database.query(`CREATE TRIGGER wait_for_disk AFTER DELETE ON outbox
    FOR EACH STATEMENT EXECUTE FUNCTION wait_for_disk()`);
  const reads = await countReadsOfRelay({ id });
  expect(reads).toBeGreaterThanOrEqual(EVENTS);
});

/** How many entries of the index of the outbox a worker reads to relay a backlog. */
async function countReadsOfRelay(workspace: { id: string }): Promise<number> {
  const worker = await createWorker(loadWorkerConfig(galley.environment));
  await worker.init();
  const relayEvents = async (count: number) => {
    const before = await galley.database.count('events');
    await addEvents(galley.database, count, workspace);
    await eventually(
      'all events to be relayed',
      async () => (await galley.database.count('events')) === before + count,
    );
  };
  // The relay's statement is planned while the table is almost empty.
  await relayEvents(1);
  const readsBefore = await countIndexReads('outbox_pkey');
  await relayEvents(EVENTS);
  return (await indexReadsAfterClose(worker, 'outbox_pkey')) - readsBefore;
}

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
  // PostgreSQL plans all statements while the tables are almost empty.
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
  // When a worker starts, it reads all endpoints twice: to find secrets that an earlier key has encrypted, and to
  // count the endpoints that need each key.
  expect(await indexReadsAfterClose(worker, 'webhook_endpoints%')).toBeLessThan(2 * EVENTS + 200);
});

async function insertEndpoints(workspaceId: string, count: number): Promise<void> {
  await galley.database.query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, events, description, encrypted_secret)
     SELECT uuidv7_at(now()), $1, '', '{module.created}', '', '' FROM generate_series(1, $2::integer)`,
    [workspaceId, count],
  );
}

/** Inserts deliveries as the relay creates them. */
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

/** Closes the worker, and returns how many entries of the matching indexes have been read. */
async function indexReadsAfterClose(
  worker: NestFastifyApplication,
  indexPattern: string,
): Promise<number> {
  // PostgreSQL publishes a session's statistics when the session has ended.
  await worker.close();
  const sessions = `pg_stat_activity
    WHERE application_name = 'galley worker' AND datname = current_database()`;
  // A pooler keeps the sessions.
  if (process.env['TEST_POOLER']) {
    await galley.database.query(`SELECT pg_terminate_backend(pid) FROM ${sessions}`);
  }
  await eventually(
    "the worker's sessions to end",
    async () => (await galley.database.count(sessions)) === 0,
  );
  return countIndexReads(indexPattern);
}

async function countIndexReads(indexPattern: string): Promise<number> {
  const [row] = await galley.database.query<{ read: number }>(
    `SELECT sum(idx_tup_read)::integer AS read FROM pg_stat_user_indexes
     WHERE indexrelname LIKE $1`,
    [indexPattern],
  );
  return row?.read ?? NaN;
}
