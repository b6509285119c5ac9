import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PreparedDatabase } from '../support/prepared-database.js';
import {
  expectRecord,
  failure,
  inFlight,
  record,
  success,
  type RecordCase,
} from '../support/record-case.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const retry = { retryIn: 60 };

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

describe('window', () => {
  const four = inFlight(4);
  it.each<RecordCase>([
    {
      title: 'a success widens a window of which half is in use',
      traffic: { window_size: 4, in_flight: 2 },
      deliveries: inFlight(2),
      attempts: [success('d1')],
      after: { traffic: { window_size: 5, in_flight: 1 } },
    },
    {
      title: 'a success does not widen a window of which less than half is in use',
      traffic: { window_size: 4, in_flight: 1 },
      deliveries: inFlight(1),
      attempts: [success('d1')],
      after: { traffic: { window_size: 4, in_flight: 0 } },
    },
    {
      title: 'each success widens the window',
      traffic: { window_size: 4, in_flight: 4 },
      deliveries: four,
      attempts: [success('d1'), success('d2'), success('d3')],
      after: { traffic: { window_size: 7, in_flight: 1 } },
    },
    {
      title: 'the window grows to 100 and no further',
      traffic: { window_size: 99, in_flight: 99 },
      deliveries: inFlight(2),
      attempts: [success('d1'), success('d2')],
      after: { traffic: { window_size: 100, in_flight: 97 } },
    },
    {
      title: 'a failure halves the window',
      traffic: { window_size: 8, in_flight: 4 },
      deliveries: four,
      attempts: [failure('d1', retry)],
      after: { traffic: { window_size: 4, in_flight: 3 } },
    },
    {
      title: 'failures that are recorded together halve the window once',
      traffic: { window_size: 8, in_flight: 4 },
      deliveries: four,
      attempts: [failure('d1', retry), failure('d2', retry), failure('d3', retry)],
      after: { traffic: { window_size: 4, in_flight: 1, failures: 3 } },
    },
    {
      title: 'an odd window is halved downwards',
      traffic: { window_size: 5, in_flight: 4 },
      deliveries: four,
      attempts: [failure('d1', retry)],
      after: { traffic: { window_size: 2 } },
    },
    {
      title: 'the window is never smaller than 1',
      traffic: { window_size: 1, in_flight: 1 },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: { traffic: { window_size: 1, in_flight: 0 } },
    },
    {
      title: 'a failure beside a success does not halve the window',
      traffic: { window_size: 8, in_flight: 4 },
      deliveries: four,
      attempts: [failure('d1', retry), success('d2')],
      after: { traffic: { window_size: 9, in_flight: 2, failures: 0 } },
    },
    {
      title: 'an event that is no longer kept is neither a failure nor a success',
      traffic: { window_size: 8, in_flight: 4, failures: 2, failing_since: -60, failed_at: -30 },
      deliveries: four,
      attempts: [failure('d1', { statusCode: null, stage: 'event' })],
      after: {
        traffic: { window_size: 8, in_flight: 3, failures: 2, failing_since: -60, failed_at: -30 },
        log: { d1: { status: 'failed', attempts: 1 } },
      },
    },
    {
      title: 'more attempts than are counted as in flight leave none in flight',
      traffic: { window_size: 4, in_flight: 1 },
      deliveries: inFlight(2),
      attempts: [success('d1'), success('d2')],
      after: { traffic: { in_flight: 0 } },
    },
  ])('$title', (row) => expectRecord(database, row));
});

describe('failures in a row', () => {
  it.each<RecordCase>([
    {
      title: 'the first failure begins a streak',
      traffic: { in_flight: 1 },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: { traffic: { failures: 1, failing_since: 0, failed_at: 0 } },
    },
    {
      title: 'a further failure continues the streak',
      traffic: { in_flight: 1, failures: 2, failing_since: -36 * HOUR, failed_at: -36 * HOUR },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: { traffic: { failures: 3, failing_since: -36 * HOUR, failed_at: 0 } },
    },
    {
      title: 'a failure after a silence of more than 36 hours begins a new streak',
      traffic: {
        in_flight: 1,
        failures: 2,
        failing_since: -40 * HOUR,
        failed_at: -36 * HOUR - 1,
      },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: { traffic: { failures: 3, failing_since: 0, failed_at: 0 } },
    },
    {
      title: 'a success ends the streak',
      traffic: { in_flight: 1, failures: 4, failing_since: -60, failed_at: -30 },
      deliveries: inFlight(1),
      attempts: [success('d1')],
      after: { traffic: { failures: 0, failing_since: null, failed_at: null } },
    },
  ])('$title', (row) => expectRecord(database, row));
});

describe('circuit breaker', () => {
  const opensAgain = { traffic: { in_flight: 1, failures: 5 }, deliveries: inFlight(1) };

  it.each([
    { timesOpened: 0, pause: 5 },
    { timesOpened: 1, pause: 10 },
    { timesOpened: 2, pause: 20 },
    { timesOpened: 3, pause: 40 },
    { timesOpened: 4, pause: 80 },
    { timesOpened: 5, pause: 160 },
    { timesOpened: 6, pause: 300 },
    { timesOpened: 7, pause: 300 },
    { timesOpened: 5_000, pause: 300 },
  ])(
    'a breaker that has opened $timesOpened times in a row pauses for $pause s',
    async ({ timesOpened, pause }) => {
      const traffic = { ...opensAgain.traffic, opened: timesOpened, open_until: -1 };
      const endpoint = await database.prepare({ ...opensAgain, traffic });
      await record(database, endpoint, failure('d1', retry));
      expect((await endpoint.read()).traffic).toMatchObject({
        opened: timesOpened + 1,
        open_until: pause,
        wake_at: pause,
      });
    },
  );

  it.each([
    { random: 0, pause: 4 },
    { random: 1, pause: 6 },
  ])('the pause varies by a fifth: $pause s at random $random', async ({ random, pause }) => {
    await database.setRandom(random);
    try {
      const endpoint = await database.prepare(opensAgain);
      await record(database, endpoint, failure('d1', retry));
      expect((await endpoint.read()).traffic).toMatchObject({ open_until: pause });
    } finally {
      await database.setRandom(0.5);
    }
  });

  it.each<RecordCase>([
    {
      title: 'four failures in a row leave the breaker closed',
      traffic: { window_size: 8, in_flight: 1, failures: 3 },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: {
        traffic: { failures: 4, opened: 0, open_until: -Infinity, window_size: 4, wake_at: 60 },
      },
    },
    {
      title: 'the fifth failure in a row opens the breaker, and one attempt may follow',
      traffic: { window_size: 8, in_flight: 1, failures: 4 },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [failure('d1', retry)],
      update: {
        shouldClaimNext: false,
        newStatus: 'failing',
        health: 'failing',
        consecutiveFailures: 5,
      },
      after: {
        traffic: {
          failures: 5,
          opened: 1,
          open_until: 5,
          window_size: 1,
          wake_at: 5,
          queued: false,
        },
      },
    },
    {
      title: 'five failures that are recorded together open the breaker',
      traffic: { window_size: 8, in_flight: 5 },
      deliveries: inFlight(5),
      attempts: ['d1', 'd2', 'd3', 'd4', 'd5'].map((name) => failure(name, retry)),
      update: { newStatus: 'failing', consecutiveFailures: 5 },
      after: { traffic: { failures: 5, opened: 1, open_until: 5, in_flight: 0 } },
    },
    {
      title: 'a success beside the fifth failure keeps the breaker closed',
      traffic: { window_size: 8, in_flight: 2, failures: 4 },
      deliveries: inFlight(2),
      attempts: [failure('d1', retry), success('d2')],
      after: { traffic: { failures: 0, opened: 0, open_until: -Infinity } },
    },
    {
      title: 'a failure that was in flight when the breaker opened does not prolong the pause',
      endpoint: { status: 'failing' },
      traffic: { in_flight: 1, failures: 5, opened: 1, open_until: 3 },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: { traffic: { failures: 6, opened: 1, open_until: 3, wake_at: 3 } },
    },
    {
      title: 'a failure opens the half-open breaker for a longer pause',
      endpoint: { status: 'failing' },
      traffic: { in_flight: 1, failures: 5, opened: 1, open_until: 0 },
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: { traffic: { failures: 6, opened: 2, open_until: 10, wake_at: 10, window_size: 1 } },
    },
    {
      title: 'a success closes the half-open breaker, and the endpoint wakes at once',
      endpoint: { status: 'failing' },
      traffic: { in_flight: 1, failures: 6, opened: 2, open_until: -1, wake_at: 30 },
      deliveries: inFlight(1),
      attempts: [success('d1')],
      update: { shouldClaimNext: false, newStatus: 'active', health: 'healthy' },
      after: {
        traffic: { failures: 0, opened: 0, open_until: -Infinity, window_size: 2, wake_at: 0 },
      },
    },
    {
      title: 'a success that was in flight when the breaker opened closes it',
      endpoint: { status: 'failing' },
      traffic: { in_flight: 1, failures: 5, opened: 1, open_until: 5 },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [success('d1')],
      update: { shouldClaimNext: true, newStatus: 'active' },
      after: { traffic: { opened: 0, open_until: -Infinity, queued: true } },
    },
  ])('$title', (row) => expectRecord(database, row));
});

describe('Retry-After', () => {
  const asksFor = (seconds: number) => ({
    ...retry,
    statusCode: 503,
    retryAfterMs: seconds * 1_000,
  });
  it.each<RecordCase>([
    {
      title: 'a receiver that asks for a pause gets it, and one attempt afterwards',
      traffic: { window_size: 8, in_flight: 4, wake_at: 1 },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [failure('d1', asksFor(30))],
      after: {
        traffic: { window_size: 1, open_until: 30, opened: 0, wake_at: 30, queued: false },
      },
    },
    {
      title: 'the longest pause counts',
      traffic: { window_size: 8, in_flight: 4 },
      deliveries: inFlight(2),
      attempts: [failure('d1', asksFor(30)), failure('d2', asksFor(10))],
      after: { traffic: { open_until: 30 } },
    },
    {
      title: 'a pause of more than 5 minutes ends after 5 minutes',
      traffic: { in_flight: 1 },
      deliveries: inFlight(1),
      attempts: [failure('d1', asksFor(DAY))],
      after: { traffic: { open_until: 300 } },
    },
    {
      title: 'a pause of 0 s is none',
      traffic: { window_size: 8, in_flight: 4 },
      deliveries: inFlight(1),
      attempts: [failure('d1', asksFor(0))],
      after: { traffic: { window_size: 4, wake_at: 60 } },
    },
    {
      title: 'a longer pause of the receiver prolongs that of the breaker',
      traffic: { in_flight: 1, failures: 4 },
      deliveries: inFlight(1),
      attempts: [failure('d1', asksFor(30))],
      update: { newStatus: 'failing' },
      after: { traffic: { opened: 1, open_until: 30 } },
    },
    {
      title: 'a shorter pause of the receiver does not shorten that of the breaker',
      traffic: { in_flight: 1, failures: 4 },
      deliveries: inFlight(1),
      attempts: [failure('d1', asksFor(3))],
      update: { newStatus: 'failing' },
      after: { traffic: { opened: 1, open_until: 5 } },
    },
    {
      title: 'a success does not end the pause that the receiver asked for',
      traffic: { in_flight: 1, failures: 1, open_until: 30, is_pause_requested: true },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [success('d1')],
      after: { traffic: { failures: 0, open_until: 30, wake_at: 30, queued: false } },
    },
    {
      title: 'a success does not end that pause either if the breaker has opened',
      endpoint: { status: 'failing' },
      traffic: { in_flight: 1, failures: 5, opened: 1, open_until: 30, is_pause_requested: true },
      deliveries: { ...inFlight(1), due: {} },
      attempts: [success('d1')],
      update: { shouldClaimNext: false, newStatus: 'active' },
      after: { traffic: { opened: 0, open_until: 30, wake_at: 30, queued: false } },
    },
  ])('$title', (row) => expectRecord(database, row));
});

describe('status', () => {
  const failedFor = (seconds: number) => ({
    in_flight: 1,
    failures: 40,
    failing_since: -seconds,
    failed_at: -HOUR,
    opened: 9,
    open_until: -1,
  });
  it.each<RecordCase>([
    {
      title: 'an endpoint that has failed for more than 5 days is to be disabled',
      endpoint: { status: 'failing' },
      traffic: failedFor(5 * DAY + 1),
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      update: { newStatus: 'disabled', consecutiveFailures: 41, health: 'failing' },
      after: { traffic: { failures: 41 } },
    },
    {
      title: 'an endpoint that has failed for 5 days is not yet disabled',
      endpoint: { status: 'failing' },
      traffic: failedFor(5 * DAY),
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: { traffic: { failures: 41 } },
    },
    {
      title: 'a success keeps an endpoint enabled that has failed for more than 5 days',
      endpoint: { status: 'failing' },
      traffic: failedFor(6 * DAY),
      deliveries: inFlight(1),
      attempts: [success('d1')],
      update: { newStatus: 'active' },
      after: { traffic: { failures: 0 } },
    },
    {
      title: 'an attempt that ends after its endpoint was disabled changes no status',
      endpoint: { status: 'disabled' },
      traffic: failedFor(6 * DAY),
      deliveries: inFlight(1),
      attempts: [failure('d1', retry)],
      after: { traffic: { failures: 41, in_flight: 0 } },
    },
    {
      title: 'a success after the endpoint was disabled changes no status',
      endpoint: { status: 'disabled' },
      traffic: { in_flight: 1 },
      deliveries: inFlight(1),
      attempts: [success('d1')],
      after: { log: { d1: { status: 'delivered' } } },
    },
  ])('$title', (row) => expectRecord(database, row));
});
