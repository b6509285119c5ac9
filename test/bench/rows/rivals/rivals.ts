import { makeWorkerUtils, Logger } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { QUEUE_NAME } from '../../baselines/bare-job.js';
import type { Rival } from './rival-deliveries.js';

// Connections may still be closing when their database is dropped.
const ignore = () => undefined;

export const pgBoss: Rival = {
  name: 'pg-boss',
  program: 'test/bench/baselines/pg-boss.js',
  open: `EXISTS (SELECT FROM pgboss.job
    WHERE name = '${QUEUE_NAME}' AND state IN ('created', 'retry', 'active'))`,
  startProducer: async (connectionString) => {
    const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
    boss.on('error', ignore);
    await boss.start();
    return {
      add: (jobs) =>
        boss.insert(
          QUEUE_NAME,
          jobs.map((data) => ({ data })),
        ),
      stop: () => boss.stop({ graceful: false }),
    };
  },
};

export const graphileWorker: Rival = {
  name: 'graphile-worker',
  program: 'test/bench/baselines/graphile-worker.js',
  open: 'EXISTS (SELECT FROM graphile_worker._private_jobs)',
  startProducer: async (connectionString) => {
    const pgPool = new pg.Pool({ connectionString });
    pgPool.on('error', ignore);
    pgPool.on('connect', (client) => client.on('error', ignore));
    const utils = await makeWorkerUtils({ pgPool, logger: new Logger(() => () => undefined) });
    return {
      add: (jobs) => utils.addJobs(jobs.map((payload) => ({ identifier: QUEUE_NAME, payload }))),
      stop: async () => {
        await utils.release();
        await pgPool.end();
      },
    };
  },
};
