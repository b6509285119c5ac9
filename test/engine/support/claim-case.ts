import { expect } from '@jest/globals';
import { Claims } from '#webhooks';
import type { PreparedDatabase } from './prepared-database.js';
import type { State } from './state.js';

/** Seconds for which a claimed delivery belongs to its worker. */
export const LEASE = 20;
/** Seconds after which the sweep queues an endpoint again whose job was lost. */
export const QUEUED_JOB_TIMEOUT = 20;

export const CLAIMED = { claims: 1, claimed_until: LEASE };
export const UNCLAIMED = { claims: 0, claimed_until: null };

/** An endpoint, one claim of its deliveries, and the state after the claim. */
export interface ClaimCase extends State {
  title: string;
  /** How many deliveries may be claimed. Left out: 50. */
  limit?: number;
  /** The names of the claimed deliveries, sorted. */
  claimed: string[];
  /** Whether more deliveries could be sent now. Left out: false. */
  hasMore?: boolean;
  /** Milliseconds until the rate limit allows the next delivery. Left out: null. */
  pausedForMs?: number;
  /** Columns that are left out may have any value. */
  after: State;
}

/** Deliveries `d1`, `d2` and so on. `d1` was due first, a minute ago. */
export const deliveries = (count: number, columns = {}): NonNullable<State['deliveries']> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index + 1}`, columns]));

export async function expectClaim(
  database: PreparedDatabase,
  { limit = 50, claimed, hasMore = false, pausedForMs, after, ...before }: ClaimCase,
): Promise<void> {
  const endpoint = await database.prepare(before);
  const result = await database.get(Claims).claim(endpoint.id, limit);
  const names = result.deliveries.map(({ id }) => endpoint.nameOf(id)).sort();
  expect({ ...result, deliveries: names }).toEqual({
    deliveries: claimed,
    hasMore,
    pausedForMs: pausedForMs === undefined ? null : expect.closeTo(pausedForMs, 3),
  });
  expect(await endpoint.read()).toMatchObject(after);
}
