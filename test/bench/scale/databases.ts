import { randomNumbers } from '../content/random.js';
import { firstLimit, limitsOf, type EventCost } from './model.js';

/** The assumptions about many workspaces on several databases. */
export const FLEET = {
  workspaces: 10_000,
  /** The exponent of Zipf's law: the second largest workspace has half of the events of the largest one. */
  exponent: 1,
  /** Workspaces move until the busiest database is at most this much above the mean. */
  tolerance: 1.1,
  /** Placements of the workspaces that are simulated, each with another seed. */
  trials: 11,
} as const;

/** How evenly the workspaces lie on the databases. */
interface Balance {
  /** The load of the busiest database divided by the mean. */
  busiest: number;
  /** How many workspaces moved. */
  moves: number;
}

export interface Fleet {
  databases: number;
  /** Each workspace on the database that the hash of its id names. */
  hashed: Balance;
  /** The same, after workspaces have moved from the busiest database to the least busy one. */
  moved: Balance;
  /** Events a second at the peak, limited by the busiest database. */
  eventsPerSecond: number;
}

/** The workspaces of a database: the part of all events that each has, the largest first, and their sum. */
interface Database {
  loads: number[];
  total: number;
}

/** Simulates a placement, and how much all databases carry until the busiest one reaches its limit. */
export function simulateFleet(cost: EventCost, databases: number): Fleet {
  const loads = workspaceLoads();
  const trials = Array.from({ length: FLEET.trials }, (_, seed) => {
    return placeByHash(loads, databases, seed);
  });
  const sorted = trials.toSorted((one, other) => busiestOf(one) - busiestOf(other));
  const placement = sorted[Math.floor(sorted.length / 2)] ?? [];
  const hashed = { busiest: busiestOf(placement), moves: 0 };
  const moves = moveWorkspaces(placement);
  const moved = { busiest: busiestOf(placement), moves };
  const { eventsPerSecond } = firstLimit(limitsOf(cost));
  return {
    databases,
    hashed,
    moved,
    eventsPerSecond: (eventsPerSecond * databases) / moved.busiest,
  };
}

/** The part of all events that each workspace has, from the largest to the smallest. */
export function workspaceLoads(): number[] {
  const weights = Array.from({ length: FLEET.workspaces }, (_, rank) => {
    return 1 / (rank + 1) ** FLEET.exponent;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function placeByHash(loads: readonly number[], count: number, seed: number): Database[] {
  const random = randomNumbers(seed);
  const databases: Database[] = Array.from({ length: count }, () => ({ loads: [], total: 0 }));
  for (const load of loads) {
    const database = databases[Math.floor(random() * count)];
    if (database === undefined) continue;
    database.loads.push(load);
    database.total += load;
  }
  return databases;
}

/**
 * Moves the workspaces that help most, until no database is far above the mean.
 *
 * @returns how many workspaces moved.
 */
function moveWorkspaces(databases: Database[]): number {
  for (let moves = 0; ; moves++) {
    databases.sort((one, other) => other.total - one.total);
    const [busiest, leastBusy] = [databases[0], databases.at(-1)];
    if (busiest === undefined || leastBusy === undefined) return moves;
    if (busiest.total * databases.length <= FLEET.tolerance) return moves;
    // Half of the gap makes both databases equal. A workspace larger than the gap would only move the peak.
    const gap = busiest.total - leastBusy.total;
    const chosen = busiest.loads.findIndex((load) => load <= gap / 2);
    if (chosen < 0) return moves;
    const [load = 0] = busiest.loads.splice(chosen, 1);
    busiest.total -= load;
    add(leastBusy, load);
  }
}

function add(database: Database, load: number): void {
  const position = database.loads.findIndex((other) => other < load);
  database.loads.splice(position < 0 ? database.loads.length : position, 0, load);
  database.total += load;
}

const busiestOf = (databases: readonly Database[]): number =>
  Math.max(...databases.map(({ total }) => total)) * databases.length;
