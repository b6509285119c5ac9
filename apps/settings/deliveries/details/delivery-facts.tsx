import type { DeliveryDetails } from '#client';
import { Code, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { formatNumber } from '../../controls/format.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import classes from './delivery-facts.module.css';

const { facts } = texts.delivery;

export function DeliveryFacts({ delivery }: { delivery: DeliveryDetails }) {
  const { url, resourceId, eventId, sequence, createdAt, finishedAt } = delivery;
  const params = { workspaceId: useWorkspaceId(), webhookId: useWebhookId() };
  return (
    <Paper withBorder p="md" component="section" aria-label={facts.label}>
      <dl className={classes['facts']}>
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
      </dl>
    </Paper>
  );
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
