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

/** An endpoint, one claim of its deliveries, and what the claim has left. */
export interface ClaimCase extends State {
  title: string;
  /** How many deliveries may be claimed; 50 if it is left out. */
  limit?: number;
  /** The names of the claimed deliveries, sorted. */
  claimed: string[];
  /** False if it is left out. */
  hasMore?: boolean;
  /** Null if it is left out. */
  pausedForMs?: number;
  /** Columns that are left out may have any value. */
  after: State;
}

/** Deliveries `d1`, `d2` and so on. The first was due first, a minute ago. */
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
