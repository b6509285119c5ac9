import type { Attempt } from '#client';
import { Code, Group, List, Modal, Text } from '@mantine/core';
import { CopyButton } from '../../controls/code.js';
import { texts } from '../../texts/index.js';
import { hiddenHeaders, toCurlCommand } from './curl-command.js';
import classes from './curl-modal.module.css';

interface CurlModalProps {
  opened: boolean;
  attempt: Attempt;
  body: string;
  onClose: () => void;
}

export function CurlModal({ opened, attempt, body, onClose }: CurlModalProps) {
  const { curl } = texts.delivery;
  const headers = attempt.requestHeaders ?? {};
  const command = toCurlCommand({ url: attempt.url ?? '', headers, body });
  const hidden = hiddenHeaders(headers);
  return (
    <Modal opened={opened} onClose={onClose} title={curl.title} size="xl" centered>
      <Code block tabIndex={0} aria-label={curl.command} className={classes['command'] ?? ''}>
        {command}
      </Code>
      <List size="sm" mt="md" spacing={4}>
        <List.Item>
          <Text size="sm">{curl.signature}</Text>
        </List.Item>
        {hidden.length > 0 && (
          <List.Item>
            <Text size="sm">{curl.hiddenHeaders(hidden.join(', '))}</Text>
          </List.Item>
        )}
      </List>
      <Group justify="flex-end" mt="md">
        <CopyButton value={command} />
      </Group>
    </Modal>
  );
}
