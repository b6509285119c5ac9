import { Center, Text } from '@mantine/core';
import { useState } from 'react';
import { Page } from '../controls/page.js';
import { EmptyState, ErrorAlert, QueryState, RowsSkeleton } from '../controls/states.js';
import { isBeingRead, LiveTable, NewRowsButton, useAddress } from '../lists/live-table.js';
import { texts } from '../texts/index.js';
import classes from './event-list.module.css';
import { EventRow } from './event-row.js';
import { useEvents } from './use-events.js';

const { events: words } = texts;

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
