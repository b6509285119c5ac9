import { createServer } from 'node:http';
import { Logger, run } from 'graphile-worker';
import { QUEUE_NAME, type BareJob } from './bare-job.js';
import { deliver } from './signed-delivery.js';

/**
 * graphile-worker and undici: each delivery is a job, which graphile-worker deletes when it is completed. The
 * settings are those of its performance page: it takes jobs in batches, and records them in batches.
 */
const { DATABASE_URL = '', PORT } = process.env;
// Jobs in flight, as many as a worker of Galley has for one endpoint.
const CONCURRENCY = 100;
// The page's size. Of 101, 500 and 1,000, this was the fastest.
const LOCAL_QUEUE = { size: 500 };

await run({
  preset: {
    worker: {
      connectionString: DATABASE_URL,
      concurrentJobs: CONCURRENCY,
      localQueue: LOCAL_QUEUE,
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
      logger: new Logger(() => () => undefined),
    },
  },
  taskList: { [QUEUE_NAME]: (payload) => deliver(payload as BareJob) },
});
createServer((_request, response) => response.end()).listen(Number(PORT), '127.0.0.1');
