import type { Delivery } from '#client';
import { Button, Center, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { formatAgo, formatExact, formatNumber, shortId } from '../../controls/format.js';
import { EmptyState, ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import {
  isBeingRead,
  LiveRow,
  LiveTable,
  NewRowsButton,
  RowLink,
  useAddress,
} from '../../lists/live-table.js';
import { TabTitle } from '../../webhooks/parts.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { describeOutcome } from '../outcomes.js';
import { StatusLabel } from '../parts.js';
import { deliveryTexts } from '../texts.js';
import { DeliveryFilters } from './delivery-filters.js';
import { toFilter, type DeliverySearch } from './delivery-search.js';
import classes from './delivery-table.module.css';
import { words } from './texts.js';
import { useDeliveries } from './use-deliveries.js';
import { WaitingDeliveries } from './waiting-deliveries.js';

const listApi = getRouteApi('/w/$workspaceId/webhooks/$webhookId/deliveries');

/** The deliveries of a webhook, newest first. New deliveries appear without a reload. */
export function DeliveryList() {
  const search = listApi.useSearch();
  const webhookId = useWebhookId();
  return (
    <>
      <TabTitle>{deliveryTexts.title}</TabTitle>
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
              <NewRowsButton {...newRows} onClick={showNewest} label={words.newDeliveries} />
              <LiveTable
                label={words.tableLabel}
                columns={words.columns}
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
                <Text size="sm">{words.searchedPart}</Text>
                <Button size="xs" variant="default" onClick={() => void fetchNextPage()}>
                  {words.searchOn}
                </Button>
              </Group>
            ) : (
              <Text size="sm">
                {isFetchingNextPage && words.loadingMore}
                {!hasNextPage && rows.length > 0 && words.loadedAll(formatNumber(rows.length))}
              </Text>
            )}
          </Center>
        </>
      )}
    </QueryState>
  );
}

function NoDeliveries({ search }: { search: DeliverySearch }) {
  const { emptyTitle, emptyText, noMatchTitle, noMatchText, noFailureText } = words;
  return Object.keys(search).length === 0 ? (
    <EmptyState title={emptyTitle} text={emptyText} />
  ) : (
    <EmptyState
      title={noMatchTitle}
      text={search.status === 'failed' ? `${noFailureText} ${noMatchText}` : noMatchText}
    />
  );
}

interface DeliveryRowProps {
  delivery: Delivery;
  index: number;
  now: number;
  /** The URL path of the list, including the base path. */
  listHref: string;
}

const DeliveryRow = memo(function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, index, now, listHref } = props;
  const { id, event, resourceId, attempts, createdAt, lastAttempt } = delivery;
  return (
    <LiveRow id={id} index={index} className={classes['row']}>
      <td role="cell" className={classes['status']}>
        <StatusLabel delivery={delivery} />
      </td>
      <td role="cell" className={classes['event']}>
        <RowLink href={`${listHref}/${id}`}>{event}</RowLink>
      </td>
      <td role="cell" className={classes['resource']} title={resourceId}>
        {shortId(resourceId)}
      </td>
      <td role="cell" className={classes['attempts']}>
        <span className={classes['wide']}>{attempts}</span>
        <span className={classes['narrow']}>{words.attemptCount(attempts)}</span>
      </td>
      <td role="cell" className={classes['response']} title={lastAttempt?.error ?? undefined}>
        {lastAttempt ? describeOutcome(lastAttempt) : deliveryTexts.noAttempt}
      </td>
      <td role="cell" className={classes['created']}>
        <time dateTime={createdAt} title={formatExact(createdAt)}>
          {formatAgo(Date.parse(createdAt) - now)}
        </time>
      </td>
    </LiveRow>
  );
});
