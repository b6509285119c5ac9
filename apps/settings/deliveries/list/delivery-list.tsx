import { Button, Center, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../../controls/format.js';
import { EmptyState, ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import { isBeingRead, LiveTable, NewRowsButton, useAddress } from '../../lists/live-table.js';
import { texts } from '../../texts/index.js';
import { TabTitle } from '../../webhooks/layout/tab-title.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { DeliveryFilters } from './delivery-filters.js';
import { DeliveryRow } from './delivery-row.js';
import { toFilter, type DeliverySearch } from './delivery-search.js';
import classes from './delivery-table.module.css';
import { useDeliveries } from './use-deliveries.js';
import { WaitingDeliveries } from './waiting-deliveries.js';

const listApi = getRouteApi('/w/$workspaceId/webhooks/$webhookId/deliveries');

/** The deliveries of a webhook, newest first. New deliveries appear without a reload. */
export function DeliveryList() {
  const search = listApi.useSearch();
  const webhookId = useWebhookId();
  return (
    <>
      <TabTitle>{texts.deliveries.title}</TabTitle>
      <WaitingDeliveries />
      <DeliveryFilters search={search} />
      <DeliveryResults key={`${webhookId} ${JSON.stringify(search)}`} search={search} />
    </>
  );
}

function DeliveryResults({ search }: { search: DeliverySearch }) {
  const [filter] = useState(() => toFilter(search, Date.now()));
  const [table, setTable] = useState<HTMLTableElement | null>(null);
  const { list, rows, newRows, showNewRows, latestError } = useDeliveries(
    filter,
    () => !isBeingRead(table),
  );
  const listHref = useAddress();
  const showNewest = () => {
    showNewRows();
    window.scrollTo({ top: 0 });
  };
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const hasSearchedPart = hasNextPage && list.data?.pages.at(-1)?.data.length === 0;
  const loadMore = () => {
    if (hasNextPage && !isFetchingNextPage && !hasSearchedPart) void fetchNextPage();
  };
  return (
    <QueryState query={list} skeleton={<RowsSkeleton rows={10} height={44} />}>
      {() => (
        <>
          {latestError && <ErrorAlert error={latestError} />}
          {rows.length === 0 && !hasNextPage && <NoDeliveries search={search} />}
          {rows.length > 0 && (
            <>
              <NewRowsButton
                {...newRows}
                onClick={showNewest}
                label={texts.deliveries.newDeliveries}
              />
              <LiveTable
                label={texts.deliveries.tableLabel}
                columns={texts.deliveries.columns}
                columnClasses={classes}
                rows={rows}
                isComplete={!hasNextPage}
                onNearEnd={loadMore}
                tableRef={setTable}
              >
                {(delivery, index, now) => (
                  <DeliveryRow
                    key={delivery.id}
                    delivery={delivery}
                    index={index}
                    now={now}
                    listHref={listHref}
                  />
                )}
              </LiveTable>
            </>
          )}
          <Center mih={64} aria-live="polite">
            {hasSearchedPart && !isFetchingNextPage ? (
              <Group gap="sm">
                <Text size="sm">{texts.deliveries.searchedPart}</Text>
                <Button size="xs" variant="default" onClick={() => void fetchNextPage()}>
                  {texts.deliveries.searchOn}
                </Button>
              </Group>
            ) : (
              <Text size="sm">
                {isFetchingNextPage && texts.deliveries.loadingMore}
                {!hasNextPage &&
                  rows.length > 0 &&
                  texts.deliveries.loadedAll(formatNumber(rows.length))}
              </Text>
            )}
          </Center>
        </>
      )}
    </QueryState>
  );
}

function NoDeliveries({ search }: { search: DeliverySearch }) {
  const { emptyTitle, emptyText, noMatchTitle, noMatchText, noFailureText } = texts.deliveries;
  return Object.keys(search).length === 0 ? (
    <EmptyState title={emptyTitle} text={emptyText} />
  ) : (
    <EmptyState
      title={noMatchTitle}
      text={search.status === 'failed' ? `${noFailureText} ${noMatchText}` : noMatchText}
    />
  );
}
