import { listDeliveries } from '#client';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../../api/client.js';
import { readMatchingPage } from '../../lists/cursor-list.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { deliveryKeys } from '../delivery-queries.js';
import type { DeliveryFilter } from './delivery-search.js';
import {
  countNewRows,
  replaceNewestRows,
  updateShownRows,
  type DeliveryPages,
} from './latest-deliveries.js';

const REFRESH_MS = 2_500;
const LATEST_LIMIT = 50;
const PAGE_LIMIT = 100;

/**
 * Reads the deliveries that match a filter, newest first, page by page. The first page is refetched every few seconds.
 * TanStack Query pauses the refetching while the browser tab is hidden.
 *
 * @param mayMove whether new rows may move the rows that the user is looking at.
 */
export function useDeliveries(filter: DeliveryFilter, mayMove: () => boolean) {
  const client = useClient();
  const queryClient = useQueryClient();
  const webhookId = useWebhookId();
  const listKey = deliveryKeys.list(webhookId, filter);
  const readPage = async (limit: number, cursor: string | undefined, signal: AbortSignal) => {
    const query = { ...filter, limit, ...(cursor !== undefined && { cursor }) };
    return (await listDeliveries({ client, path: { id: webhookId }, query, signal })).data;
  };
  const list = useInfiniteQuery({
    queryKey: listKey,
    queryFn: ({ pageParam, signal }) =>
      readMatchingPage((cursor) => readPage(PAGE_LIMIT, cursor, signal), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Refetching the list would take one request per page. The query for the latest page fetches the changes instead.
    staleTime: Infinity,
    // Comparing all rows with the previous ones is slow in long lists.
    structuralSharing: false,
  });
  const latest = useQuery({
    queryKey: deliveryKeys.latest(webhookId, filter),
    queryFn: async ({ signal }) => {
      const page = await readPage(LATEST_LIMIT, undefined, signal);
      // While another page of the list is being fetched, the list is not updated: TanStack Query would overwrite the
      // update when that page arrives. The next refresh updates the list.
      if (queryClient.isFetching({ queryKey: listKey, exact: true }) > 0) return page;
      const merge = mayMove() ? replaceNewestRows : updateShownRows;
      queryClient.setQueryData<DeliveryPages>(listKey, (shown) => shown && merge(shown, page));
      return page;
    },
    enabled: list.isSuccess,
    refetchInterval: REFRESH_MS,
  });
  const { data } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const { data: latestPage, error: latestError } = latest;
  const newRows =
    data && latestPage ? countNewRows(data, latestPage) : { count: 0, isAtLeast: false };
  const showNewRows = () =>
    queryClient.setQueryData<DeliveryPages>(
      listKey,
      (shown) => shown && latestPage && replaceNewestRows(shown, latestPage),
    );
  return { list, rows, newRows, showNewRows, latestError };
}
