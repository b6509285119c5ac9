import type { DeliveryDetails } from '#client';
import { Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { formatNumber } from '../../controls/format.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime, useNow } from '../../controls/relative-time.js';
import { QueryState } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { TabTitle } from '../../webhooks/parts.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { useDelivery } from '../delivery-queries.js';
import { Fact, Facts, StatusLabel } from '../parts.js';
import { deliveryTexts } from '../texts.js';
import { Attempts } from './attempts.js';
import { DeliveryActions } from './delivery-actions.js';
import { describeState } from './delivery-state.js';
import { RetryResult, type Retried } from './retry-result.js';
import { words } from './texts.js';

const deliveryApi = getRouteApi('/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId');

/** The page of one delivery: the requests, the responses of the receiver, and advice on failures. */
export function DeliveryView() {
  const { deliveryId } = deliveryApi.useParams();
  const params = { workspaceId: useWorkspaceId(), webhookId: useWebhookId() };
  const query = useDelivery(deliveryId);
  return (
    <>
      <TabTitle>{query.data?.event ?? deliveryTexts.title}</TabTitle>
      <LinkAnchor to="/w/$workspaceId/webhooks/$webhookId/deliveries" params={params} size="sm">
        <Group gap={4} display="inline-flex">
          <IconArrowLeft size={14} aria-hidden />
          {words.allDeliveries}
        </Group>
      </LinkAnchor>
      <QueryState query={query} skeleton={<DeliverySkeleton />}>
        {(delivery) => <DeliveryContent key={delivery.id} delivery={delivery} />}
      </QueryState>
    </>
  );
}

function DeliveryContent({ delivery }: { delivery: DeliveryDetails }) {
  const now = useNow(1_000);
  const [retried, setRetried] = useState<Retried>();
  return (
    <Stack gap="lg" mt="xs">
      <Stack gap={6}>
        <Group justify="space-between" gap="sm">
          <Group gap="md">
            <Title order={2} size="h3">
              {delivery.event}
            </Title>
            <StatusLabel delivery={delivery} />
          </Group>
          <DeliveryActions delivery={delivery} onRetried={setRetried} />
        </Group>
        <Text size="sm">{describeState(delivery, now)}</Text>
      </Stack>
      {retried && <RetryResult key={retried.startedAt} retried={retried} shownId={delivery.id} />}
      <Attempts delivery={delivery} />
      <DeliveryFacts delivery={delivery} />
    </Stack>
  );
}

function DeliverySkeleton() {
  return (
    <Stack gap="lg" mt="xs" role="status" aria-busy aria-label={texts.common.loading}>
      <Skeleton h={34} maw={320} />
      <Skeleton h={120} />
      <Skeleton h={64} />
      <Skeleton h={320} />
    </Stack>
  );
}

const { facts } = words;

function DeliveryFacts({ delivery }: { delivery: DeliveryDetails }) {
  const { url, resourceId, eventId, sequence, createdAt, finishedAt } = delivery;
  const params = { workspaceId: useWorkspaceId(), webhookId: useWebhookId() };
  return (
    <Paper withBorder p="md" component="section" aria-label={facts.label}>
      <Facts>
        <Fact term={facts.url}>
          <Code>{url}</Code>
        </Fact>
        <Fact term={facts.resource}>
          <Group gap="xs">
            <Code>{resourceId}</Code>
            <LinkAnchor
              size="sm"
              to="/w/$workspaceId/webhooks/$webhookId/deliveries"
              params={params}
              search={{ resourceId }}
            >
              {facts.sameResource}
            </LinkAnchor>
          </Group>
        </Fact>
        <Fact term={facts.eventId}>
          <Code>{eventId}</Code>
          <Text size="xs">{facts.eventIdHint}</Text>
        </Fact>
        <Fact term={facts.sequence}>{facts.sequenceText(formatNumber(sequence))}</Fact>
        <Fact term={facts.created}>
          <RelativeTime time={createdAt} />
        </Fact>
        {finishedAt !== null && (
          <Fact term={facts.finished}>
            <RelativeTime time={finishedAt} />
          </Fact>
        )}
      </Facts>
    </Paper>
  );
}
