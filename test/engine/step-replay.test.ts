import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Database, MAX_UUID, NIL_UUID } from '#database';
import { ReplayJob, type DueEndpoint } from '#webhooks';
import { PreparedDatabase } from './support/prepared-database.js';
import { RESOURCE_A, RESOURCE_B, type State } from './support/state.js';

const DAY = 24 * 3_600;
const RETENTION_DAYS = 30;
const REPLAY_ID = '00000000-0000-7000-8000-00000000000f';

interface ReplayCase extends State {
  title: string;
  /** Columns of the replay, which was started a minute ago. */
  replay?: object;
  /** The delivery at which the previous step of the replay ended. Left out: there was no step. */
  reached?: string;
  /** The positions of the events whose deliveries are repeated. */
  repeated: number[];
  isQueued?: boolean;
  /** Columns of the replay after the step. */
  progress: object;
}

let database: PreparedDatabase;
let queued: DueEndpoint[];
let job: ReplayJob;

beforeAll(async () => {
  database = await PreparedDatabase.start();
  job = new ReplayJob(database.get(Database), RETENTION_DAYS, (endpoints) => {
    queued = endpoints;
    return Promise.resolve();
  });
});
afterAll(() => database.stop());

// A step works on the replay that is due first, and all tests give their replay the same id. So each test
// begins without the rows of earlier tests.
beforeEach(async () => {
  await database.query('DELETE FROM webhook_replays');
  await database.query('DELETE FROM webhook_deliveries');
});

const pendingOfReplay = (count: number, columns = {}) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `p${index}`,
      { replay_id: REPLAY_ID, event_position: 1_000 + index, ...columns },
    ]),
  );
const DONE = { status: 'done', finished_at: 0 };
const STALLED = { status: 'running', done: 0, stalls: 1, next_step_at: 0.05 };

it.each<ReplayCase>([
  {
    title: 'a replay repeats finished deliveries, and its endpoint is queued',
    log: {
      d1: { status: 'delivered' },
      d2: { status: 'failed' },
      d3: { status: 'cancelled' },
    },
    repeated: [1, 2, 3],
    isQueued: true,
    progress: { ...DONE, done: 3 },
  },
  {
    title: 'a replay repeats what its filters match',
    log: {
      d1: { status: 'failed', kind: 'module.created', resource_id: RESOURCE_A },
      d2: { status: 'delivered', kind: 'module.created', resource_id: RESOURCE_A },
      d3: { status: 'failed', kind: 'template.created', resource_id: RESOURCE_A },
      d4: { status: 'failed', kind: 'module.created', resource_id: RESOURCE_B },
    },
    replay: { statuses: ['failed'], events: ['module.*'], resource_id: RESOURCE_A },
    repeated: [1],
    isQueued: true,
    progress: { ...DONE, done: 1 },
  },
  {
    title: 'a replay does not repeat deliveries that finished after its start',
    log: { d1: { finished_at: -60 }, d2: { finished_at: -59 } },
    repeated: [1],
    isQueued: true,
    progress: { ...DONE, done: 1 },
  },
  {
    title: 'a replay does not repeat deliveries that a replay has made',
    log: { d1: {}, d2: { replay_id: REPLAY_ID } },
    repeated: [1],
    isQueued: true,
    progress: { ...DONE, done: 1 },
  },
  {
    title: 'a replay does not repeat deliveries whose event is no longer kept',
    log: {
      d1: { event_relayed_at: -RETENTION_DAYS * DAY },
      d2: { event_relayed_at: -RETENTION_DAYS * DAY + 1 },
    },
    repeated: [2],
    isQueued: true,
    progress: { ...DONE, done: 1 },
  },
  {
    title: 'a replay goes on where its last step has ended',
    log: { d1: {}, d2: {}, d3: {} },
    reached: 'd2',
    replay: { done: 2 },
    repeated: [3],
    isQueued: true,
    progress: { ...DONE, done: 3 },
  },
  {
    title: 'a replay repeats no more than 100 deliveries ahead',
    deliveries: pendingOfReplay(99),
    log: { d1: {}, d2: {} },
    repeated: [1],
    isQueued: true,
    progress: { status: 'running', done: 1, stalls: 0, next_step_at: 0.05 },
  },
  {
    title: 'a replay waits while 100 of its deliveries were not tried yet',
    deliveries: pendingOfReplay(100),
    log: { d1: {} },
    repeated: [],
    progress: STALLED,
  },
  {
    title: 'a replay that finds no room waits longer each time',
    deliveries: pendingOfReplay(100),
    log: { d1: {} },
    replay: { stalls: 4 },
    repeated: [],
    progress: { stalls: 5, next_step_at: 0.8 },
  },
  {
    title: 'deliveries that wait for a retry do not hold up a replay',
    deliveries: pendingOfReplay(100, { attempts: 1, due_at: 300 }),
    log: { d1: {} },
    repeated: [1],
    isQueued: true,
    progress: { ...DONE, done: 1 },
  },
  {
    title: 'deliveries that wait for an earlier one of their resource do not hold up a replay',
    deliveries: pendingOfReplay(100, { due_at: Infinity }),
    log: { d1: {} },
    repeated: [1],
    isQueued: true,
    progress: { ...DONE, done: 1 },
  },
  {
    title: 'a cancelled replay repeats nothing',
    log: { d1: {} },
    replay: { status: 'cancelled' },
    repeated: [],
    progress: { status: 'cancelled', done: 0 },
  },
  {
    title: 'an endpoint that is queued already is not queued by a replay',
    traffic: { queued: true },
    log: { d1: {} },
    repeated: [1],
    progress: { ...DONE, done: 1 },
  },
  {
    title: 'an endpoint whose breaker is open is not queued by a replay',
    traffic: { opened: 1, open_until: 5 },
    log: { d1: {} },
    repeated: [1],
    progress: { ...DONE, done: 1 },
  },
  {
    title: 'an endpoint whose window is full is not queued by a replay',
    traffic: { in_flight: 1, claimed_until: 9 },
    log: { d1: {} },
    repeated: [1],
    progress: { ...DONE, done: 1 },
  },
])('$title', async ({ replay, reached, repeated, isQueued = false, progress, ...before }) => {
  queued = [];
  const endpoint = await database.prepare(before);
  await database.insert('webhook_replays', {
    id: REPLAY_ID,
    endpoint_id: endpoint.id,
    reached: reached === undefined ? NIL_UUID : endpoint.idOf(reached),
    end_id: MAX_UUID,
    total: 9,
    created_at: -60,
    next_step_at: 0,
    ...replay,
  });
  await job.step();
  const made = await database.select<{ event_position: string }>(
    `SELECT event_position FROM webhook_deliveries
     WHERE endpoint_id = $1 AND replay_id = $2 AND due_at = $3 AND attempts = 0 AND event_position < 1000
     ORDER BY event_position`,
    endpoint.id,
    REPLAY_ID,
    database.dateAt(0),
  );
  expect(made.map(({ event_position: position }) => Number(position))).toEqual(repeated);
  const { id: endpointId, workspaceId } = endpoint;
  expect(queued).toEqual(isQueued ? [{ endpointId, workspaceId, health: 'unproven' }] : []);
  const [after] = await database.select('SELECT * FROM webhook_replays WHERE id = $1', REPLAY_ID);
  expect(after).toMatchObject(progress);
});

it('a step does not begin before it is due', async () => {
  const endpoint = await database.prepare({ log: { d1: {} } });
  await database.insert('webhook_replays', {
    id: REPLAY_ID,
    endpoint_id: endpoint.id,
    reached: NIL_UUID,
    end_id: MAX_UUID,
    total: 1,
    created_at: -60,
    next_step_at: 0.05,
  });
  expect(await job.step()).toBe(50);
  expect(await endpoint.read()).toMatchObject({ deliveries: {} });
  expect(await database.select('SELECT done FROM webhook_replays')).toEqual([{ done: 0 }]);
});

it('the replay that has been due longest does the next step', async () => {
  const ids = ['a', 'b', 'c'].map((digit) => REPLAY_ID.replace(/f$/, digit));
  for (const [index, dueAt] of [-1, -2, 5].entries()) {
    const endpoint = await database.prepare({ log: { d1: {} } });
    await database.insert('webhook_replays', {
      id: ids[index],
      endpoint_id: endpoint.id,
      reached: NIL_UUID,
      end_id: MAX_UUID,
      total: 1,
      created_at: -60,
      next_step_at: dueAt,
    });
  }
  const finished = async () => {
    const rows = await database.select<{ id: string }>(
      `SELECT id FROM webhook_replays WHERE status = 'done' ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  };
  // The other replay that is due does not wait for it.
  expect(await job.step()).toBe(0);
  expect(await finished()).toEqual([ids[1]]);
  expect(await job.step()).toBe(5_000);
  expect(await finished()).toEqual([ids[0], ids[1]]);
  expect(await job.step()).toBe(5_000);
});
