import { Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CopyButton } from '../../controls/code.js';
import { webhookCreated } from '../../texts/webhooks/webhook-created.js';
import { VERIFICATION_SNIPPETS } from './verification-snippets.js';

const { verify } = webhookCreated;

/** How to verify a notification, in the language that the reader has chosen last. */
export function SnippetTabs() {
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
