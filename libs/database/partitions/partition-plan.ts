/** Converts a time to a value of a table's partition key. */
type ToBoundary = (date: Date) => string;

const timestampAt: ToBoundary = (date) => date.toISOString();

/**
 * A lower bound for all UUIDs of version 7 (RFC 9562, section 5.7) that are generated at a given time or later. A UUID
 * of version 7 begins with the time of its generation.
 */
export const firstIdAt: ToBoundary = (date) => {
  const hex = date.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

interface PartitionedTable {
  name: string;
  boundary: ToBoundary;
  /** Storage parameters of the partitions: a partitioned table itself cannot have any. */
  storage?: string;
}

/** The partitioned tables. They hold the history of events, deliveries and attempts. */
const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  { name: 'events', boundary: timestampAt },
  { name: 'webhook_delivery_log', boundary: firstIdAt },
  { name: 'webhook_attempts', boundary: firstIdAt },
  {
    name: 'webhook_statistics',
    boundary: timestampAt,
    // The rows of the current interval are updated often. The free space on each page allows heap-only tuple (HOT)
    // updates, which do not touch the index.
    storage: 'fillfactor = 70',
  },
];

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;
// 1970 began on a Thursday; weeks begin on Monday.
const FIRST_MONDAY_MS = 4 * DAY_MS;

export const partitionedTableNames = PARTITIONED_TABLES.map(({ name }) => name);

/**
 * Returns the weekly partitions of all tables, from the week of `from` to the week of `to`. Maps the name of each
 * partition to the statement that creates the partition.
 */
export function partitionsBetween(from: Date, to: Date): Map<string, string> {
  const partitions = new Map<string, string>();
  const firstWeek = from.getTime() - ((from.getTime() - FIRST_MONDAY_MS) % WEEK_MS);
  for (let week = firstWeek; week <= to.getTime(); week += WEEK_MS) {
    const [start, end] = [new Date(week), new Date(week + WEEK_MS)];
    for (const { name: table, boundary, storage } of PARTITIONED_TABLES) {
      const name = `${table}_${start.toISOString().slice(0, 10).replaceAll('-', '_')}`;
      partitions.set(
        name,
        `CREATE TABLE ${name} PARTITION OF ${table}
         FOR VALUES FROM ('${boundary(start)}') TO ('${boundary(end)}')
         ${storage === undefined ? '' : `WITH (${storage})`}`,
      );
    }
  }
  return partitions;
}

/** Returns the time at which a partition ends, a week after the start date in its name. */
export function partitionEnd(name: string): Date {
  const start = name.slice(-'2026_01_01'.length).replaceAll('_', '-');
  return new Date(new Date(`${start}T00:00:00Z`).getTime() + WEEK_MS);
}
