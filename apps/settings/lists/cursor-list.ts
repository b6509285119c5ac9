import { useInfiniteQuery, type InfiniteData, type QueryKey } from '@tanstack/react-query';

export interface ListPage<Row> {
  data: Row[];
  nextCursor: string | null;
}

interface CursorListOptions<Row> {
  /** The name of the list, the id of its workspace or resource, and its filters. */
  queryKey: readonly [list: string, ownerId: string, ...filters: unknown[]];
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Row>>;
  enabled?: boolean;
  /** How long the rows count as fresh, in milliseconds. Defaults to the `staleTime` of all queries. */
  staleTime?: number;
}

/** Reads a list from the API page by page. `data` contains the rows of all pages loaded so far. */
export function useCursorList<Row>({
  queryKey,
  fetchPage,
  enabled = true,
  ...options
}: CursorListOptions<Row>) {
  return useInfiniteQuery({
    queryKey,
    enabled,
    ...options,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }: InfiniteData<ListPage<Row>>) => pages.flatMap(({ data }) => data),
    // While a new filter loads, the rows of the previous filter stay visible, to avoid a layout shift.
    placeholderData: (previousData, previousQuery) =>
      isSameList(previousQuery?.queryKey, queryKey) ? previousData : undefined,
  });
}

const isSameList = (previous: QueryKey | undefined, current: QueryKey): boolean =>
  previous?.[0] === current[0] && previous?.[1] === current[1];

// The API scans up to 5,000 rows for each page of a filtered list, so a search scans at most 100,000 rows.
const MAX_SCANNED_PAGES = 20;

/**
 * Reads pages until one of them has matching rows. Stops after 100,000 rows without a match, so that the user can
 * decide whether to search further back.
 */
export async function readMatchingPage<Row>(
  readPage: (cursor: string | undefined) => Promise<ListPage<Row>>,
  cursor?: string,
): Promise<ListPage<Row>> {
  let page = await readPage(cursor);
  for (let pages = 1; pages < MAX_SCANNED_PAGES; pages += 1) {
    if (page.data.length > 0 || page.nextCursor === null) break;
    page = await readPage(page.nextCursor);
  }
  return page;
}
