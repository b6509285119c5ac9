import { Injectable } from '@nestjs/common';
import { Encryption } from '#encryption';
import { DomainError } from '#errors';
import { rowsThatFit } from './page-bytes.js';

/** A page of a list, with the cursor of the next page. The cursor of the last page is null. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

export interface PageRequest {
  limit: number;
  cursor?: string;
}

/**
 * A position in a list: the values of the columns that order the list. A page begins after the last row of
 * the page before it.
 */
export type Position = readonly (string | number | Date)[];

export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The position before the first row of a list that is sorted newest first and filtered by `(time, id) < ($at, $id)`.
 */
const NEWEST: Position = ['infinity', MAX_UUID];
/** The position before the first row of a list that is sorted by descending id alone. */
export const NEWEST_ID: Position = [MAX_UUID];

/** Creates a keyset for each list. A cursor is valid only for the list that issued it. */
@Injectable()
export class Keysets {
  private readonly encryption: Encryption;

  constructor(encryption: Encryption) {
    this.encryption = encryption.deriveFor('cursors');
  }

  /**
   * `scope` identifies a list: its name, workspace, filters, and order. A cursor of another list is refused, because
   * its position would silently skip rows of this list. `start` is the position before all rows.
   */
  forList(scope: readonly unknown[], start = NEWEST): Keyset {
    return new Keyset(this.encryption, JSON.stringify(scope), start);
  }
}

/**
 * The pages of one list and the cursors between them. Cursors are encrypted, so clients can neither read
 * nor forge them.
 */
export class Keyset {
  constructor(
    private readonly encryption: Encryption,
    private readonly scope: string,
    private readonly start: Position,
  ) {}

  /**
   * Returns the position after which the page begins. Its values are parameters of the list's statement.
   *
   * @throws DomainError `invalid` if this list did not issue the cursor.
   */
  after(cursor: string | undefined): Position {
    return cursor === undefined ? this.start : (JSON.parse(this.decryptCursor(cursor)) as Position);
  }

  /**
   * Builds a page from `rows`. The caller has selected one row more than `limit`: the extra row shows that there is a
   * next page. A page also ends before the first document that would make it exceed `MAX_PAGE_BYTES`.
   */
  page<T extends object>(rows: T[], limit: number, positionOf: (row: T) => Position): Page<T> {
    const data = rowsThatFit(rows.slice(0, limit));
    const last = data.at(-1);
    if (rows.length === data.length || last === undefined) return { data, nextCursor: null };
    return { data, nextCursor: this.cursorAt(positionOf(last)) };
  }

  /** The cursor of the page that begins after a position. */
  cursorAt(position: Position): string {
    return this.encryption.encrypt(JSON.stringify(position), this.scope);
  }

  private decryptCursor(cursor: string): string {
    try {
      return this.encryption.decrypt(cursor, this.scope);
    } catch {
      // Any error means that Galley did not issue this cursor for this list.
      throw DomainError.invalid('cursor', 'cursor must be the nextCursor of the same list');
    }
  }
}
