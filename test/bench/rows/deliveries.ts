import { compare, interleave, type SkippedRow, type Row } from '../figures.js';
import type { Queue, Harness } from '../harness.js';
import { BareDeliveries } from './bare-deliveries.js';
import { GalleyDeliveries } from './galley-deliveries.js';

const TARGETS = { Redis: 0.35, PostgreSQL: 0.5 };

/** Rows 5 and 6: deliveries from the outbox to the receiver, with every attempt recorded. */
export async function* deliveryRows(harness: Harness): AsyncGenerator<Row | SkippedRow> {
  for (const [number, queue] of [
    ['5', 'Redis'],
    ['6', 'PostgreSQL'],
  ] as const) {
    if (queue === 'Redis' && harness.redisUrl === undefined) yield { number, skipReason: NO_REDIS };
    else yield await deliveryRow(harness, number, queue);
  }
}

export const NO_REDIS = 'redis-server is not on the PATH';

async function deliveryRow(harness: Harness, number: string, queue: Queue): Promise<Row> {
  const galley = await GalleyDeliveries.start(harness, queue);
  const bare = await BareDeliveries.start(harness, queue);
  const count = (queue === 'Redis' ? 10_000 : 5_000) / (harness.scale.quick ? 5 : 1);
  const figures = await interleave(harness.scale.rounds, {
    galley: () => galley.perSecond(count),
    bare: () => bare.perSecond(count),
  });
  await Promise.all([galley.stop(), bare.stop()]);
  return {
    number,
    what: `deliver, queue in ${queue}, everything recorded`,
    baseline: `bare BullMQ on ${queue} + undici, signed`,
    unit: 'deliveries/s',
    ...compare(figures.galley, figures.bare),
    target: { atLeast: TARGETS[queue] },
  };
}

/** Row 8: a second worker on the same machine. */
export async function* workersRow(harness: Harness): AsyncGenerator<Row> {
  const one = await GalleyDeliveries.start(harness, harness.queue);
  const two = await GalleyDeliveries.start(harness, harness.queue, { workers: 2 });
  const count = harness.scale.quick ? 2_000 : 10_000;
  const figures = await interleave(harness.scale.rounds, {
    two: () => two.perSecond(count),
    one: () => one.perSecond(count),
  });
  await Promise.all([one.stop(), two.stop()]);
  yield {
    number: '8',
    what: `two workers, queue in ${harness.queue}`,
    baseline: 'one worker',
    unit: 'deliveries/s',
    ...compare(figures.two, figures.one),
    target: { atLeast: 1.3 },
  };
}
