import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { spread, type Row } from '../figures.js';
import type { Installation, Harness } from '../harness.js';

/** Row 10: how many PostgreSQL statements and Redis commands an API and a worker send while they idle. */
export async function* idleRow(harness: Harness): AsyncGenerator<Row> {
  const galley = await harness.install();
  await galley.startWorker();
  await galley.database.query('CREATE EXTENSION pg_stat_statements');
  const figures: number[] = [];
  for (let round = 0; round <= harness.scale.rounds; round++) {
    figures.push(await perSecond(harness, galley, harness.scale.quick ? 1 : 10));
  }
  await galley.stop();
  // In the first round, the programs may still be starting.
  const ratio = spread(figures.slice(1));
  yield {
    number: '10',
    what: `idle, one API and one worker, queue in ${harness.queue}`,
    baseline: 'none: statements and commands a second',
    unit: 'a second',
    galley: ratio.median,
    ratio,
    target: { atMost: 5 },
  };
}

async function perSecond(
  harness: Harness,
  { database }: Installation,
  seconds: number,
): Promise<number> {
  const redis = harness.redisUrl === undefined ? undefined : new Redis(harness.redisUrl);
  const total = async () => {
    const [row] = await database.query<{ calls: number }>(
      `SELECT sum(calls)::float8 AS calls FROM pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    const info = await redis?.info('stats');
    const commands = /total_commands_processed:(\d+)/.exec(info ?? '')?.[1];
    return (row?.calls ?? 0) + Number(commands ?? 0);
  };
  const before = await total();
  await delay(seconds * 1000);
  // The statements of this measurement itself are not counted.
  const own = redis === undefined ? 1 : 2;
  const after = await total();
  redis?.disconnect();
  return (after - before - own) / seconds;
}
