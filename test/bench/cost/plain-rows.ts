import { emailDocument } from '../content/documents.js';
import { spread, type Row } from '../figures.js';
import type { Harness } from '../harness.js';
import type { Load } from '../load.js';
import { createLoad } from '../rows/documents/create.js';
import { createTemplate, KB, listLoad, readLoad } from './loads.js';
import { promisesPerRequest } from './promises.js';
import { roundTripsPerRequest } from './round-trips.js';

/** Row 27: the promises that the API makes for a request. */
export async function* promiseRows(harness: Harness): AsyncGenerator<Row> {
  const promises = await promisesPerRequest(harness, async (galley) => ({
    create: createLoad(galley, [emailDocument(KB)]),
    read: readLoad(galley, await createTemplate(galley)),
  }));
  for (const [name, atMost] of [
    ['create', 40],
    ['read', 30],
  ] as const) {
    yield plainRow(`27 (${name})`, `promises of the API for a ${name}`, 'promises', {
      count: promises[name],
      atMost,
    });
  }
}

/** Row 30: how often a request waits for PostgreSQL. */
export async function* roundTripRows(harness: Harness): AsyncGenerator<Row> {
  const roundTrips = await roundTripsPerRequest(
    harness,
    async (galley): Promise<Record<string, Load>> => ({
      'create 1 KB': createLoad(galley, [emailDocument(KB)]),
      'create 28 KB': createLoad(galley, [emailDocument(28 * KB)]),
      'read 10 KB': readLoad(galley, await createTemplate(galley)),
      'list 50': listLoad(galley),
    }),
  );
  for (const [name, count] of Object.entries(roundTrips)) {
    yield plainRow(`30 (${name})`, 'round trips to PostgreSQL', 'round trips', {
      count,
      atMost: 1,
    });
  }
}

const plainRow = (
  number: string,
  what: string,
  unit: string,
  { count, atMost }: { count: number; atMost: number },
): Row => ({
  number,
  what,
  baseline: 'none',
  unit,
  galley: count,
  ratio: spread([count]),
  target: { atMost },
});
