import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import { TabTitle } from '../layout/tab-title.js';
import { SecretField } from '../secret/secret-field.js';
import { TestButton } from '../test-event/test-button.js';
import { TestPanel } from '../test-event/test-panel.js';
import { useTestEvent } from '../test-event/use-test-event.js';
import { useWebhookId } from '../webhook-queries.js';
import { SnippetTabs } from './snippet-tabs.js';

const { title, text, secret, verify, test } = texts.webhookCreated;

/** The next steps for a new webhook: store the secret, verify notifications, and send a test event. */
export function WebhookCreated() {
  const webhookId = useWebhookId();
  const testEvent = useTestEvent();
  return (
    <>
      <TabTitle>{title}</TabTitle>
      <Group gap="xs" wrap="nowrap" mb={4}>
        <IconCircleCheck size={22} color="var(--mantine-primary-color-filled)" aria-hidden />
        <Title order={2} size="h4">
          {title}
        </Title>
      </Group>
      <Text size="sm" mb="lg">
        {text}
      </Text>
      <Stack gap="md">
        <Step number={1} title={secret.title} text={secret.text}>
          <SecretField webhookId={webhookId} />
        </Step>
        <Step number={2} title={verify.title} text={verify.text}>
          <SnippetTabs />
        </Step>
        <Step number={3} title={test.title} text={test.text}>
          <Stack gap="sm">
            <div>
              <TestButton test={testEvent} />
            </div>
            <TestPanel test={testEvent} />
          </Stack>
        </Step>
      </Stack>
    </>
  );
}

interface StepProps {
  number: number;
  title: string;
  text: string;
  children: ReactNode;
}

function Step({ number, title: stepTitle, text: stepText, children }: StepProps) {
  return (
    <Paper withBorder p="lg">
      <Title order={3} size="h5">
        {`${number}. ${stepTitle}`}
      </Title>
      <Text size="sm" mt={4} mb="md">
        {stepText}
      </Text>
      {children}
    </Paper>
  );
}
