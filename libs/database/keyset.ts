import { Injectable } from '@nestjs/common';
import { Encryption } from '#encryption';
import { DomainError } from '#errors';
import { rowsThatFit } from './page-bytes.js';

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

/** A place in a list: the values that it is ordered by. A page begins after that of the last row. */
export type Position = readonly (string | number | Date)[];

export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where a list begins that asks for `(time, id) < ($at, $id)`, newest first. */
const NEWEST: Position = ['infinity', MAX_UUID];
/** The same for one that ids alone order. */
export const NEWEST_ID: Position = [MAX_UUID];

/** Makes the keysets of lists, each with cursors of its own. */
@Injectable()
export class Keysets {
  private readonly encryption: Encryption;

  constructor(encryption: Encryption) {
    this.encryption = encryption.deriveFor('cursors');
  }

  /**
   * `query` is what makes a list what it is: its name, workspace, filters, order. A cursor of another
   * list is refused, for its position would silently skip rows here. `first` is where the list begins.
   */
  forList(scope: readonly unknown[], start = NEWEST): Keyset {
    return new Keyset(this.encryption, JSON.stringify(scope), start);
  }
}

/** Pages of one list, and the cursors between them: encrypted, so that nobody can read or make one. */
export class Keyset {
  constructor(
    private readonly encryption: Encryption,
    private readonly scope: string,
    private readonly start: Position,
  ) {}

  /**
   * The values after which the page begins, as parameters of a statement.
   * @throws DomainError `invalid` when the cursor is not one that this list has given.
   */
  after(cursor: string | undefined): Position {
    return cursor === undefined ? this.start : (JSON.parse(this.decryptCursor(cursor)) as Position);
  }

  /**
   * Makes a page of `rows`, of which one more than `limit` was asked for to see whether there is a
   * next page. A page also ends before a document that does not fit.
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
      // What is stored may be in plain base64; a cursor has one spelling.
      if (/^[\w.-]+$/.test(cursor)) return this.encryption.decrypt(cursor, this.scope);
    } catch {
      // Whatever is wrong with it, it is none of ours.
    }
    throw DomainError.invalid('cursor', 'cursor must be the nextCursor of this same list');
  }
}
