import { createServer } from 'node:http';
import { createPostgresBackend, Worker, type Processor } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { QUEUE_NAME, type BareJob } from './bare-job.js';
import { deliver } from './signed-delivery.js';

/**
 * Bare BullMQ and undici: takes a job, signs its body and posts the body. It records no attempts and writes
 * no log.
 */
const { REDIS_URL, DATABASE_URL, PORT } = process.env;
// Jobs in flight at once. A worker of Galley has up to 100 deliveries to one endpoint in flight.
const CONCURRENCY = 50;

const processor: Processor<BareJob> = ({ data }) => deliver(data);

const worker = REDIS_URL
  ? new Worker(QUEUE_NAME, processor, {
      connection: new Redis(REDIS_URL, { maxRetriesPerRequest: null }),
      concurrency: CONCURRENCY,
    })
  : new Worker(
      QUEUE_NAME,
      processor,
      {
        connection: new pg.Pool({
          connectionString: DATABASE_URL,
          options: '-c search_path=bullmq',
          max: 8,
        }),
        concurrency: CONCURRENCY,
      },
      createPostgresBackend,
    );
await worker.waitUntilReady();
createServer((_request, response) => response.end()).listen(Number(PORT), '127.0.0.1');
