import { Skeleton, Stack } from '@mantine/core';
import { Outlet, useParams } from '@tanstack/react-router';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { AdminOnly, NotFound, QueryState, RowsSkeleton } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { useWebhook } from '../webhook-queries.js';
import { WebhookHeader } from './webhook-header.js';
import { WebhookTabs } from './webhook-tabs.js';

export function WebhookLayout() {
  return (
    <AdminOnly>
      <WebhookFrame />
    </AdminOnly>
  );
}

function WebhookFrame() {
  const workspaceId = useWorkspaceId();
  const query = useWebhook();
  const { deliveryId = '' } = useParams({ strict: false });
  return (
    <>
      <LinkAnchor to="/w/$workspaceId/webhooks" params={{ workspaceId }} size="sm">
        {texts.navigation.webhooks}
      </LinkAnchor>
      <QueryState query={query} skeleton={<HeaderSkeleton />}>
        {({ webhook }) =>
          webhook.workspaceId === workspaceId ? (
            <>
              {/* The key hides the result of a test on the page of a delivery, which has results of its own. */}
              <WebhookHeader key={webhook.id + deliveryId} webhook={webhook} />
              <WebhookTabs />
              <Outlet />
            </>
          ) : (
            <NotFound />
          )
        }
      </QueryState>
    </>
  );
}

function HeaderSkeleton() {
  return (
    <Stack gap="sm" mt={4} role="status" aria-busy aria-label={texts.common.loading}>
      <Skeleton h={34} maw={320} />
      <Skeleton h={20} maw={480} />
      <Skeleton h={44} mb="md" />
      <RowsSkeleton rows={5} />
    </Stack>
  );
}
