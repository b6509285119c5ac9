import { once } from 'node:events';
import type { Child } from '../child.js';
import type { Harness, Installation } from '../harness.js';
import { sendRequests, type Load } from '../load.js';

// Counts begin after as many requests, when connections are open and caches are filled.
const WARM_UP = 200;
const REQUESTS = 1_000;
// One request after the other: a request that waits for a connection makes more promises.
const CONNECTIONS = 1;
const COUNTER = new URL('count-promises.js', import.meta.url).href;

/** How many promises the API makes for a request of each load. */
export async function promisesPerRequest<Name extends string>(
  harness: Harness,
  loadsOf: (galley: Installation) => Promise<Record<Name, Load>>,
): Promise<Record<Name, number>> {
  const galley = await harness.install({
    environment: { NODE_OPTIONS: `--import=${COUNTER}` },
  });
  const [api] = galley.processes as [Child];
  const counts = {} as Record<Name, number>;
  for (const [name, load] of Object.entries<Load>(await loadsOf(galley))) {
    await sendRequests(load, WARM_UP, { connections: CONNECTIONS });
    const before = await countOf(api);
    await sendRequests(load, REQUESTS, { connections: CONNECTIONS });
    counts[name as Name] = ((await countOf(api)) - before) / REQUESTS;
  }
  await galley.stop();
  return counts;
}

async function countOf({ process: program }: Child): Promise<number> {
  program.send('count');
  const [count] = (await once(program, 'message')) as [number];
  return count;
}
