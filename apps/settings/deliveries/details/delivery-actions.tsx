import { cancelDelivery, retryDelivery, type DeliveryDetails } from '#client';
import { Button, Group, Stack } from '@mantine/core';
import { IconRefresh, IconTerminal2 } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { deliveryKeys, isWaiting } from '../delivery-queries.js';
import { CurlModal } from './curl-modal.js';
import type { Retried } from './retry-result.js';

const { actions } = texts.delivery;

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
    // Also after an error: a conflict means that the page shows an old state of the delivery.
    onSettled: readAgain,
  });
  const cancel = useMutation({
    mutationFn: () => cancelDelivery({ client, path }),
    onSettled: readAgain,
  });
  return { retry, cancel };
}
