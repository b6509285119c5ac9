import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadWorkerConfig } from '#config';
import { AttemptRecorder, Relay, Claims, type ClaimedDelivery } from '#webhooks';
import { createWorker } from '../../../apps/worker/worker.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { SUCCESSFUL_ATTEMPT } from '../../support/webhooks/attempts.js';

let galley: Galley;
let proxy: PostgresProxy;
// The parts of a worker that is not started, so that it claims nothing by itself.
let worker: NestFastifyApplication;

beforeAll(async () => {
  galley = await startGalley();
  proxy = await PostgresProxy.to(galley.database.pooledUrl, 'galley worker');
  const environment = { ...galley.environment, DATABASE_URL: proxy.databaseUrl };
  worker = await createWorker(loadWorkerConfig(environment));
});
afterAll(async () => {
  await worker.close();
  await proxy.stop();
  await galley.stop();
});

/** Creates deliveries, claims them for this worker and returns them. */
async function claimDeliveries(count: number): Promise<ClaimedDelivery[]> {
  const ada = await galley.clientFor('ada');
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  await ada.post('/api/webhooks', {
    workspaceId,
    url: 'http://127.0.0.1:9/',
    events: ['template.created'],
  });
  for (let created = 0; created < count; created++) {
    await ada.post('/api/templates', { name: 'Welcome', workspaceId });
  }
  const { dueEndpoints } = await worker.get(Relay, { strict: false }).startWalk().relayChunk();
  const endpointId = dueEndpoints[0]?.endpointId ?? '';
  // The window of an endpoint without attempts is 1, so only one delivery could be claimed.
  await galley.database.query('UPDATE webhook_traffic SET window_size = $1', [count]);
  const { deliveries } = await worker.get(Claims, { strict: false }).claim(endpointId, count);
  return deliveries;
}

const logEntryOf = async ({ id }: { id: string }) => {
  const [delivery] = await galley.database.query(
    `SELECT status, attempts, (SELECT count(*)::integer FROM webhook_attempts WHERE delivery_id = $1)
       AS recorded
     FROM webhook_delivery_log WHERE id = $1`,
    [id],
  );
  return delivery;
};

const DELIVERED = { status: 'delivered', attempts: 1, recorded: 1 };

it("an attempt is recorded once, even if PostgreSQL's response is lost", async () => {
  const deliveries = await claimDeliveries(2);
  const attempt = { ...SUCCESSFUL_ATTEMPT, error: 'the response to this is lost' };
  const connectionLost = proxy.loseResponseTo(attempt.error);
  const attemptRecorder = worker.get(AttemptRecorder, { strict: false });
  await Promise.all(
    deliveries.map((delivery) => attemptRecorder.record(delivery, attempt, undefined)),
  );
  await connectionLost;
  for (const delivery of deliveries) expect(await logEntryOf(delivery)).toEqual(DELIVERED);
  expect(await galley.database.query('SELECT in_flight FROM webhook_traffic')).toEqual([
    { in_flight: 0 },
  ]);
});
