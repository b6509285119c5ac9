import { createHash } from 'node:crypto';
import { DomainError } from '#errors';

/** A page of a list, and the cursor of the next one; `null` on the last. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** What a caller asks of a list. */
export interface PageRequest {
  limit: number;
  cursor?: string;
}

/** Where a page begins: after the row with this time and id, newest first. */
export interface Position {
  updatedAt: Date;
  id: string;
}

const MAX_INTEGER = 2_147_483_647;

/** A list's statement asks for `(updated_at, id) < ($at, $id)`: every row is less than this. */
const FIRST: Position = {
  updatedAt: new Date('9999-12-31T23:59:59.999Z'),
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/**
 * Cursors of one list. `query` is what makes the list what it is (its name, workspace, filters): a
 * cursor of another list is refused, for its position would silently skip rows here.
 */
export class Keyset {
  private readonly digest: string;

  constructor(query: readonly unknown[]) {
    this.digest = createHash('sha256')
      .update(JSON.stringify(query))
      .digest('base64url')
      .slice(0, 12);
  }

  /** @throws DomainError `invalid` when the cursor is not one that this list has given. */
  position(cursor: string | undefined): Position {
    if (cursor === undefined) return FIRST;
    const [milliseconds = '', id = ''] = this.open(cursor);
    // Up to 14 digits is up to the year 5138, which PostgreSQL knows as well.
    if (!/^\d{1,14}$/.test(milliseconds) || !UUID.test(id)) throw wrongCursor();
    return { updatedAt: new Date(Number(milliseconds)), id };
  }

  /** The same for a list that a number orders, newest (greatest) first. */
  number(cursor: string | undefined): number {
    if (cursor === undefined) return MAX_INTEGER;
    const [number = ''] = this.open(cursor);
    if (!/^\d{1,9}$/.test(number)) throw wrongCursor();
    return Number(number);
  }

  /**
   * Makes a page of `rows`, of which one more than `limit` was asked for to see whether there is a
   * next page.
   */
  page<T>(rows: T[], limit: number, keyOf: (row: T) => Position | number): Page<T> {
    const data = rows.slice(0, limit);
    const last = data.at(-1);
    if (rows.length <= limit || last === undefined) return { data, nextCursor: null };
    const key = keyOf(last);
    const parts = typeof key === 'number' ? [key] : [key.updatedAt.getTime(), key.id];
    const nextCursor = Buffer.from([this.digest, ...parts].join('.')).toString('base64url');
    return { data, nextCursor };
  }

  private open(cursor: string): string[] {
    const [digest, ...parts] = Buffer.from(cursor, 'base64url').toString().split('.');
    if (digest !== this.digest) throw wrongCursor();
    return parts;
  }
}

const wrongCursor = () =>
  DomainError.invalid('cursor', 'cursor must be the nextCursor of this same list');

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
