import type { Webhook } from '#client';
import { Box, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Outlet, useMatchRoute, useParams } from '@tanstack/react-router';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { LinkTab, LinkTabs } from '../../controls/page.js';
import { AdminOnly, NotFound, QueryState, RowsSkeleton } from '../../controls/states.js';
import { useSampleReceiver } from '../../session/session.js';
import { texts } from '../../texts.js';
import { BreakableUrl, SampleReceiverLink, StatusBadge } from '../parts.js';
import { TestButton, useTestEvent } from '../test-event/test-button.js';
import { TestPanel } from '../test-event/test-panel.js';
import { webhookTexts } from '../texts.js';
import { nameOfWebhook, shortenUrl } from '../webhook-format.js';
import { useWebhook, useWebhookId } from '../webhook-queries.js';

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
              {/*
                The key changes when the user opens the page of a delivery. The new key removes the test result, because
                the page of a delivery shows its own results.
              */}
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

const MAX_URL_LENGTH = 100;

/** The name, status and test button of a webhook. A test result stays visible while the user switches tabs. */
function WebhookHeader({ webhook }: { webhook: Webhook }) {
  const { url, description } = webhook;
  const test = useTestEvent();
  const sampleReceiver = useSampleReceiver();
  const isCreated =
    useMatchRoute()({ to: '/w/$workspaceId/webhooks/$webhookId/created' }) !== false;
  // The page of a new webhook that uses the sample receiver begins with a test button of its own.
  const hasTest = !isCreated || url !== sampleReceiver;
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="sm" mt={4} mb="md">
        <div>
          <Group gap="sm">
            <Title order={1} size="h2" title={url}>
              <BreakableUrl>{nameOfWebhook(webhook)}</BreakableUrl>
            </Title>
            <StatusBadge status={webhook.status} />
          </Group>
          {description.trim() !== '' && (
            <Text size="sm" mt={4} title={url}>
              <BreakableUrl>{shortenUrl(url, MAX_URL_LENGTH)}</BreakableUrl>
            </Text>
          )}
          <SampleReceiverLink url={url} />
        </div>
        {hasTest && <TestButton test={test} />}
      </Group>
      {hasTest && (
        <Box mb="md">
          <TestPanel test={test} />
        </Box>
      )}
    </>
  );
}

const { tabs } = webhookTexts;
const TABS = [
  { to: '/w/$workspaceId/webhooks/$webhookId', label: tabs.overview, exact: true },
  { to: '/w/$workspaceId/webhooks/$webhookId/deliveries', label: tabs.deliveries, exact: false },
  { to: '/w/$workspaceId/webhooks/$webhookId/replays', label: tabs.replays, exact: false },
  { to: '/w/$workspaceId/webhooks/$webhookId/settings', label: tabs.settings, exact: false },
] as const;

function WebhookTabs() {
  const params = { workspaceId: useWorkspaceId(), webhookId: useWebhookId() };
  return (
    <LinkTabs label={tabs.label}>
      {TABS.map(({ to, label, exact }) => (
        <LinkTab key={to} to={to} params={params} activeOptions={{ exact, includeSearch: false }}>
          {label}
        </LinkTab>
      ))}
    </LinkTabs>
  );
}
