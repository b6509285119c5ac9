import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PreparedDatabase } from '../support/prepared-database.js';
import {
  expectRecord,
  failure,
  inFlight,
  QUEUED_JOB_TIMEOUT,
  record,
  success,
  type RecordCase,
} from '../support/record-case.js';
import { RESOURCE_A, RESOURCE_B } from '../support/state.js';

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

const attemptsOf = (deliveryId: string) =>
  database.query<{ claim: number }>(
    'SELECT * FROM webhook_attempts WHERE delivery_id = $1 ORDER BY claim',
    [deliveryId],
  );

describe('deliveries', () => {
  it.each<RecordCase>([
    {
      title: 'a delivery that failed is due again when the schedule says',
      traffic: { in_flight: 1 },
      deliveries: inFlight(1, { attempts: 2, claims: 3 }),
      attempts: [failure('d1', { claim: 3, retryIn: 300 })],
      after: {
        traffic: { in_flight: 0, wake_at: 300 },
        deliveries: { d1: { attempts: 3, claims: 3, claimed_until: null, due_at: 300 } },
        log: {},
      },
    },
    {
      title: 'the endpoint wakes for the retry that is due first',
      traffic: { window_size: 8, in_flight: 2, wake_at: 900 },
      deliveries: inFlight(2),
      attempts: [failure('d1', { retryIn: 300 }), failure('d2', { retryIn: 5 })],
      after: {
        traffic: { wake_at: 5 },
        deliveries: { d1: { due_at: 300 }, d2: { due_at: 5 } },
      },
    },
    {
      title: 'a retry does not postpone an earlier wake-up',
      traffic: { in_flight: 1, wake_at: 10 },
      deliveries: inFlight(1),
      attempts: [failure('d1', { retryIn: 300 })],
      after: { traffic: { wake_at: 10 } },
    },
  ])('$title', (row) => expectRecord(database, row));

  it.each([
    { title: 'a delivered delivery', attempt: success('d1', 7), status: 'delivered' },
    {
      title: 'a delivery without attempts left',
      attempt: failure('d1', { claim: 7 }),
      status: 'failed',
    },
  ])('$title moves to the log with all its attempts', async ({ attempt, status }) => {
    const replay_id = '00000000-0000-7000-8000-000000000001';
    const before = { attempts: 6, claims: 7, resource_id: RESOURCE_A, replay_id };
    const endpoint = await database.prepare({
      traffic: { in_flight: 2 },
      deliveries: inFlight(1, before),
    });
    const [waiting] = await database.query(
      'SELECT endpoint_id, id, workspace_id, event_position, event_id, kind, sequence FROM webhook_deliveries WHERE endpoint_id = $1',
      [endpoint.id],
    );
    await record(database, endpoint, attempt);
    const { log, traffic, deliveries } = await endpoint.read();
    expect(deliveries).toEqual({});
    const expected = { resource_id: RESOURCE_A, replay_id, attempts: 7, status };
    expect(log).toMatchObject({ d1: { ...waiting, ...expected } });
    expect(traffic).toMatchObject({ in_flight: 1 });
  });

  it('the log keeps what was sent and what came back', async () => {
    const endpoint = await database.prepare({ deliveries: inFlight(2) });
    const startedAt = new Date('2026-02-03T04:05:06.789Z');
    const responseFields = {
      startedAt,
      durationMs: 12,
      statusCode: 502,
      error: 'the status was 502',
      requestHeaders: { 'x-sent': '1' },
      responseHeaders: { 'x-received': '2' },
      responseBody: 'no',
    };
    const unsent = {
      statusCode: null,
      stage: 'sign' as const,
      error: 'no secret',
      requestHeaders: null,
      responseHeaders: null,
      responseBody: null,
    };
    await record(
      database,
      endpoint,
      failure('d1', { ...responseFields, retryIn: 9 }),
      failure('d2', { ...unsent, retryIn: 9 }),
    );
    expect(await attemptsOf(endpoint.idOf('d1'))).toEqual([
      {
        delivery_id: endpoint.idOf('d1'),
        claim: 1,
        started_at: startedAt,
        duration_ms: 12,
        status_code: 502,
        stage: 'status',
        error: 'the status was 502',
        request_headers: { 'x-sent': '1' },
        response_headers: { 'x-received': '2' },
        response_body: 'no',
        url: 'https://receiver.example/',
      },
    ]);
    expect(await attemptsOf(endpoint.idOf('d2'))).toMatchObject([
      { stage: 'sign', error: 'no secret', status_code: null, request_headers: null, url: null },
    ]);
  });
});

describe('a lost lease', () => {
  const takenOver = { claims: 2, claimed_until: 15, due_at: -60 };

  it.each<RecordCase>([
    {
      title: 'a failure of the earlier worker leaves the delivery to the later one',
      traffic: { window_size: 8, in_flight: 1 },
      deliveries: { d1: takenOver },
      attempts: [failure('d1', { claim: 1, retryIn: 300 })],
      after: {
        traffic: { in_flight: 1, failures: 1 },
        deliveries: { d1: { ...takenOver, attempts: 1 } },
      },
    },
    {
      title: 'the last failure of the earlier worker does not give the delivery up',
      traffic: { window_size: 8, in_flight: 1 },
      deliveries: { d1: { ...takenOver, attempts: 9 } },
      attempts: [failure('d1', { claim: 1 })],
      after: {
        traffic: { in_flight: 1 },
        deliveries: { d1: { ...takenOver, attempts: 10 } },
        log: {},
      },
    },
    {
      title: 'a success of the earlier worker is a success, and the later attempt is still counted',
      traffic: { window_size: 8, in_flight: 1 },
      deliveries: { d1: takenOver },
      attempts: [success('d1', 1)],
      after: {
        traffic: { in_flight: 1, failures: 0 },
        log: { d1: { status: 'delivered', attempts: 1 } },
      },
    },
  ])('$title', (row) => expectRecord(database, row));

  it('the attempt of the later worker frees its place after the delivery is finished', async () => {
    const endpoint = await database.prepare({
      traffic: { window_size: 8, in_flight: 1, failures: 1 },
      deliveries: { d1: takenOver },
    });
    await record(database, endpoint, success('d1', 1));
    await record(database, endpoint, failure('d1', { claim: 2, retryIn: 300 }));
    const { traffic, deliveries, log } = await endpoint.read();
    expect(traffic).toMatchObject({ in_flight: 0, failures: 1 });
    expect(deliveries).toEqual({});
    expect(log).toMatchObject({ d1: { status: 'delivered', attempts: 1 } });
    expect(await attemptsOf(endpoint.idOf('d1'))).toMatchObject([{ claim: 1 }, { claim: 2 }]);
  });

  it('an attempt that is recorded twice counts once', async () => {
    const endpoint = await database.prepare({
      traffic: { window_size: 8, in_flight: 2 },
      deliveries: inFlight(2),
    });
    await record(database, endpoint, failure('d1', { retryIn: 300 }));
    const once = await endpoint.read();
    expect(await record(database, endpoint, failure('d1', { retryIn: 900 }))).toEqual([]);
    expect(await endpoint.read()).toEqual(once);
    expect(once).toMatchObject({ traffic: { in_flight: 1, failures: 1 } });
  });
});

describe('ordered deliveries', () => {
  const inOrder = (resource_id: string, columns = {}) => ({
    resource_id,
    is_ordered: true,
    due_at: Infinity,
    ...columns,
  });
  const BLOCKED = { due_at: Infinity };
  const first = inOrder(RESOURCE_A, { due_at: -60, claims: 1, claimed_until: 9 });
  const released = { shouldClaimNext: true, newStatus: null };
  const traffic = { window_size: 4, in_flight: 2 };
  it.each<RecordCase>([
    {
      title: 'a success releases the next delivery of its resource',
      traffic,
      deliveries: {
        a1: first,
        a2: inOrder(RESOURCE_A),
        a3: inOrder(RESOURCE_A),
        b1: inOrder(RESOURCE_B),
      },
      attempts: [success('a1')],
      update: { ...released, health: 'healthy' },
      after: {
        traffic: { queued: true, wake_at: QUEUED_JOB_TIMEOUT },
        deliveries: { a2: { due_at: 0 }, a3: BLOCKED, b1: BLOCKED },
      },
    },
    {
      title: 'a delivery that is given up releases the next one',
      traffic,
      deliveries: { a1: first, a2: inOrder(RESOURCE_A) },
      attempts: [failure('a1')],
      update: { ...released, health: 'healthy' },
      after: { deliveries: { a2: { due_at: 0 } }, log: { a1: { status: 'failed' } } },
    },
    {
      title: 'a delivery that waits for its retry releases none',
      traffic,
      deliveries: { a1: first, a2: inOrder(RESOURCE_A) },
      attempts: [failure('a1', { retryIn: 300 })],
      after: { traffic: { queued: false }, deliveries: { a1: { due_at: 300 }, a2: BLOCKED } },
    },
    {
      title: 'the deliveries of the next event are released together',
      traffic,
      deliveries: {
        a1: first,
        a2: inOrder(RESOURCE_A, { event_position: 2 }),
        repeated: inOrder(RESOURCE_A, { event_position: 2 }),
        a3: inOrder(RESOURCE_A, { event_position: 3 }),
      },
      attempts: [success('a1')],
      update: released,
      after: { deliveries: { a2: { due_at: 0 }, repeated: { due_at: 0 }, a3: BLOCKED } },
    },
    {
      title: 'a next delivery that waits for a retry goes on waiting, and so do those behind it',
      traffic,
      deliveries: { a1: first, a2: inOrder(RESOURCE_A, { due_at: 300 }), a3: inOrder(RESOURCE_A) },
      attempts: [success('a1')],
      after: { deliveries: { a2: { due_at: 300 }, a3: BLOCKED } },
    },
    {
      title: 'a delivery from before the endpoint was ordered releases none',
      traffic,
      deliveries: { a1: { ...first, is_ordered: false }, a2: inOrder(RESOURCE_A) },
      attempts: [success('a1')],
      after: { deliveries: { a2: BLOCKED } },
    },
    {
      title: 'a delivery of another resource releases none',
      traffic,
      deliveries: { b1: { ...first, resource_id: RESOURCE_B }, a2: inOrder(RESOURCE_A) },
      attempts: [success('b1')],
      after: { deliveries: { a2: BLOCKED } },
    },
    {
      title: 'an earlier delivery of the resource is not the next one',
      traffic,
      deliveries: { a1: inOrder(RESOURCE_A), a2: first, a3: inOrder(RESOURCE_A) },
      attempts: [success('a2')],
      update: released,
      after: { deliveries: { a1: BLOCKED, a3: { due_at: 0 } } },
    },
  ])('$title', (row) => expectRecord(database, row));
});

describe('the next claim', () => {
  it.each<RecordCase>([
    {
      title: 'an endpoint is queued when no more than half of its window is in use',
      traffic: { window_size: 4, in_flight: 3, wake_at: 900 },
      deliveries: { ...inFlight(1), due: { due_at: 0 } },
      attempts: [success('d1')],
      update: { shouldClaimNext: true, newStatus: null, health: 'healthy' },
      after: { traffic: { in_flight: 2, queued: true, wake_at: QUEUED_JOB_TIMEOUT } },
    },
    {
      title: 'an endpoint is not queued while more than half of its window is in use',
      traffic: { window_size: 4, in_flight: 4, wake_at: 7 },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [success('d1')],
      after: { traffic: { in_flight: 3, queued: false, wake_at: 7 } },
    },
    {
      title: 'an endpoint that is queued already is not queued twice',
      traffic: { window_size: 4, in_flight: 1, queued: true, wake_at: 7 },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [success('d1')],
      after: { traffic: { queued: true, wake_at: 7 } },
    },
    {
      title: 'an endpoint is not queued for deliveries in flight or of the future',
      traffic: { window_size: 4, in_flight: 2, wake_at: 7 },
      deliveries: { ...inFlight(2), retry: { due_at: 0.001 } },
      attempts: [success('d1')],
      after: { traffic: { queued: false, wake_at: 7 } },
    },
    {
      title: 'an endpoint that has not succeeded yet counts as failing after a failure',
      traffic: { in_flight: 1 },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [failure('d1', { retryIn: 300 })],
      update: { shouldClaimNext: true, health: 'failing', consecutiveFailures: 1 },
      after: { traffic: { queued: true } },
    },
    {
      title: 'an endpoint stays healthy after a failure that leaves its window larger than 1',
      traffic: { window_size: 8, in_flight: 1 },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [failure('d1', { retryIn: 300 })],
      update: { shouldClaimNext: true, health: 'healthy' },
      after: { traffic: { window_size: 4 } },
    },
  ])('$title', (row) => expectRecord(database, row));

  it('attempts of two endpoints that share a statement count for their own endpoint', async () => {
    const before = { traffic: { window_size: 8, in_flight: 4 }, deliveries: inFlight(1) };
    const failing = await database.prepare(before);
    const healthy = await database.prepare(before);
    await Promise.all([
      record(database, failing, failure('d1', { retryIn: 300 })),
      record(database, healthy, success('d1')),
    ]);
    expect(await failing.read()).toMatchObject({ traffic: { window_size: 4, failures: 1 } });
    expect(await healthy.read()).toMatchObject({ traffic: { window_size: 9, failures: 0 } });
  });
});

it('an attempt is recorded at the next try if PostgreSQL fails once', async () => {
  // A rollback does not reset a sequence, so the sequence counts every try.
  await database.query(`CREATE SEQUENCE fixed.tries;
    CREATE FUNCTION fixed.fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('fixed.tries') = 1 THEN RAISE EXCEPTION 'PostgreSQL is busy'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER fail_once BEFORE INSERT ON webhook_attempts
      FOR EACH ROW EXECUTE FUNCTION fixed.fail_once()`);
  const endpoint = await database.prepare({ traffic: { in_flight: 1 }, deliveries: inFlight(1) });
  await record(database, endpoint, success('d1'));
  expect(await endpoint.read()).toMatchObject({
    traffic: { in_flight: 0 },
    log: { d1: { status: 'delivered' } },
  });
});
