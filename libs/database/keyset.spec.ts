import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#errors';
import { Keyset } from './keyset.js';

const rows = [3, 2, 1].map((number) => ({
  id: `00000000-0000-7000-8000-00000000000${number}`,
  updatedAt: new Date(number),
}));
const keyset = new Keyset(['templates', 'workspace']);

describe('a page', () => {
  it('has a cursor while there is more, which gives back its last position', () => {
    const { data, nextCursor } = keyset.page(rows, 2, (row) => row);
    expect(data).toEqual(rows.slice(0, 2));
    expect(keyset.position(nextCursor ?? '')).toEqual(rows[1]);
  });

  it('has none when it is the last', () => {
    expect(keyset.page(rows, 3, (row) => row)).toEqual({ data: rows, nextCursor: null });
    expect(keyset.page([], 3, () => 1)).toEqual({ data: [], nextCursor: null });
  });

  it('can be of a list that a number orders', () => {
    const { nextCursor } = keyset.page([9, 8, 7], 2, (number) => number);
    expect(keyset.number(nextCursor ?? '')).toBe(8);
  });
});

describe('a cursor', () => {
  const { nextCursor } = keyset.page(rows, 1, (row) => row);

  it.each([
    ['of another list', nextCursor ?? '', new Keyset(['modules', 'workspace'])],
    ['that is made up', 'bm9uc2Vuc2U', keyset],
    ['that is empty', '', keyset],
  ])('%s is refused', (_what, cursor, list) => {
    expect(() => list.position(cursor)).toThrow(DomainError);
    expect(() => list.number(cursor)).toThrow(DomainError);
  });
});
