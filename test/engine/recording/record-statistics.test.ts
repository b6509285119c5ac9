import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PreparedDatabase } from '../support/prepared-database.js';
import type { PreparedEndpoint } from '../support/prepared-endpoint.js';
import { failure, inFlight, record, success, type Attempt } from '../support/record-case.js';
import type { State } from '../support/state.js';

const FIVE_MINUTES_MS = 5 * 60 * 1_000;

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

/** Columns of `webhook_statistics`. Counters that are left out are zero. */
type Counters = Record<string, number>;

/** The rows of an endpoint or a workspace, without the counters that are zero. */
async function countersOf(subjectId: string): Promise<Counters[]> {
  const rows = await database.query<Counters>(
    `SELECT * FROM webhook_statistics WHERE subject_id = $1 ORDER BY interval_start`,
    [subjectId],
  );
  return rows.map(({ subject_id, interval_start, ...counters }) =>
    Object.fromEntries(Object.entries(counters).filter(([, count]) => count !== 0)),
  );
}

/** The counters of an endpoint. The counters of its workspace must be the same. */
async function countersOfBoth(endpoint: PreparedEndpoint): Promise<Counters[]> {
  const counters = await countersOf(endpoint.id);
  expect(await countersOf(endpoint.workspaceId)).toEqual(counters);
  return counters;
}

interface StatisticsCase extends State {
  title: string;
  attempts: Attempt[];
  counted: Counters;
}

const retry = { retryIn: 60 };
const lostLease = { claims: 2, claimed_until: 15, due_at: -60 };

describe('outcomes', () => {
  it.each<StatisticsCase>([
    {
      title: 'a success is an attempt and a delivered delivery',
      deliveries: inFlight(1),
      attempts: [success('d1')],
      counted: { attempts: 1, delivered: 1, within_8: 1 },
    },
    {
      title: 'a failure that gets another attempt is a retried attempt',
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      counted: { attempts: 1, retried: 1, within_8: 1 },
    },
    {
      title: 'a failure without attempts left is a failed delivery',
      deliveries: inFlight(1),
      attempts: [failure('d1')],
      counted: { attempts: 1, failed: 1, within_8: 1 },
    },
    {
      title: 'attempts that are recorded together are added up',
      deliveries: inFlight(5),
      attempts: [success('d1'), success('d2'), success('d3'), failure('d4', retry), failure('d5')],
      counted: { attempts: 5, delivered: 3, failed: 1, retried: 1, within_8: 5 },
    },
    {
      title: 'a delivery whose event is no longer kept fails without a response time',
      deliveries: inFlight(1),
      attempts: [failure('d1', { stage: 'event', statusCode: null, requestHeaders: null })],
      counted: { attempts: 1, failed: 1 },
    },
    {
      title: 'a failure after a lost lease is retried: the later worker makes the next attempt',
      deliveries: { d1: lostLease },
      attempts: [failure('d1', { claim: 1 })],
      counted: { attempts: 1, retried: 1, within_8: 1 },
    },
    {
      title: 'a success after a lost lease is a delivered delivery',
      deliveries: { d1: lostLease },
      attempts: [success('d1', 1)],
      counted: { attempts: 1, delivered: 1, within_8: 1 },
    },
  ])('$title', async ({ attempts, counted, ...before }) => {
    const endpoint = await database.prepare(before);
    await record(database, endpoint, ...attempts);
    expect(await countersOfBoth(endpoint)).toEqual([counted]);
  });

  it.each([
    ['a success', success('d1', 2)],
    ['a failure', failure('d1', { claim: 2, ...retry })],
    ['a last failure', failure('d1', { claim: 2 })],
  ])('%s of a delivery that is finished is only an attempt', async (_title, attempt) => {
    const endpoint = await database.prepare({ deliveries: { d1: lostLease } });
    await record(database, endpoint, success('d1', 1));
    await record(database, endpoint, attempt);
    expect(await countersOfBoth(endpoint)).toEqual([{ attempts: 2, delivered: 1, within_8: 2 }]);
  });

  it('an attempt that is recorded twice counts once', async () => {
    const endpoint = await database.prepare({ deliveries: inFlight(2) });
    await record(database, endpoint, failure('d1', retry));
    await record(database, endpoint, failure('d1', retry));
    await record(database, endpoint, failure('d1', retry), success('d2'));
    expect(await countersOfBoth(endpoint)).toEqual([
      { attempts: 2, delivered: 1, retried: 1, within_8: 2 },
    ]);
  });

  it('endpoints count for themselves, and together for their workspace', async () => {
    const first = await database.prepare({ deliveries: inFlight(1) });
    const second = await database.prepare({ deliveries: inFlight(2) });
    Object.assign(second, { workspaceId: first.workspaceId });
    await Promise.all([
      record(database, first, success('d1')),
      record(database, second, failure('d1', retry), success('d2')),
    ]);
    expect(await countersOf(first.id)).toEqual([{ attempts: 1, delivered: 1, within_8: 1 }]);
    expect(await countersOf(second.id)).toEqual([
      { attempts: 2, delivered: 1, retried: 1, within_8: 2 },
    ]);
    expect(await countersOf(first.workspaceId)).toEqual([
      { attempts: 3, delivered: 2, retried: 1, within_8: 3 },
    ]);
  });
});

describe('response times', () => {
  it.each([
    [-1, 'within_1'],
    [0, 'within_1'],
    [1, 'within_1'],
    [2, 'within_2'],
    [3, 'within_4'],
    [4, 'within_4'],
    [5, 'within_8'],
    [8_192, 'within_8192'],
    [8_193, 'within_15000'],
    [15_000, 'within_15000'],
    [15_001, 'longer'],
    [3_600_000, 'longer'],
  ])('%i ms are counted in %s', async (durationMs, column) => {
    const endpoint = await database.prepare({ deliveries: inFlight(1) });
    await record(database, endpoint, {
      ...success('d1'),
      result: { ...success('d1').result, durationMs },
    });
    expect(await countersOfBoth(endpoint)).toEqual([{ attempts: 1, delivered: 1, [column]: 1 }]);
  });

  it.each([
    ['sign', false],
    ['dns', false],
    ['connect', false],
    ['tls', false],
    ['send', false],
    ['first-byte', true],
    ['status', true],
  ] as const)('a failure in the stage %s has a response time: %s', async (stage, isCounted) => {
    const endpoint = await database.prepare({ deliveries: inFlight(1) });
    await record(database, endpoint, failure('d1', { stage, ...retry }));
    expect(await countersOfBoth(endpoint)).toEqual([
      { attempts: 1, retried: 1, ...(isCounted && { within_8: 1 }) },
    ]);
  });
});

it('an attempt counts in the five minutes in which it is recorded', async () => {
  const endpoint = await database.prepare({ deliveries: inFlight(1) });
  await record(database, endpoint, success('d1'));
  const [row] = await database.query<{ interval_start: Date }>(
    'SELECT interval_start FROM webhook_statistics WHERE subject_id = $1',
    [endpoint.id],
  );
  const now = database.dateAt(0).getTime();
  expect(row?.interval_start.getTime()).toBe(now - (now % FIVE_MINUTES_MS));
});

describe('the last failure', () => {
  const lastFailureOf = async (endpoint: PreparedEndpoint) => {
    const { traffic } = await endpoint.read();
    const { last_failed_delivery_id: id, last_failed_claim: claim } = traffic;
    return [id && endpoint.nameOf(id), claim];
  };

  it('is the latest failed attempt, and a success does not change it', async () => {
    const endpoint = await database.prepare({ deliveries: inFlight(3, { claims: 4 }) });
    expect(await lastFailureOf(endpoint)).toEqual([null, null]);
    await record(database, endpoint, failure('d1', { claim: 4, ...retry }));
    expect(await lastFailureOf(endpoint)).toEqual(['d1', 4]);
    await record(database, endpoint, success('d2', 4));
    expect(await lastFailureOf(endpoint)).toEqual(['d1', 4]);
    await record(database, endpoint, failure('d3', { claim: 4 }));
    expect(await lastFailureOf(endpoint)).toEqual(['d3', 4]);
  });
});

interface PauseCase extends State {
  title: string;
  attempts: Attempt[];
  isRequested: boolean;
  until: number;
}

describe('the reason of a pause', () => {
  const requested = { retryIn: 300, retryAfterMs: 120_000 };
  it.each<PauseCase>([
    {
      title: 'the receiver asked for it',
      deliveries: inFlight(1),
      attempts: [failure('d1', requested)],
      isRequested: true,
      until: 120,
    },
    {
      title: 'the circuit breaker',
      traffic: { failures: 4 },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      isRequested: false,
      until: 5,
    },
    {
      title: 'the circuit breaker, after a pause that the receiver asked for has ended',
      traffic: { failures: 4, open_until: -1, is_pause_requested: true },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      isRequested: false,
      until: 5,
    },
    {
      title: 'the circuit breaker, but the receiver asked for a longer pause',
      traffic: { failures: 4 },
      deliveries: inFlight(1),
      attempts: [failure('d1', requested)],
      isRequested: true,
      until: 120,
    },
    {
      title: 'the receiver asked for a shorter pause than that of the circuit breaker',
      traffic: { failures: 9, opened: 5, open_until: 200 },
      deliveries: inFlight(1),
      attempts: [failure('d1', requested)],
      isRequested: false,
      until: 200,
    },
    {
      title: 'a pause that the receiver asked for continues after another failure',
      traffic: { open_until: 100, is_pause_requested: true },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      isRequested: true,
      until: 100,
    },
  ])('$title', async ({ attempts, isRequested, until, ...before }) => {
    const endpoint = await database.prepare(before);
    await record(database, endpoint, ...attempts);
    const { traffic } = await endpoint.read();
    expect(traffic).toMatchObject({ is_pause_requested: isRequested, open_until: until });
  });
});
