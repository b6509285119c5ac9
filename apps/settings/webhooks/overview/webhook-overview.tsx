import { listWebhookTransitions, type Transition } from '#client';
import { Button, Group, Paper, Skeleton, Stack, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { QueryState } from '../../controls/states.js';
import { StatusBadge, TabTitle } from '../parts.js';
import { webhookTexts } from '../texts.js';
import { useWebhook, useWebhookId, webhookKeys } from '../webhook-queries.js';
import { HealthSection } from './health-section.js';
import { StatisticsSection } from './statistics-section.js';
import { words } from './texts.js';

export function WebhookOverview() {
  const { data } = useWebhook();
  return (
    <>
      <TabTitle>{webhookTexts.tabs.overview}</TabTitle>
      <Stack gap="md">
        {data && <HealthSection webhook={data.webhook} />}
        <StatisticsSection />
        <StatusHistory />
      </Stack>
    </>
  );
}

const REFRESH_MS = 15_000;
const SHOWN_AT_FIRST = 5;

const { history } = words;

/** The status changes of the webhook, with their reasons. */
function StatusHistory() {
  const client = useClient();
  const webhookId = useWebhookId();
  const query = useQuery({
    queryKey: webhookKeys.transitions(webhookId),
    queryFn: async ({ signal }) =>
      (await listWebhookTransitions({ client, path: { id: webhookId }, signal })).data.data,
    refetchInterval: REFRESH_MS,
  });
  return (
    <Paper component="section" withBorder p="lg" aria-label={history.title}>
      <Title order={2} size="h5" mb="md">
        {history.title}
      </Title>
      <QueryState query={query} skeleton={<Skeleton h={60} />}>
        {(transitions) => <Transitions transitions={transitions} />}
      </QueryState>
    </Paper>
  );
}

function Transitions({ transitions }: { transitions: readonly Transition[] }) {
  const [showsAll, setShowsAll] = useState(false);
  if (transitions.length === 0) return <Text size="sm">{history.empty}</Text>;
  const shown = showsAll ? transitions : transitions.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <Timeline bulletSize={14} lineWidth={2} active={-1}>
        {shown.map(({ sequence, status, reason, at }) => (
          <Timeline.Item
            key={sequence}
            title={
              <Group gap="xs">
                <StatusBadge status={status} />
                <RelativeTime time={at} />
              </Group>
            }
          >
            <Text size="sm" mt={4}>
              {reason}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {!showsAll && transitions.length > SHOWN_AT_FIRST && (
        <Button variant="default" size="xs" mt="md" onClick={() => setShowsAll(true)}>
          {history.showAll(transitions.length)}
        </Button>
      )}
    </>
  );
}
