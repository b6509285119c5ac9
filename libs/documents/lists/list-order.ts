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

/** The sort orders of a list; `-` means descending. Ties are sorted by id in the same direction. */
export const sortOrders = [
  ...(['updatedAt', '-updatedAt', 'createdAt', '-createdAt'] as const),
  ...(['name', '-name'] as const),
];
export type Sort = (typeof sortOrders)[number];

export interface SortedRequest extends PageRequest {
  sort: Sort;
  /** Only rows that changed at or after this time. */
  updatedSince?: Date;
}

/** A page of a list that clients can keep in sync. */
export interface SyncPage<T> extends Page<T> {
  /**
   * The cursor with which a later request returns the changes after this page. Null unless the list is sorted by a time
   * in ascending order. The cursor contains both the time and the id, because all changes of a batch have the same
   * time.
   */
  syncCursor: string | null;
}

/**
 * An SQL expression for the sort key of a name. Names are sorted case-insensitively and by bytes, independent of the
 * locale.
 */
export const nameKey = (name: string): string => `lower(${name}) COLLATE "C"`;

const timeKey = { keyOf: (value: string) => value, lowest: '-infinity', highest: 'infinity' };
const SORT_KEYS = {
  updatedAt: { ...timeKey, column: 'updated_at' },
  createdAt: { ...timeKey, column: 'created_at' },
  // A name has at most 255 characters, so this value of `highest` sorts after all names.
  name: { keyOf: nameKey, lowest: '', highest: '\u{10ffff}'.repeat(256), column: 'name' },
};

// The later of two bounds: the position ($3, $4) and `updatedSince` ($5). With two separate conditions, PostgreSQL may
// start the index scan at the earlier bound and read all rows up to the later one.
const LATER_START = `(greatest($3, $5::timestamptz),
  CASE WHEN $5::timestamptz > $3 THEN '${NIL_UUID}'::uuid ELSE $4 END)`;

interface ListRow {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Returns SQL fragments for a statement that reads a page of `table` in the order `sort`. Every order has an index.
 * `$3` and `$4` are the position after which the page begins, and `$5` is `updatedSince`. `sinceFilter` contains the
 * condition with `$5`. If `sinceFilter` is undefined, `whereAfter` contains that condition. The statement must have a
 * subquery `page` whose columns are named like the fields of `ListRow`.
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
    /** The condition that bounds the index scan. */
    whereAfter: [
      sort === 'updatedAt'
        ? `(${key}, ${table}.id) > ${LATER_START}`
        : `(${key}, ${table}.id) ${operator} (${keyOf('$3')}, $4)`,
      ...(sort === '-updatedAt' ? [since] : []),
      ...(isForwardInTime ? [`${key} < ${LOW_WATERMARK}`] : []),
    ].join(' AND '),
    /**
     * A condition on the scanned rows for `updatedSince`. Undefined if the list is sorted by `updatedAt`, because
     * `whereAfter` then includes the condition.
     */
    sinceFilter: field === 'updatedAt' ? undefined : since,
    by: orderBy,
    /**
     * The sort expression as a column of a subquery, and the ORDER BY of the outer query, which uses this column. If
     * the outer query repeated the expression, PostgreSQL would not recognise that the rows are already sorted.
     */
    sortKey: `${key} AS sort_key`,
    bySortKey: `sort_key ${direction}, ${table}.id ${direction}`,
    /** The WINDOW clause that `contentInPage` requires. */
    pageWindow: pageWindow(orderBy),
    pageOrderBy: `${keyOf(`page."${field}"`)} ${direction}, page.id ${direction}`,
    /**
     * Runs a statement that is built from these fragments. If the list is in ascending order of time, the statement
     * runs in a transaction that first takes the low watermark.
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
     * Builds the page and its `syncCursor`. An empty page keeps the position of the request's cursor, so that no change
     * is skipped.
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
