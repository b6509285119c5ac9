import { expect } from '@jest/globals';
import {
  AttemptRecorder,
  type AttemptResult,
  type ClaimedDelivery,
  type EndpointHealth,
  type EndpointStatus,
} from '#webhooks';
import type { PreparedDatabase } from './prepared-database.js';
import type { PreparedEndpoint } from './prepared-endpoint.js';
import type { State } from './state.js';

/** Seconds after which the sweep queues an endpoint again whose job was lost. */
export const QUEUED_JOB_TIMEOUT = 20;

/** An attempt at a delivery. */
export interface Attempt {
  delivery: string;
  result: Partial<AttemptResult>;
  /** The fencing number with which the delivery was claimed. */
  claim: number;
  /** Seconds until the next attempt. Left out: this attempt is the last. */
  retryIn?: number;
}

/** An endpoint, attempts that are recorded together, and the state after the recording. */
export interface RecordCase extends State {
  title: string;
  attempts: Attempt[];
  /** The `EndpointUpdate` that `record` must return. Left out: none. */
  update?: {
    shouldClaimNext?: boolean;
    newStatus?: EndpointStatus | null;
    health?: EndpointHealth;
    consecutiveFailures?: number;
  };
  /** Columns that are left out may have any value. `log`, if given, names all finished deliveries. */
  after: State;
}

export const success = (delivery: string, claim = 1): Attempt => ({
  delivery,
  claim,
  result: { ok: true, statusCode: 204, stage: null, error: null },
});

/** A failed attempt. If `retryIn` is undefined, it is the last attempt of the delivery. */
export const failure = (
  delivery: string,
  { retryIn, ...options }: FailureOptions = {},
): Attempt => {
  const { claim = 1, ...result } = options;
  const failed = {
    ok: false,
    statusCode: 500,
    stage: 'status' as const,
    error: 'the status was 500',
  };
  return { delivery, claim, result: { ...failed, ...result }, ...(retryIn && { retryIn }) };
};
type FailureOptions = Partial<Pick<Attempt, 'claim' | 'retryIn'> & AttemptResult>;

const IN_FLIGHT = { claims: 1, claimed_until: 9 };

/** Deliveries `d1`, `d2` and so on that are in flight. */
export const inFlight = (count: number, columns = {}): NonNullable<State['deliveries']> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`d${index + 1}`, { ...IN_FLIGHT, ...columns }]),
  );

export async function record(
  database: PreparedDatabase,
  endpoint: PreparedEndpoint,
  ...attempts: Attempt[]
) {
  const updates = await Promise.all(
    attempts.map(({ delivery, result, claim, retryIn }) =>
      database.get(AttemptRecorder).record(
        {
          id: endpoint.idOf(delivery),
          endpointId: endpoint.id,
          workspaceId: endpoint.workspaceId,
          claimNumber: claim,
          url: 'https://receiver.example/',
        } as ClaimedDelivery,
        {
          startedAt: new Date('2026-01-01T00:00:00Z'),
          durationMs: 5,
          requestHeaders: {},
          responseHeaders: {},
          responseBody: '',
          ...result,
        } as AttemptResult,
        retryIn === undefined ? undefined : retryIn * 1_000,
      ),
    ),
  );
  return updates.filter((update) => update !== undefined);
}

export async function expectRecord(
  database: PreparedDatabase,
  { attempts, update, after, ...before }: RecordCase,
): Promise<void> {
  const endpoint = await database.prepare(before);
  const updates = await record(database, endpoint, ...attempts);
  expect(updates).toMatchObject(update === undefined ? [] : [update]);
  const actual = await endpoint.read();
  expect(actual).toMatchObject(after);
  if (after.log === undefined) return;
  const finished = Object.keys(after.log);
  const pending = Object.keys(before.deliveries ?? {}).filter((name) => !finished.includes(name));
  expect(Object.keys(actual.log)).toEqual(finished);
  expect(Object.keys(actual.deliveries).sort()).toEqual(pending.sort());
}
