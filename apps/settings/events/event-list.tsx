import type { FeedEvent } from '#client';
import { Center, Text } from '@mantine/core';
import { memo, useState } from 'react';
import { formatAgo, formatExact, formatNumber, shortId } from '../controls/format.js';
import { Page } from '../controls/page.js';
import { EmptyState, ErrorAlert, QueryState, RowsSkeleton } from '../controls/states.js';
import {
  isBeingRead,
  LiveRow,
  LiveTable,
  NewRowsButton,
  RowLink,
  useAddress,
} from '../lists/live-table.js';
import { texts } from '../texts.js';
import classes from './event-list.module.css';
import { words } from './texts.js';
import { useEvents } from './use-events.js';

/** The events of the workspace, newest first. New events appear without a reload. */
export function EventList() {
  const [table, setTable] = useState<HTMLTableElement | null>(null);
  const { list, rows, newCount, showNewEvents, latestError } = useEvents(() => !isBeingRead(table));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const loadMore = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  const listHref = useAddress();
  const showNewest = () => {
    showNewEvents();
    window.scrollTo({ top: 0 });
  };
  const isCutOff = list.data?.pages.at(-1)?.isCutOff ?? false;
  return (
    <Page title={texts.navigation.events}>
      <Text size="sm" mb="md" maw={680}>
        {words.intro}
      </Text>
      <QueryState query={list} skeleton={<RowsSkeleton rows={10} height={44} />}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title={words.emptyTitle} text={words.emptyText} />
          ) : (
            <>
              {latestError && <ErrorAlert error={latestError} />}
              <NewRowsButton {...newCount} onClick={showNewest} label={words.newEvents} />
              <LiveTable
                label={words.tableLabel}
                columns={words.columns}
                columnClasses={classes}
                rows={rows}
                isComplete={!hasNextPage}
                onNearEnd={loadMore}
                tableRef={setTable}
              >
                {(event, index, now) => (
                  <EventRow
                    key={event.id}
                    event={event}
                    index={index}
                    now={now}
                    listHref={listHref}
                  />
                )}
              </LiveTable>
              <Center mih={64} aria-live="polite">
                <Text size="sm">
                  {isFetchingNextPage && words.loadingOlder}
                  {!hasNextPage && (isCutOff ? words.oldest : words.first)}
                </Text>
              </Center>
            </>
          )
        }
      </QueryState>
    </Page>
  );
}

interface EventRowProps {
  event: FeedEvent;
  index: number;
  now: number;
  /** The URL path of the list, including the base path. */
  listHref: string;
}

const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, index, now, listHref } = props;
  const { id, event: kind, position, resourceId, timestamp } = event;
  const name = nameOf(event);
  return (
    <LiveRow id={id} index={index} className={classes['row']}>
      <td role="cell" className={classes['event']}>
        <RowLink href={`${listHref}/${position}`}>{kind}</RowLink>
      </td>
      <td role="cell" className={classes['name']} title={name}>
        {name}
      </td>
      <td role="cell" className={classes['resource']} title={resourceId}>
        {shortId(resourceId)}
      </td>
      <td role="cell" className={classes['position']}>
        {formatNumber(position)}
      </td>
      <td role="cell" className={classes['time']}>
        <time dateTime={timestamp} title={formatExact(timestamp)}>
          {formatAgo(Date.parse(timestamp) - now)}
        </time>
      </td>
    </LiveRow>
  );
});

/** The name of the template or module, or the description of the webhook. */
function nameOf({ data }: FeedEvent): string {
  const { name, description } = data as { name?: string; description?: string };
  return name ?? description ?? '';
}
