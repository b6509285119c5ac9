import { createServer } from 'node:http';
import { PgBoss, type Job, type JobResult } from 'pg-boss';
import { QUEUE_NAME, type BareJob } from './bare-job.js';
import { deliver } from './signed-delivery.js';

/**
 * pg-boss and undici: each delivery is a job, which pg-boss records as completed or failed. A notification
 * wakes the workers, and they take the next batch without a delay while batches are full.
 */
const { DATABASE_URL = '', PORT } = process.env;
// A hundred jobs in flight, as many as a worker of Galley has for one endpoint. A worker takes its next batch
// when all jobs of the last one are recorded, so a second worker delivers meanwhile. Of 1 × 100, 2 × 50,
// 4 × 25 and 10 × 10, this was the fastest.
const WORKERS = 2;
const BATCH = 50;

const boss = new PgBoss({ connectionString: DATABASE_URL, useListenNotify: true });
boss.on('error', (error) => process.stderr.write(`${String(error)}\n`));
await boss.start();
await boss.createQueue(QUEUE_NAME, { notify: true });
await boss.work(
  QUEUE_NAME,
  {
    localConcurrency: WORKERS,
    batchSize: BATCH,
    burstWhenBatchFull: true,
    perJobResults: true,
  },
  (jobs: Job<BareJob>[]) => Promise.all(jobs.map(resultOf)),
);
createServer((_request, response) => response.end()).listen(Number(PORT), '127.0.0.1');

async function resultOf({ id, data }: Job<BareJob>): Promise<JobResult> {
  try {
    await deliver(data);
    return { id, status: 'completed' };
  } catch (error) {
    return { id, status: 'failed', output: error };
  }
}
