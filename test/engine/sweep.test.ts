import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Claims, type EndpointHealth } from '#webhooks';
import { PreparedDatabase } from './support/prepared-database.js';
import type { State } from './support/state.js';

const HEALTHY_JOB_TIMEOUT = 20;
const UNHEALTHY_JOB_TIMEOUT = 60;
const SWEEP_CHUNK_SIZE = 100;

interface SweepCase extends State {
  title: string;
  /** The health with which the endpoint is queued. Left out: the endpoint is not queued. */
  queuedAs?: EndpointHealth;
  /** Milliseconds until the next endpoint wakes, if there is one. */
  nextSweepInMs?: number;
  after: State;
}

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

// A sweep looks at all endpoints, so the endpoints of earlier tests must be gone.
beforeEach(() => database.query('DELETE FROM webhook_traffic'));

it.each<SweepCase>([
  {
    title: 'an endpoint that is to wake at this moment is queued',
    traffic: { wake_at: 0, window_size: 2 },
    queuedAs: 'healthy',
    after: { traffic: { queued: true, wake_at: HEALTHY_JOB_TIMEOUT } },
  },
  {
    title: 'an endpoint that is to wake later is not queued, and says when to sweep again',
    traffic: { wake_at: 1.5 },
    nextSweepInMs: 1_500,
    after: { traffic: { queued: false, wake_at: 1.5 } },
  },
  {
    title: 'an endpoint that has nothing to do is not queued',
    traffic: { wake_at: null },
    after: { traffic: { queued: false, wake_at: null } },
  },
  {
    title: 'an endpoint whose job was lost is queued again',
    traffic: { wake_at: -1, queued: true, window_size: 2 },
    queuedAs: 'healthy',
    after: { traffic: { queued: true, wake_at: HEALTHY_JOB_TIMEOUT } },
  },
  {
    title: 'an endpoint that was never tried may wait longer for a slot',
    traffic: { wake_at: -1 },
    queuedAs: 'unproven',
    after: { traffic: { queued: true, wake_at: UNHEALTHY_JOB_TIMEOUT } },
  },
  {
    title: 'an endpoint whose last attempt failed is failing',
    traffic: { wake_at: -1, failures: 1 },
    queuedAs: 'failing',
    after: { traffic: { queued: true, wake_at: UNHEALTHY_JOB_TIMEOUT } },
  },
  {
    title: 'an endpoint whose breaker is half-open is failing',
    traffic: { wake_at: -1, failures: 5, opened: 1, open_until: -1 },
    queuedAs: 'failing',
    after: { traffic: { queued: true, wake_at: UNHEALTHY_JOB_TIMEOUT } },
  },
])('$title', async ({ queuedAs, nextSweepInMs = null, after, ...before }) => {
  const endpoint = await database.prepare(before);
  const { id: endpointId, workspaceId } = endpoint;
  expect(await database.get(Claims).sweep()).toEqual({
    dueEndpoints: queuedAs === undefined ? [] : [{ endpointId, workspaceId, health: queuedAs }],
    nextSweepInMs,
  });
  expect(await endpoint.read()).toMatchObject(after);
});

it('the endpoints that were to wake first are queued first, and the next sweep follows at once', async () => {
  const endpoints = await Promise.all(
    Array.from({ length: SWEEP_CHUNK_SIZE + 1 }, (_, index) =>
      database.prepare({ traffic: { wake_at: index - SWEEP_CHUNK_SIZE } }),
    ),
  );
  const claims = database.get(Claims);
  const first = await claims.sweep();
  const firstIds = endpoints.slice(0, -1).map(({ id }) => id);
  expect(first.dueEndpoints.map(({ endpointId }) => endpointId).sort()).toEqual(firstIds.sort());
  expect(first.nextSweepInMs).toBe(0);
  const second = await claims.sweep();
  expect(second.dueEndpoints).toMatchObject([{ endpointId: endpoints.at(-1)?.id }]);
  expect(second.nextSweepInMs).toBe(UNHEALTHY_JOB_TIMEOUT * 1_000);
});
