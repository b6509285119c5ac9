import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createPostgresBackend, Worker, type Processor } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { Agent, request } from 'undici';
import { QUEUE_NAME, type BareJob } from './bare-job.js';

/**
 * Bare BullMQ and undici: takes a job, signs its body and posts the body. It records no attempts and writes
 * no log.
 */
const { REDIS_URL, DATABASE_URL, PORT, SINK_URL = '' } = process.env;
// Jobs in flight at once. A worker of Galley has up to 100 deliveries to one endpoint in flight.
const CONCURRENCY = 50;
const key = createSecretKey(randomBytes(32));
const agent = new Agent();

const deliver: Processor<BareJob> = async ({ data: { id, body } }) => {
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  const response = await request(SINK_URL, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await response.body.dump();
  if (response.statusCode >= 300)
    throw new Error(`The receiver responded with ${response.statusCode}.`);
};

const worker = REDIS_URL
  ? new Worker(QUEUE_NAME, deliver, {
      connection: new Redis(REDIS_URL, { maxRetriesPerRequest: null }),
      concurrency: CONCURRENCY,
    })
  : new Worker(
      QUEUE_NAME,
      deliver,
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
