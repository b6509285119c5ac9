import { setTimeout as delay } from 'node:timers/promises';
import type { TestDatabase } from '../../support/galley/database.js';
import { emailDocument } from '../content/documents.js';
import { compare, type Row } from '../figures.js';
import { sendRequests } from '../load.js';
import type { Harness } from '../harness.js';
import type { Arrivals } from '../arrivals.js';
import { offsetOf } from '../clock.js';
import { BareDeliveries } from './bare-deliveries.js';
import { createLoad } from './documents/create.js';
import { GalleyDeliveries } from './galley-deliveries.js';

export const RATE = 100;
const WARM_UP = 3_000;

/** Row 7: from the commit of a change to the first byte at the receiver, at 100 changes a second. */
export async function* latencyRows(harness: Harness): AsyncGenerator<Row> {
  const galley = await GalleyDeliveries.start(harness, harness.queue, { waitsForDisk: false });
  const bare = await BareDeliveries.start(harness, harness.queue);
  await warmUp(galley, bare);
  // With fewer changes, the slowest hundredth would be only one or two changes.
  const count = RATE * (harness.scale.quick ? 3 : 5);
  const sides = { galley: [] as number[][], bare: [] as number[][] };
  for (let round = 0; round <= harness.scale.rounds; round++) {
    const figures = {
      galley: await throughGalley(galley, count),
      bare: await throughBare(bare, count),
    };
    // The first round only warms up.
    if (round === 0) continue;
    sides.galley.push(figures.galley);
    sides.bare.push(figures.bare);
  }
  await Promise.all([galley.stop(), bare.stop()]);
  for (const [name, quantile] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const figuresOf = (rounds: number[][]) => rounds.map((times) => quantileOf(times, quantile));
    yield {
      number: `7 (${name})`,
      what: `commit to first byte, ${name}, queue in ${harness.queue}`,
      baseline: 'bare BullMQ: add to first byte',
      unit: 'ms',
      ...compare(figuresOf(sides.galley), figuresOf(sides.bare)),
      target: { atMost: 3 },
    };
  }
}

/** Warms up at full speed: at 100 changes a second, it would take minutes until all code is compiled. */
async function warmUp(galley: GalleyDeliveries, bare: BareDeliveries): Promise<void> {
  await sendRequests(createLoad(galley.galley, [emailDocument(1_000)]), WARM_UP);
  await galley.receiver.take(WARM_UP);
  await bare.perSecond(WARM_UP);
}

async function throughGalley(
  { galley, receiver: receiver }: GalleyDeliveries,
  count: number,
): Promise<number[]> {
  const body = { name: 'Welcome', workspaceId: galley.workspaceId, content: emailDocument(1_000) };
  await atRate(count, () => galley.client.post('/api/templates', body));
  return sinceCommit(galley.database, await receiver.take(count));
}

/** Milliseconds from the commit of each template to the arrival of its notification. */
export async function sinceCommit(database: TestDatabase, arrivals: Arrivals): Promise<number[]> {
  // PostgreSQL stamps a commit before it waits for the disk, and makes the commit visible after that wait.
  // The latency would include the wait, so the rows that call this function turn it off (`waitsForDisk`).
  const commits = await database.query<{ id: string; at: number }>(
    `SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at FROM documents
     WHERE id = ANY ($1)`,
    [arrivals.map(([id]) => id)],
  );
  const offset = await offsetOf(database);
  return differences(new Map(commits.map(({ id, at }) => [id, at + offset])), arrivals);
}

async function throughBare(bare: BareDeliveries, count: number): Promise<number[]> {
  const added = await atRate(count, () => bare.add());
  return differences(new Map(added), await bare.receiver.take(count));
}

/** Starts `act` `count` times, `rate` times a second, however long each call takes. */
export async function atRate<T>(count: number, act: () => Promise<T>, rate = RATE): Promise<T[]> {
  const begin = performance.now();
  const acts: Promise<T>[] = [];
  for (let number = 0; number < count; number++) {
    const wait = begin + (number * 1000) / rate - performance.now();
    if (wait > 0) await delay(wait);
    acts.push(act());
  }
  return Promise.all(acts);
}

const differences = (from: Map<string, number>, arrivals: Arrivals) =>
  arrivals.map(([id, at]) => {
    const begin = from.get(id);
    if (begin === undefined) throw new Error(`Nobody made ${id}, which came to the receiver.`);
    return at - begin;
  });

export function quantileOf(figures: number[], quantile: number): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * quantile) - 1] ?? NaN;
}
