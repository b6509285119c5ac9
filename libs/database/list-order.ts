import type { Database } from './database.js';
import { HORIZON, TAKE_HORIZON } from './horizon.js';
import { HIGHEST_ID, type Keyset, type Page, type PageRequest, type Position } from './keyset.js';
import { pageSoFar } from './page-bytes.js';

/** How a list can be ordered; `-` is descending. Ties go by id in the same direction. */
export const sorts = [
  ...(['updatedAt', '-updatedAt', 'createdAt', '-createdAt'] as const),
  ...(['name', '-name'] as const),
];
export type Sort = (typeof sorts)[number];

/** What a caller asks of a list that has a choice of orders. */
export interface SortedRequest extends PageRequest {
  sort: Sort;
  /** Only what has changed at this time or later. */
  updatedSince?: Date;
}

/** A page of a list that can be followed. */
export interface SyncPage<T> extends Page<T> {
  /**
   * The cursor with which a later request gets what has changed after this page; `null` in orders that
   * do not go forward in time. It holds the id beside the time: the changes of one batch share a time.
   */
  syncCursor: string | null;
}

/** SQL of what names are ordered by: without regard to case, and by bytes, as no locale changes. */
export const nameKey = (name: string): string => `lower(${name}) COLLATE "C"`;

const time = { keyOf: (value: string) => value, lowest: '-infinity', highest: 'infinity' };
const keys = {
  updatedAt: { ...time, column: 'updated_at' },
  createdAt: { ...time, column: 'created_at' },
  // A name has 255 characters at most, so that this is after all of them.
  name: { keyOf: nameKey, lowest: '', highest: '\u{10ffff}'.repeat(256), column: 'name' },
};

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

// One place to begin at: of two, PostgreSQL may take the earlier one, and read up to the other.
const LATER_OF_BOTH = `(greatest($3, $5::timestamptz),
  CASE WHEN $5::timestamptz > $3 THEN '${LOWEST_ID}'::uuid ELSE $4 END)`;

interface Row {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * The parts of a statement that reads a page of `table` in one of the orders, each of which is an
 * index of that table. `$3` and `$4` are the position, `$5` is `updatedSince`; the page's columns are
 * named as the fields are.
 */
export function listOrder(sort: Sort, table: string) {
  const field = sort.replace('-', '') as keyof typeof keys;
  const { column, keyOf, lowest, highest } = keys[field];
  const isDescending = sort.startsWith('-');
  const [operator, direction] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
  const key = keyOf(`${table}.${column}`);
  const isForwardInTime = !isDescending && field !== 'name';
  const by = `${key} ${direction}, ${table}.id ${direction}`;
  const positionOf = (row: Row): Position => [row[field], row.id];
  return {
    first: isDescending ? [highest, HIGHEST_ID] : [lowest, LOWEST_ID],
    after: [
      sort === 'updatedAt'
        ? `(${key}, ${table}.id) > ${LATER_OF_BOTH}`
        : `(${key}, ${table}.id) ${operator} (${keyOf('$3')}, $4)
           AND ${table}.updated_at >= coalesce($5::timestamptz, '-infinity')`,
      ...(isForwardInTime ? [`${key} < ${HORIZON}`] : []),
    ].join(' AND '),
    by,
    /** The window of `contentInPage`. */
    soFar: pageSoFar(by),
    byInPage: `${keyOf(`page."${field}"`)} ${direction}, page.id ${direction}`,
    /** Runs the statement that has these parts. */
    read: <Found extends object>(database: Database, text: string, values: readonly unknown[]) =>
      isForwardInTime
        ? database.together<Found>(TAKE_HORIZON, [text, values])
        : database.query<Found>(text, values),
    /** Without rows the position stays where it was, so that it never passes a change. */
    page: <T extends Row>(keyset: Keyset, rows: T[], { limit, cursor }: PageRequest) => {
      const page = keyset.page(rows, limit, positionOf);
      const last = page.data.at(-1);
      const position = last ? positionOf(last) : keyset.after(cursor);
      return { ...page, syncCursor: isForwardInTime ? keyset.cursorAt(position) : null };
    },
  };
}
