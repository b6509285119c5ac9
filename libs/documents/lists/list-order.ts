import {
  MAX_UUID,
  NIL_UUID,
  type Keyset,
  type Page,
  type PageRequest,
  type Position,
  type ReadDatabase,
} from '#database';
import { pageWindow } from '../document/content-in-page.js';
import { LOW_WATERMARK, TAKE_LOW_WATERMARK } from './low-watermark.js';

/** The orders of a list; `-` is descending. Rows with equal values are ordered by id in the same direction. */
export const sortOrders = [
  ...(['updatedAt', '-updatedAt', 'createdAt', '-createdAt'] as const),
  ...(['name', '-name'] as const),
];
export type Sort = (typeof sortOrders)[number];

/** A request for a page of a list that has several orders. */
export interface SortedRequest extends PageRequest {
  sort: Sort;
  /** Only rows that have changed at this time or later. */
  updatedSince?: Date;
}

/** A page of a list that clients can follow. */
export interface SyncPage<T> extends Page<T> {
  /**
   * The cursor with which a later request gets the changes after this page; `null` in orders that do not go
   * forward in time. The cursor contains the time and the id, because the changes of one batch share a time.
   */
  syncCursor: string | null;
}

/** SQL of the sort key of names: case-insensitive, and by bytes, independent of the locale. */
export const nameKey = (name: string): string => `lower(${name}) COLLATE "C"`;

const timeKey = { keyOf: (value: string) => value, lowest: '-infinity', highest: 'infinity' };
const SORT_KEYS = {
  updatedAt: { ...timeKey, column: 'updated_at' },
  createdAt: { ...timeKey, column: 'created_at' },
  // A name has at most 255 characters, so this sorts after all names.
  name: { keyOf: nameKey, lowest: '', highest: '\u{10ffff}'.repeat(256), column: 'name' },
};

// The later one of two bounds: the position ($3, $4) and `updatedSince` ($5). With two conditions instead
// of one, PostgreSQL may start at the earlier bound and read all rows up to the later one.
const LATER_START = `(greatest($3, $5::timestamptz),
  CASE WHEN $5::timestamptz > $3 THEN '${NIL_UUID}'::uuid ELSE $4 END)`;

interface ListRow {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Returns the parts of a statement that reads a page of `table` in the order `sort`. Each order has an index. In
 * the statement, `$3` and `$4` are the position. `$5` is `updatedSince`, which `sinceFilter` uses, or `whereAfter`
 * if there is no `sinceFilter`. The columns of the statement's subquery `page` have the names of the fields.
 */
export function listOrder(sort: Sort, table: string) {
  const field = sort.replace('-', '') as keyof typeof SORT_KEYS;
  const { column, keyOf, lowest, highest } = SORT_KEYS[field];
  const isDescending = sort.startsWith('-');
  const since = `${table}.updated_at >= coalesce($5::timestamptz, '-infinity')`;
  const [operator, direction] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
  const key = keyOf(`${table}.${column}`);
  const isForwardInTime = !isDescending && field !== 'name';
  const orderBy = `${key} ${direction}, ${table}.id ${direction}`;
  const positionOf = (row: ListRow): Position => [row[field], row.id];
  return {
    start: isDescending ? [highest, MAX_UUID] : [lowest, NIL_UUID],
    /** The condition of the index scan. */
    whereAfter: [
      sort === 'updatedAt'
        ? `(${key}, ${table}.id) > ${LATER_START}`
        : `(${key}, ${table}.id) ${operator} (${keyOf('$3')}, $4)`,
      ...(sort === '-updatedAt' ? [since] : []),
      ...(isForwardInTime ? [`${key} < ${LOW_WATERMARK}`] : []),
    ].join(' AND '),
    /** A condition for the rows of the scan, if the index does not have the times of changes. */
    sinceFilter: field === 'updatedAt' ? undefined : since,
    by: orderBy,
    /**
     * The expression that orders the list, as a column, and the order by this column: PostgreSQL does not see
     * that a subquery is already in the order of an expression.
     */
    sortKey: `${key} AS sort_key`,
    bySortKey: `sort_key ${direction}, ${table}.id ${direction}`,
    /** The window of `contentInPage`. */
    pageWindow: pageWindow(orderBy),
    pageOrderBy: `${keyOf(`page."${field}"`)} ${direction}, page.id ${direction}`,
    /**
     * Runs a statement that contains `whereAfter` and the other parts. A list that goes forward in time
     * takes the low watermark first.
     */
    read: <Result extends object>(
      database: ReadDatabase,
      text: string,
      values: readonly unknown[],
    ) =>
      isForwardInTime
        ? database.pipeline<Result>(TAKE_LOW_WATERMARK, [text, values])
        : database.query<Result>(text, values),
    /**
     * Makes the page and its `syncCursor`. An empty page keeps the position of the cursor in the request,
     * so that no change is skipped.
     * @param scanEnd the last row of a scan that stopped before the end of the list.
     */
    page: <T extends ListRow>(
      keyset: Keyset,
      rows: T[],
      { limit, cursor }: PageRequest,
      scanEnd?: ListRow,
    ) => {
      const page = keyset.page(rows, limit, positionOf);
      const last = page.nextCursor === null && scanEnd ? scanEnd : page.data.at(-1);
      const position = last ? positionOf(last) : keyset.after(cursor);
      return {
        data: page.data,
        nextCursor: page.nextCursor ?? (scanEnd ? keyset.cursorAt(position) : null),
        syncCursor: isForwardInTime ? keyset.cursorAt(position) : null,
      };
    },
  };
}

export type ListOrder = ReturnType<typeof listOrder>;
