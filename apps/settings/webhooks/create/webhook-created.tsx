import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSampleReceiver } from '../../session/session.js';
import { sampleReceiver } from '../../texts/webhooks/sample-receiver.js';
import { webhookCreated } from '../../texts/webhooks/webhook-created.js';
import { TabTitle } from '../layout/tab-title.js';
import { SecretField } from '../secret/secret-field.js';
import { TestButton } from '../test-event/test-button.js';
import { TestPanel } from '../test-event/test-panel.js';
import { useTestEvent } from '../test-event/use-test-event.js';
import { useWebhook, useWebhookId } from '../webhook-queries.js';
import { SnippetTabs } from './snippet-tabs.js';

const { secret, verify, test } = webhookCreated;

/**
 * The next steps for a new webhook: store the secret, verify notifications, and send a test event. The test
 * comes first if the webhook uses the sample receiver, which needs no secret.
 */
export function WebhookCreated() {
  const webhookId = useWebhookId();
  const testEvent = useTestEvent();
  const sampleUrl = useSampleReceiver();
  const webhookUrl = useWebhook().data?.webhook.url;
  const isSample = sampleUrl !== undefined && webhookUrl === sampleUrl;
  const steps: StepProps[] = [
    { ...secret, children: <SecretField webhookId={webhookId} /> },
    { ...verify, children: <SnippetTabs /> },
  ];
  const testStep = {
    ...test,
    children: (
      <Stack gap="sm">
        <div>
          <TestButton test={testEvent} isPrimary />
        </div>
        <TestPanel test={testEvent} />
      </Stack>
    ),
  };
  if (isSample) steps.unshift(testStep);
  else steps.push(testStep);
  return (
    <>
      <TabTitle>{webhookCreated.title}</TabTitle>
      <Group gap="xs" wrap="nowrap" mb={4}>
        <IconCircleCheck size={22} color="var(--mantine-primary-color-filled)" aria-hidden />
        <Title order={2} size="h4">
          {webhookCreated.title}
        </Title>
      </Group>
      <Text size="sm" mb="lg">
        {isSample ? sampleReceiver.createdText : webhookCreated.text}
      </Text>
      <Stack gap="md">
        {steps.map((step, index) => (
          <Step key={step.title} number={index + 1} {...step} />
        ))}
      </Stack>
    </>
  );
}

interface StepProps {
  title: string;
  text: string;
  children: ReactNode;
}

function Step({ number, title, text, children }: StepProps & { number: number }) {
  return (
    <Paper withBorder p="lg">
      <Title order={3} size="h5">
        {`${number}. ${title}`}
      </Title>
      <Text size="sm" mt={4} mb="md">
        {text}
      </Text>
      {children}
    </Paper>
  );
}
