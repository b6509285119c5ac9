import { Code, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyButton } from '../../controls/code.js';
import { useSampleReceiver } from '../../session/session.js';
import { TabTitle } from '../parts.js';
import { SecretField } from '../secret/secret-field.js';
import { TestButton, useTestEvent } from '../test-event/test-button.js';
import { TestPanel } from '../test-event/test-panel.js';
import { useWebhook, useWebhookId } from '../webhook-queries.js';
import { words } from './texts.js';
import { VERIFICATION_SNIPPETS } from './verification-snippets.js';

const { secret, verify, test } = words;

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
      <TabTitle>{words.title}</TabTitle>
      <Group gap="xs" wrap="nowrap" mb={4}>
        <IconCircleCheck size={22} color="var(--mantine-primary-color-filled)" aria-hidden />
        <Title order={2} size="h4">
          {words.title}
        </Title>
      </Group>
      <Text size="sm" mb="lg">
        {isSample ? words.sampleText : words.text}
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

/** Code that verifies a notification, in the programming language that the user chose last. */
function SnippetTabs() {
  const [language, setLanguage] = useLocalStorage({
    key: 'galley-snippet-language',
    defaultValue: 'Node.js',
    getInitialValueInEffect: false,
  });
  return (
    <Tabs value={language} onChange={(value) => value !== null && setLanguage(value)}>
      <Tabs.List aria-label={verify.languages}>
        {VERIFICATION_SNIPPETS.map((snippet) => (
          <Tabs.Tab key={snippet.language} value={snippet.language}>
            {snippet.language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {VERIFICATION_SNIPPETS.map(({ language: name, install, code }) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <Stack gap="xs">
            <CodeBlock label={verify.install} text={install} />
            <CodeBlock label={verify.code} text={code} />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={text} />
      </Group>
      <Code block tabIndex={0} aria-label={label}>
        {text}
      </Code>
    </div>
  );
}
