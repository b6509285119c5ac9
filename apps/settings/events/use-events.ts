import { readEvents, type Client, type FeedEvent } from '#client';
import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../api/client.js';
import { useWorkspaceId } from '../api/workspaces.js';
import { findLastPosition } from './last-position.js';

const REFRESH_MS = 2_500;
const PAGE_LIMIT = 100;

/** A page of the feed, newest event first. */
interface EventPage {
  data: FeedEvent[];
  /** The position of the newest event on the next (older) page; null if there are no older events. */
  olderUntil: number | null;
  /** Whether Galley has deleted the events that are older than this page. */
  isCutOff: boolean;
}
type EventPages = InfiniteData<EventPage, number | undefined>;

/** Reads the event feed backwards from the newest event, although the API reads forwards. Polls for new events. */
export function useEvents(mayMove: () => boolean) {
  const client = useClient();
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const listKey = ['events', workspaceId, 'list'];
  const list = useInfiniteQuery({
    queryKey: listKey,
    queryFn: async ({ pageParam, signal }): Promise<EventPage> => {
      const until = pageParam ?? (await readLastPosition(client, workspaceId, signal));
      return readPageUntil(client, workspaceId, until, signal);
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ olderUntil }) => olderUntil ?? undefined,
    staleTime: Infinity,
    structuralSharing: false,
  });
  const { data } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const latest = useQuery({
    queryKey: ['events', workspaceId, 'latest'],
    queryFn: async ({ signal }) => {
      const shown = queryClient.getQueryData<EventPages>(listKey);
      const after = shown?.pages[0]?.data[0]?.position ?? 0;
      const query = { workspaceId, after, limit: PAGE_LIMIT };
      const { data: newer } = (await readEvents({ client, query, signal })).data;
      if (queryClient.isFetching({ queryKey: listKey, exact: true }) > 0) return newer;
      if (mayMove())
        queryClient.setQueryData<EventPages>(listKey, (old) => old && prepend(old, newer));
      return newer;
    },
    enabled: list.isSuccess,
    refetchInterval: REFRESH_MS,
  });
  const newestShown = rows[0]?.position ?? 0;
  const newEvents = latest.data?.filter(({ position }) => position > newestShown) ?? [];
  const showNewEvents = () =>
    queryClient.setQueryData<EventPages>(listKey, (old) => old && prepend(old, newEvents));
  const newCount = { count: newEvents.length, isAtLeast: newEvents.length === PAGE_LIMIT };
  return { list, rows, newCount, showNewEvents, latestError: latest.error };
}

async function readLastPosition(
  client: Client,
  workspaceId: string,
  signal: AbortSignal,
): Promise<number> {
  return findLastPosition(async (after) => {
    const query = { workspaceId, after, limit: 1 };
    return (await readEvents({ client, query, signal })).data.data.length > 0;
  });
}

async function readPageUntil(
  client: Client,
  workspaceId: string,
  until: number,
  signal: AbortSignal,
): Promise<EventPage> {
  const after = Math.max(0, until - PAGE_LIMIT);
  const query = { workspaceId, after, limit: PAGE_LIMIT };
  const { data } = (await readEvents({ client, query, signal })).data;
  const events = data.filter(({ position }) => position <= until).reverse();
  const oldest = events.at(-1)?.position ?? 0;
  // Positions have no gaps, so a missing position means that its event was deleted.
  const isCutOff = oldest > after + 1;
  return { data: events, olderUntil: isCutOff || after === 0 ? null : after, isCutOff };
}

/** @param newer events that may be newer than the list, oldest first, as the API returns them. */
function prepend(list: EventPages, newer: readonly FeedEvent[]): EventPages {
  const [firstPage, ...otherPages] = list.pages;
  const newestShown = firstPage?.data[0]?.position ?? 0;
  const added = newer.filter(({ position }) => position > newestShown).reverse();
  if (firstPage === undefined || added.length === 0) return list;
  return {
    pages: [{ ...firstPage, data: [...added, ...firstPage.data] }, ...otherPages],
    pageParams: list.pageParams,
  };
}
