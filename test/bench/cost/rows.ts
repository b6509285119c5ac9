import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { emailDocument, emailDocuments } from '../content/documents.js';
import { compare, interleave, median, spread, type Row } from '../figures.js';
import type { Harness, Installation } from '../harness.js';
import { sendRequests } from '../load.js';
import { BareDeliveries } from '../rows/bare-deliveries.js';
import { createBareLoad, createLoad, installBare } from '../rows/documents/create.js';
import { GalleyDeliveries } from '../rows/galley-deliveries.js';
import { createTemplate, KB, listLoad, readLoad } from './loads.js';
import { measureCost, type Cost, type Side } from './meter.js';
import { promiseRows, roundTripRows } from './plain-rows.js';

const BUDGET_FILE = 'test/bench/cost/budget.json';
const TOLERANCE = 1.25;
const DOCUMENTS = 50;
const POLL_MS = 50;

interface Operation {
  name: string;
  /** How often a round does it. The quick form has only fewer rounds, so that code is as warm in both forms. */
  count: number;
  target: number;
  /** Kilobytes of WAL of Galley, if the operation writes. */
  walTarget?: number;
  galley(count: number): Promise<unknown>;
  bare(count: number): Promise<unknown>;
}

/**
 * Rows 25 to 27 and 30: the processor time of all processes for one operation until the worker is quiet, the WAL of a
 * create, and the promises and round trips of the API. The full form writes the budget of the quick form.
 */
export async function* costRows(harness: Harness): AsyncGenerator<Row> {
  const budget = JSON.parse(await readFile(BUDGET_FILE, 'utf8')) as Record<string, number>;
  const measured: Record<string, number> = {};
  for await (const row of measuredRows(harness)) {
    measured[row.number] = Number(row.ratio.median.toFixed(2));
    yield { ...row, mostOfBest: TOLERANCE * (budget[row.number] ?? Infinity) };
  }
  if (!harness.scale.quick) {
    await writeFile(BUDGET_FILE, `${JSON.stringify(measured, null, 2)}\n`);
  }
}

async function* measuredRows(harness: Harness): AsyncGenerator<Row> {
  yield* documentRows(harness);
  yield* deliveryRows(harness);
  yield* promiseRows(harness);
  yield* roundTripRows(harness);
}

async function* documentRows(harness: Harness): AsyncGenerator<Row> {
  const [galley, bare] = [await harness.install(), await installBare(harness)];
  await galley.startWorker();
  const sides = {
    galley: { database: galley.database, programs: galley.processes },
    bare: { database: bare.database, programs: [bare.program] },
  };
  const create = (bytes: number): Pick<Operation, 'galley' | 'bare' | 'target'> => {
    const contents = emailDocuments(bytes, DOCUMENTS);
    return {
      target: 1.5,
      galley: async (count) => {
        await sendRequests(createLoad(galley, contents), count);
        await workerIsQuiet(galley);
      },
      bare: (count) => sendRequests(createBareLoad(bare, contents), count),
    };
  };
  const read = async (): Promise<Pick<Operation, 'galley' | 'bare'>> => {
    const load = readLoad(galley, await createTemplate(galley));
    const bareId = await bare.create(emailDocument(10 * KB));
    const bareLoad = { url: `${bare.url}/templates/${bareId}`, method: 'GET' } as const;
    return {
      galley: (count) => sendRequests(load, count),
      bare: (count) => sendRequests(bareLoad, count),
    };
  };
  const bareList = {
    url: `${bare.url}/templates?workspaceId=${bare.workspaceId}`,
    method: 'GET',
  } as const;
  const operations: Operation[] = [
    { name: 'create 1 KB', count: 3_000, walTarget: 6, ...create(KB) },
    { name: 'create 28 KB', count: 1_200, walTarget: 25, ...create(28 * KB) },
    { name: 'read 10 KB', count: 6_000, target: 1.3, ...(await read()) },
    {
      name: 'list 50',
      count: 3_000,
      target: 1.5,
      galley: (count) => sendRequests(listLoad(galley), count),
      bare: (count) => sendRequests(bareList, count),
    },
  ];
  for (const operation of operations) {
    // Otherwise plans of reads depend on how far autovacuum has come.
    await Promise.all(
      [galley, bare].map(({ database }) => database.query('VACUUM ANALYZE documents')),
    );
    yield* rowsOf(harness, sides, operation);
  }
  await Promise.all([galley.stop(), bare.stop()]);
}

async function* deliveryRows(harness: Harness): AsyncGenerator<Row> {
  const { queue, redisProcessId } = harness;
  const galley = await GalleyDeliveries.start(harness, queue);
  const bare = await BareDeliveries.start(harness, queue);
  const { database } = galley.galley;
  const sharedPids = redisProcessId === undefined ? [] : [redisProcessId];
  const sides = {
    galley: { database, programs: galley.galley.processes, sharedPids },
    bare: { database, programs: [bare.worker], sharedPids },
  };
  yield* rowsOf(harness, sides, {
    name: `deliver, queue in ${queue}`,
    count: 6_000,
    target: 2.5,
    galley: (count) => galley.perSecond(count),
    bare: (count) => bare.perSecond(count),
  });
  await Promise.all([galley.stop(), bare.stop()]);
}

async function* rowsOf(
  { scale }: Harness,
  sides: { galley: Side; bare: Side },
  { name, count, target, walTarget, ...operation }: Operation,
): AsyncGenerator<Row> {
  const wal = { galley: [] as number[], bare: [] as number[] };
  const side = (own: 'galley' | 'bare', other: 'galley' | 'bare') => async () => {
    const cost: Cost = await measureCost(sides[own], sides[other], count, () =>
      operation[own](count),
    );
    wal[own].push(cost.walBytes / KB);
    return cost.ms;
  };
  const figures = await interleave(scale.rounds, {
    galley: side('galley', 'bare'),
    bare: side('bare', 'galley'),
  });
  yield {
    number: `25 (${name})`,
    what: 'processor time of all processes',
    baseline: 'of the bare programs',
    unit: 'ms',
    ...compare(figures.galley, figures.bare),
    target: { atMost: target },
  };
  if (walTarget === undefined) return;
  // The first round warms up.
  const [galley, bare] = [wal.galley.slice(1), wal.bare.slice(1)];
  yield {
    number: `26 (${name})`,
    what: 'WAL',
    baseline: 'of bare Fastify + node-postgres',
    unit: 'KB',
    galley: median(galley),
    against: median(bare),
    ratio: spread(galley),
    target: { atMost: walTarget },
  };
}

/** Waits until the worker has nothing left to do. */
async function workerIsQuiet({ database }: Installation): Promise<void> {
  await eventually('the worker to be quiet', async () => {
    const [row] = await database.query<{ open: boolean }>(
      'SELECT EXISTS (SELECT FROM outbox) OR EXISTS (SELECT FROM documents_to_index) AS open',
    );
    if (row?.open === true) await delay(POLL_MS);
    return row?.open === false;
  });
}
