import { expect, it } from '@jest/globals';
import { createRedis } from './client.js';

it('a cluster whose host is unknown does not end a program that no longer listens to the client', async () => {
  const cluster = createRedis('redis+cluster://redis.invalid', { whenUnavailable: 'wait' });
  // `once` of node:events would listen to errors as well.
  await new Promise((resolve) => cluster.once('close', resolve));
  cluster.disconnect();
  expect(cluster.listenerCount('error')).toBe(0);
});
