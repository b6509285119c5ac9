import { describe, expect, it } from '@jest/globals';
import type { Delivery, DeliveryPage, DeliveryStatus } from '#client';
import {
  countNewRows,
  replaceNewestRows,
  updateShownRows,
  type DeliveryPages,
} from './latest-deliveries.js';

const delivery = (id: string, status: DeliveryStatus = 'delivered') => ({ id, status }) as Delivery;
const page = (ids: string, nextCursor: string | null = 'more'): DeliveryPage => ({
  data: ids.split('').map((id) => delivery(id)),
  nextCursor,
});
const list = (...pages: DeliveryPage[]): DeliveryPages => ({
  pages,
  pageParams: pages.map((_, index) => (index === 0 ? undefined : String(index))),
});
const idsOf = ({ pages }: DeliveryPages) =>
  pages.map(({ data }) => data.map(({ id }) => id).join('')).join('|');

describe('replaceNewestRows', () => {
  it('puts new rows before the list', () => {
    const merged = replaceNewestRows(list(page('76'), page('54', null)), page('987'));
    expect(idsOf(merged)).toBe('9876|54');
    expect(merged.pages.at(-1)?.nextCursor).toBeNull();
  });

  it('removes rows that no longer match the filter, even from the second page', () => {
    expect(idsOf(replaceNewestRows(list(page('fed'), page('cba')), page('gfb')))).toBe('gfb|a');
  });

  it('starts over if rows between the latest page and the list are missing', () => {
    const merged = replaceNewestRows(list(page('cb'), page('a', null)), page('hg'));
    expect(merged).toEqual(list(page('hg')));
  });

  it('shows only the latest page if it contains all rows', () => {
    expect(idsOf(replaceNewestRows(list(page('cba', null)), page('b', null)))).toBe('b');
    expect(idsOf(replaceNewestRows(list(page('', null)), page('b', null)))).toBe('b');
  });

  it('keeps the list if the latest page is empty and more pages follow', () => {
    const shown = list(page('cba'));
    expect(replaceNewestRows(shown, page(''))).toBe(shown);
  });
});

describe('updateShownRows', () => {
  it('updates rows in place without adding or removing any', () => {
    const latest = { data: [delivery('e'), delivery('c', 'failed')], nextCursor: 'more' };
    const updated = updateShownRows(list(page('dc'), page('ba')), latest);
    expect(idsOf(updated)).toBe('dc|ba');
    expect(updated.pages[0]?.data[1]?.status).toBe('failed');
  });
});

describe('countNewRows', () => {
  it('counts the rows that are newer than the list', () => {
    expect(countNewRows(list(page('cb')), page('edc'))).toEqual({ count: 2, isAtLeast: false });
  });

  it('reports that there may be more new rows', () => {
    expect(countNewRows(list(page('cb')), page('fed'))).toEqual({ count: 3, isAtLeast: true });
  });
});
