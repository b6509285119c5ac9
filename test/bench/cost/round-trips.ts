import { PostgresProxy } from '../../support/network/postgres-proxy.js';
import { median } from '../figures.js';
import type { Harness, Installation } from '../harness.js';
import { sendRequests, type Load } from '../load.js';

// Counts begin after as many requests, when connections are open and caches are filled.
const WARM_UP = 20;
// The median leaves out the statements that the API sends from time to time by itself.
const REQUESTS = 9;
const ONE_BY_ONE = { connections: 1 };

/**
 * How many round trips to PostgreSQL the API makes for a request of each load. A proxy counts them, as in the
 * tests of round trips.
 */
export async function roundTripsPerRequest(
  harness: Harness,
  loadsOf: (galley: Installation) => Promise<Record<string, Load>>,
): Promise<Record<string, number>> {
  const database = await harness.database();
  const proxy = await PostgresProxy.to(database.url, 'galley api');
  const galley = await harness.install({ database: { ...database, url: proxy.databaseUrl } });
  const medians: Record<string, number> = {};
  for (const [name, load] of Object.entries(await loadsOf(galley))) {
    await sendRequests(load, WARM_UP, ONE_BY_ONE);
    const counts: number[] = [];
    for (let request = 0; request < REQUESTS; request++) {
      const cost = await proxy.measureCost(() => sendRequests(load, 1, ONE_BY_ONE));
      counts.push(cost.roundTrips);
    }
    medians[name] = median(counts);
  }
  await galley.stop();
  await proxy.stop();
  await database.drop();
  return medians;
}
