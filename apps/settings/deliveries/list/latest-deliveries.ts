import type { Delivery, DeliveryPage } from '#client';
import type { InfiniteData } from '@tanstack/react-query';

/** The pages that the list shows, newest first. */
export type DeliveryPages = InfiniteData<DeliveryPage>;

/*
 * The list is loaded page by page, and its first page is refetched at intervals. Ids sort by creation time. A refetched
 * first page therefore replaces all shown rows that are at least as new as the oldest row of that page.
 */

/**
 * Merges a refetched first page into the list: adds new rows, updates changed rows, and removes rows that no longer
 * match the filter. If rows between this page and the list may be missing, the list starts over with this page.
 */
export function replaceNewestRows(list: DeliveryPages, latest: DeliveryPage): DeliveryPages {
  const oldestLatestId = latest.data.at(-1)?.id;
  const [firstPage, ...otherPages] = list.pages;
  if (latest.nextCursor === null || firstPage === undefined) return startWith(latest);
  // With a filter, a page may be empty even though more rows follow. Such a page does not change the list.
  if (oldestLatestId === undefined) return list;
  const newestShownId = newestRow(list)?.id;
  if (newestShownId === undefined || oldestLatestId > newestShownId) return startWith(latest);
  const withoutReplaced = (page: DeliveryPage): DeliveryPage => {
    const isReplaced = page.data[0] !== undefined && page.data[0].id >= oldestLatestId;
    return isReplaced ? { ...page, data: page.data.filter(({ id }) => id < oldestLatestId) } : page;
  };
  const { data, nextCursor } = withoutReplaced(firstPage);
  return {
    pages: [{ data: [...latest.data, ...data], nextCursor }, ...otherPages.map(withoutReplaced)],
    pageParams: list.pageParams,
  };
}

/** Updates the shown rows in place. Adds and removes no rows, to avoid a layout shift. */
export function updateShownRows(list: DeliveryPages, latest: DeliveryPage): DeliveryPages {
  const latestById = new Map(latest.data.map((delivery) => [delivery.id, delivery]));
  return {
    pages: list.pages.map((page) =>
      page.data.some(({ id }) => latestById.has(id))
        ? { ...page, data: page.data.map((shown) => latestById.get(shown.id) ?? shown) }
        : page,
    ),
    pageParams: list.pageParams,
  };
}

/** Counts the deliveries that are newer than the list. If `isAtLeast` is true, there may be more. */
export function countNewRows(
  list: DeliveryPages,
  latest: DeliveryPage,
): { count: number; isAtLeast: boolean } {
  const newestShownId = newestRow(list)?.id ?? '';
  const count = latest.data.filter(({ id }) => id > newestShownId).length;
  return {
    count,
    isAtLeast: count > 0 && count === latest.data.length && latest.nextCursor !== null,
  };
}

const newestRow = (list: DeliveryPages): Delivery | undefined =>
  list.pages.find(({ data }) => data.length > 0)?.data[0];

const startWith = (page: DeliveryPage): DeliveryPages => ({
  pages: [page],
  pageParams: [undefined],
});
