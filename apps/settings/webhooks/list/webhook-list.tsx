import { listWebhooks } from '#client';
import { Button, Center, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkButton } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { AdminOnly, EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { webhookKeys } from '../webhook-queries.js';
import { words } from './texts.js';
import classes from './webhook-list.module.css';
import { WebhookRow } from './webhook-row.js';

const PAGE_SIZE = 50;
const REFRESH_MS = 15_000;

export function WebhookList() {
  return (
    <AdminOnly>
      <Page title={texts.navigation.webhooks} actions={<CreateButton />}>
        <Webhooks />
      </Page>
    </AdminOnly>
  );
}

function Webhooks() {
  const query = useWebhookPages();
  return (
    <QueryState query={query} skeleton={<RowsSkeleton rows={5} height={104} />}>
      {({ pages }) => {
        const webhooks = pages.flatMap(({ data }) => data);
        if (webhooks.length === 0) return <NoWebhooks />;
        return (
          <>
            <ul className={classes['list']} aria-label={texts.navigation.webhooks}>
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
            <Text size="sm" c="dimmed" mt="sm">
              {words.statuses}
            </Text>
            {query.hasNextPage && (
              <Center mt="md">
                <Button
                  variant="default"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {texts.common.loadMore}
                </Button>
              </Center>
            )}
          </>
        );
      }}
    </QueryState>
  );
}

function useWebhookPages() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    queryKey: webhookKeys.list(workspaceId),
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        workspaceId,
        limit: PAGE_SIZE,
        stats: true,
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      return (await listWebhooks({ client, query, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });
}

function NoWebhooks() {
  return (
    <EmptyState title={words.emptyTitle} text={words.emptyText}>
      <CreateButton />
    </EmptyState>
  );
}

function CreateButton() {
  const workspaceId = useWorkspaceId();
  return (
    <LinkButton to="/w/$workspaceId/webhooks/new" params={{ workspaceId }}>
      {words.create}
    </LinkButton>
  );
}
