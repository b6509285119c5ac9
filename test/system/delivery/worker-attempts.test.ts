import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { loadWorkerConfig } from '#config';
import type { Workspace } from '#client';
import { createWorker } from '../../../apps/worker/worker.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { addEvents } from '../../support/webhooks/outbox-events.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

let galley: Galley;
let ada: Client;
let workspace: Workspace;
let receiver: Receiver;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  receiver = await Receiver.start();
});
afterAll(async () => {
  await receiver.stop();
  await galley.stop();
});
beforeEach(async () => {
  workspace = await galley.createWorkspaceFor('ada');
  receiver.received.length = 0;
});

async function startWorker(concurrency: number) {
  const environment = { ...galley.environment, WORKER_CONCURRENCY: String(concurrency) };
  const worker = await createWorker(loadWorkerConfig(environment));
  await worker.init();
  return worker;
}

const createTemplate = () =>
  ada.post('/api/templates', { name: 'Welcome', workspaceId: workspace.id });

it('a worker that stops records the attempts in flight, even if PostgreSQL fails once', async () => {
  // A rollback does not reset a sequence, so the sequence counts every try.
  await galley.database.query(`CREATE SEQUENCE tries;
    CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') = 1 THEN RAISE EXCEPTION 'PostgreSQL is busy'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER fail_once BEFORE INSERT ON webhook_attempts
      FOR EACH ROW EXECUTE FUNCTION fail_once()`);
  const { id } = await subscribe(ada, workspace.id, receiver);
  let respond: (status: number) => void = () => undefined;
  const response = new Promise<number>((resolve) => (respond = resolve));
  receiver.reaction = () => response;
  const worker = await startWorker(10);
  await createTemplate();
  await eventually('the attempt to begin', () => receiver.received.length === 1);
  const closed = worker.close();
  respond(204);
  await closed;
  const log = await galley.database.query(
    'SELECT status, attempts FROM webhook_delivery_log WHERE endpoint_id = $1',
    [id],
  );
  expect(log).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(receiver.received).toHaveLength(1);
});

it('an attempt that throws gives its slot back', async () => {
  const { id } = await subscribe(ada, workspace.id, receiver);
  // With such a URL, the attempt throws before it sends anything. Only a damaged database contains one.
  await galley.database.query("UPDATE webhook_endpoints SET url = 'no URL' WHERE id = $1", [id]);
  receiver.reaction = () => 204;
  const worker = await startWorker(1);
  await createTemplate();
  const claimed = `webhook_deliveries WHERE endpoint_id = '${id}' AND claims = 1`;
  await eventually(
    'the attempt to begin',
    async () => (await galley.database.count(claimed)) === 1,
  );
  await subscribe(ada, workspace.id, receiver);
  await createTemplate();
  await eventually('the next endpoint to be served', () => receiver.received.length === 1, {
    timeout: 15_000,
  });
  await worker.close();
});

it('an endpoint with more due deliveries than one claim takes is claimed from again at once', async () => {
  const count = 40;
  const { id } = await subscribe(ada, workspace.id, receiver);
  await galley.database.query(
    'UPDATE webhook_traffic SET window_size = 100 WHERE endpoint_id = $1',
    [id],
  );
  await addEvents(galley.database, count, workspace);
  receiver.reaction = () => 204;
  // A claim takes at most five deliveries: half of the nine slots that healthy endpoints may hold.
  const worker = await startWorker(10);
  // If the worker did not claim again by itself, only the sweep would queue the endpoint, after 20 s.
  await eventually('all to arrive', () => receiver.received.length === count, { timeout: 10_000 });
  await worker.close();
});
