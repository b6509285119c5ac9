import type { CreatedApiKey } from '#client';
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { CopyButton } from '../../controls/code.js';
import { words } from './texts.js';

/** Shows the new key, which the API never returns again, and an example request that uses the key. */
export function CreatedKey(props: { created: CreatedApiKey; onClose: () => void }) {
  const { created, onClose } = props;
  const { baseUrl } = useClient().getConfig();
  const workspaceId = useWorkspaceId();
  // A key that is limited to an environment cannot list templates, so its example request reads a published template.
  const request =
    created.environment === null
      ? `templates?workspaceId=${workspaceId}&content=false`
      : `templates/${words.templateIdPlaceholder}/published?environment=${created.environment}`;
  const example = [
    `curl -H "Authorization: Bearer ${created.key}" \\`,
    `  "${baseUrl ?? ''}/api/${request}"`,
  ].join('\n');
  return (
    <Stack gap="md">
      <Alert color="yellow" role="status">
        {words.createdText}
      </Alert>
      <Snippet label={words.keyLabel} value={created.key} copyLabel={words.copyKey} />
      <Snippet label={words.exampleLabel} value={example} copyLabel={words.copyExample} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{words.done}</Button>
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
