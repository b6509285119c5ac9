import type { CreatedApiKey } from '#client';
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useClient } from '../../api/api-context.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { CopyButton } from '../../controls/copy-button.js';
import { texts } from '../../texts/index.js';

/** Shows the new key, which the API never shows again, and an example request with the key. */
export function CreatedKey(props: { created: CreatedApiKey; onClose: () => void }) {
  const { created, onClose } = props;
  const { baseUrl } = useClient().getConfig();
  const workspaceId = useWorkspaceId();
  // A key that is limited to an environment may send only this request.
  const request =
    created.environment === null
      ? `templates?workspaceId=${workspaceId}&content=false`
      : `templates/${texts.apiKeys.templateIdPlaceholder}/published?environment=${created.environment}`;
  const example = [
    `curl -H "Authorization: Bearer ${created.key}" \\`,
    `  "${baseUrl ?? ''}/api/${request}"`,
  ].join('\n');
  return (
    <Stack gap="md">
      <Alert color="yellow" role="status">
        {texts.apiKeys.createdText}
      </Alert>
      <Snippet
        label={texts.apiKeys.keyLabel}
        value={created.key}
        copyLabel={texts.apiKeys.copyKey}
      />
      <Snippet
        label={texts.apiKeys.exampleLabel}
        value={example}
        copyLabel={texts.apiKeys.copyExample}
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>{texts.apiKeys.done}</Button>
      </Group>
    </Stack>
  );
}

function Snippet({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  return (
    <div>
      <Group justify="space-between" align="flex-end" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={value} label={copyLabel} />
      </Group>
      <Code block tabIndex={0} aria-label={label}>
        {value}
      </Code>
    </div>
  );
}
