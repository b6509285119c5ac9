import { cancelDelivery, retryDelivery, type Attempt, type DeliveryDetails } from '#client';
import { Button, Code, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconRefresh, IconTerminal2 } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { CopyButton } from '../../controls/code.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { ErrorAlert } from '../../controls/states.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { deliveryKeys, isWaiting } from '../delivery-queries.js';
import { hiddenHeaders, toCurlCommand } from './curl-command.js';
import classes from './details.module.css';
import type { Retried } from './retry-result.js';
import { words } from './texts.js';

const { actions } = words;

interface DeliveryActionsProps {
  delivery: DeliveryDetails;
  onRetried: (retried: Retried) => void;
}

export function DeliveryActions({ delivery, onRetried }: DeliveryActionsProps) {
  const { retry, cancel } = useDeliveryActions(delivery.id, onRetried);
  const [opened, setOpened] = useState<'curl' | 'cancel'>();
  const close = () => setOpened(undefined);
  const sentAttempt = delivery.attemptsMade.findLast(
    ({ requestHeaders }) => requestHeaders !== null,
  );
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {sentAttempt && delivery.requestBody !== null && (
          <Button
            variant="default"
            leftSection={<IconTerminal2 size={16} />}
            onClick={() => setOpened('curl')}
          >
            {actions.curl}
          </Button>
        )}
        {isWaiting(delivery) && (
          <Button variant="default" onClick={() => setOpened('cancel')}>
            {actions.cancel}
          </Button>
        )}
        {delivery.status !== 'held' && (
          <Button
            leftSection={<IconRefresh size={16} />}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {sendLabel(delivery)}
          </Button>
        )}
      </Group>
      {retry.error && <ErrorAlert error={retry.error} />}
      {sentAttempt && (
        <CurlModal
          opened={opened === 'curl'}
          attempt={sentAttempt}
          body={delivery.requestBody ?? ''}
          onClose={close}
        />
      )}
      <ConfirmModal
        opened={opened === 'cancel'}
        title={actions.cancelTitle}
        text={actions.cancelText}
        action={actions.cancel}
        isDangerous
        isPending={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate(undefined, { onSuccess: close })}
        onClose={close}
      />
    </Stack>
  );
}

function sendLabel({ status, attempts }: DeliveryDetails): string {
  return status === 'pending' || attempts === 0 ? actions.sendNow : actions.sendAgain;
}

function useDeliveryActions(deliveryId: string, onRetried: (retried: Retried) => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  const webhookId = useWebhookId();
  const path = { id: webhookId, deliveryId };
  const readAgain = () =>
    queryClient.invalidateQueries({ queryKey: deliveryKeys.detail(webhookId, deliveryId) });
  const retry = useMutation({
    mutationFn: async () => (await retryDelivery({ client, path })).data,
    onSuccess: ({ id, attempts }) => onRetried({ id, attempts, startedAt: Date.now() }),
    // Refetches after an error too, because a conflict means that the page shows a stale delivery.
    onSettled: readAgain,
  });
  const cancel = useMutation({
    mutationFn: () => cancelDelivery({ client, path }),
    onSettled: readAgain,
  });
  return { retry, cancel };
}

interface CurlModalProps {
  opened: boolean;
  attempt: Attempt;
  body: string;
  onClose: () => void;
}

function CurlModal({ opened, attempt, body, onClose }: CurlModalProps) {
  const { curl } = words;
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
