import type { Webhook } from '#client';
import { Box, Group, Text, Title } from '@mantine/core';
import { useMatchRoute } from '@tanstack/react-router';
import { BreakableUrl } from '../../controls/breakable-url.js';
import { useSampleReceiver } from '../../session/session.js';
import { SampleReceiverLink } from '../sample-receiver/sample-receiver-link.js';
import { TestButton } from '../test-event/test-button.js';
import { TestPanel } from '../test-event/test-panel.js';
import { useTestEvent } from '../test-event/use-test-event.js';
import { StatusBadge } from './status-badge.js';
import { nameOfWebhook, shortenUrl } from './webhook-name.js';

const MAX_URL_LENGTH = 100;

/** The name, status and test of a webhook. The result of a test stays visible while the reader changes tabs. */
export function WebhookHeader({ webhook }: { webhook: Webhook }) {
  const { url, description } = webhook;
  const test = useTestEvent();
  const sampleReceiver = useSampleReceiver();
  const isCreated =
    useMatchRoute()({ to: '/w/$workspaceId/webhooks/$webhookId/created' }) !== false;
  // The page of a new webhook with the sample receiver begins with a test of its own.
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
