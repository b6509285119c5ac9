import { getWebhookHealth, type HealthReport, type LastFailure, type Webhook } from '#client';
import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClockPause,
  IconPlayerPause,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor, LinkButton } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { ErrorAlert, QueryState } from '../../controls/states.js';
import { useBulkActions } from '../../deliveries/delivery-queries.js';
import { useWebhookId, webhookKeys } from '../webhook-queries.js';
import { canSendAllNow, describeHealth, isDue, type HealthTone } from './health-words.js';
import classes from './overview.module.css';
import { words } from './texts.js';

const REFRESH_MS = 5_000;
// Refetches more often while attempts are due, because their results arrive soon.
const REFRESH_DUE_MS = 1_000;
const ICONS: Record<HealthTone, typeof IconCircleCheck> = {
  good: IconCircleCheck,
  waiting: IconClockPause,
  bad: IconAlertTriangle,
  off: IconPlayerPause,
};

const { health: healthTexts } = words;

/** Describes the health of the webhook in words, and says what happens next. */
export function HealthSection({ webhook }: { webhook: Webhook }) {
  const client = useClient();
  const webhookId = useWebhookId();
  const query = useQuery({
    queryKey: webhookKeys.health(webhookId),
    queryFn: async ({ signal }) =>
      (await getWebhookHealth({ client, path: { id: webhookId }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data && isDue(state.data, new Date(state.dataUpdatedAt)) ? REFRESH_DUE_MS : REFRESH_MS,
  });
  return (
    <QueryState query={query} skeleton={<Skeleton h={132} />}>
      {(report) => <Health webhook={webhook} report={report} readAt={query.dataUpdatedAt} />}
    </QueryState>
  );
}

interface HealthProps {
  webhook: Webhook;
  report: HealthReport;
  /** When the report was read, in milliseconds since the Unix epoch. */
  readAt: number;
}

function Health({ webhook, report, readAt }: HealthProps) {
  const params = { workspaceId: useWorkspaceId(), webhookId: webhook.id };
  const now = new Date(readAt);
  const { tone, headline, sentences } = describeHealth(webhook.status, report, now);
  const Icon = ICONS[tone];
  const section = useRef<HTMLDivElement>(null);
  return (
    <Paper
      ref={section}
      component="section"
      withBorder
      p="lg"
      aria-label={healthTexts.title}
      tabIndex={-1}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Icon size={24} className={classes[tone] ?? ''} aria-hidden />
        <Stack gap="xs">
          <Title order={2} size="h5">
            {headline}
          </Title>
          {tone === 'off' && webhook.statusReason !== null && (
            <Text size="sm">{webhook.statusReason}</Text>
          )}
          <Text size="sm">{sentences.join(' ')}</Text>
          {report.lastFailure && <Failure failure={report.lastFailure} params={params} />}
          {canSendAllNow(report, now) && <SendAllNow onPress={() => section.current?.focus()} />}
          {tone === 'off' && (
            <LinkButton
              to="/w/$workspaceId/webhooks/$webhookId/settings"
              params={params}
              size="xs"
              variant="default"
              w="fit-content"
            >
              {healthTexts.openSettings}
            </LinkButton>
          )}
        </Stack>
      </Group>
    </Paper>
  );
}

interface FailureProps {
  failure: LastFailure;
  params: { workspaceId: string; webhookId: string };
}

function Failure({ failure, params }: FailureProps) {
  return (
    <Text size="sm">
      {healthTexts.lastFailure} <RelativeTime time={failure.at} inline />: {failure.error}.{' '}
      <LinkAnchor
        to="/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId"
        params={{ ...params, deliveryId: failure.deliveryId }}
        inherit
        underline="always"
      >
        {healthTexts.showDelivery}
      </LinkAnchor>
    </Text>
  );
}

interface SendAllNowProps {
  /** Must move the keyboard focus, because the button disappears when the pause ends. */
  onPress: () => void;
}

/** Sends all pending deliveries now, even while the webhook is paused. */
function SendAllNow({ onPress }: SendAllNowProps) {
  const { retryAll } = useBulkActions();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        onClick={() => {
          onPress();
          if (!retryAll.isPending) retryAll.mutate();
        }}
      >
        {healthTexts.sendAllNow}
      </Button>
      {retryAll.error && <ErrorAlert error={retryAll.error} />}
    </>
  );
}
