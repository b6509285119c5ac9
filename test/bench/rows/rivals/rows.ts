import { compare, interleave, type Row, type SkippedRow } from '../../figures.js';
import type { Harness, Queue } from '../../harness.js';
import { NO_REDIS } from '../deliveries.js';
import { GalleyDeliveries } from '../galley-deliveries.js';
import { RivalDeliveries } from './rival-deliveries.js';
import { graphileWorker, pgBoss } from './rivals.js';

const ROWS = [
  ['28', pgBoss],
  ['29', graphileWorker],
] as const;
// These rows reach 0.35 to 0.95 of their targets on a busy machine with two cores, single rounds 0.24.
const FLOOR = 0.15;
const QUEUES: readonly Queue[] = ['Redis', 'PostgreSQL'];

/** Rows 28 and 29: rows 5 and 6, compared with the libraries that people would build deliveries on. */
export async function* rivalRows(harness: Harness): AsyncGenerator<Row | SkippedRow> {
  const queues = QUEUES.filter((queue) => queue === 'PostgreSQL' || harness.redisUrl !== undefined);
  const installations = await Promise.all([
    ...queues.map((queue) => GalleyDeliveries.start(harness, queue)),
    ...ROWS.map(([, rival]) => RivalDeliveries.start(harness, rival)),
  ]);
  const names = [...queues, ...ROWS.map(([, { name }]) => name)];
  const count = harness.scale.quick ? 4_000 : 10_000;
  const figures = await interleave(
    harness.scale.rounds,
    Object.fromEntries(
      installations.map((installation, at) => [
        names[at] ?? '',
        () => installation.perSecond(count),
      ]),
    ),
  );
  await Promise.all(installations.map((installation) => installation.stop()));
  for (const [number, { name }] of ROWS) {
    for (const queue of QUEUES) {
      if (!queues.includes(queue)) yield { number: `${number} (${queue})`, skipReason: NO_REDIS };
      else
        yield {
          number: `${number} (${queue})`,
          what: `deliver, queue in ${queue}, everything recorded`,
          baseline: `${name} + undici, signed, everything recorded`,
          unit: 'deliveries/s',
          ...compare(figures[queue] ?? [], figures[name] ?? []),
          target: { atLeast: 1 },
          floor: FLOOR,
        };
    }
  }
}
