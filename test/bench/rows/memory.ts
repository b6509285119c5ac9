import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '../../support/eventually.js';
import { emailDocuments } from '../content/documents.js';
import { median, spread, type SkippedRow, type Row } from '../figures.js';
import { sendRequests } from '../load.js';
import type { Harness } from '../harness.js';
import { createLoad } from './documents/create.js';
import { GalleyDeliveries } from './galley-deliveries.js';

/** Row 11: memory does not grow, however long API and worker run. */
export async function* memoryRows(harness: Harness): AsyncGenerator<Row | SkippedRow> {
  if (harness.scale.quick) {
    yield {
      number: '11',
      skipReason: 'it takes as long as it says, and a short form says nothing',
    };
    return;
  }
  const { galley, receiver: receiver } = await GalleyDeliveries.start(harness, harness.queue);
  const send = async (count: number) => {
    await sendRequests(createLoad(galley, emailDocuments(1_000, 50)), count);
    await eventually(
      'everything to be delivered',
      async () => {
        const [row] = await galley.database.query<{ open: boolean }>(
          `SELECT EXISTS (SELECT FROM outbox) OR EXISTS (SELECT FROM webhook_deliveries) AS open`,
        );
        return row?.open === false;
      },
      { timeout: 600_000 },
    );
    await receiver.forget();
    return Promise.all(galley.processes.map(({ process: { pid = 0 } }) => residentMegabytes(pid)));
  };
  const [apiEarly = NaN, workerEarly = NaN] = await send(EARLY);
  const [apiLate = NaN, workerLate = NaN] = await send(LATE - EARLY);
  await galley.stop();
  await receiver.stop();
  for (const [name, before, after] of [
    ['API', apiEarly, apiLate],
    ['worker', workerEarly, workerLate],
  ] as const) {
    yield {
      number: `11 (${name})`,
      what: `memory of the ${name} after ${LATE.toLocaleString('en')} ${name === 'API' ? 'requests' : 'deliveries'}`,
      baseline: `after ${EARLY.toLocaleString('en')}`,
      unit: 'MB',
      galley: after,
      against: before,
      ratio: spread([after / before]),
      target: { atMost: 1.1 },
    };
  }
}

const EARLY = 50_000;
const LATE = 250_000;
const SAMPLES = 5;

/** The median of five samples over a few seconds, because memory varies with the garbage collector. */
async function residentMegabytes(pid: number): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    samples.push(Number(stdout) / 1024);
    await delay(500);
  }
  return median(samples);
}
