import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { useWebhook } from '../../webhooks/webhook-queries.js';
import { useBulkActions, useHasWaitingDeliveries } from '../delivery-queries.js';
import { deliveryTexts } from '../texts.js';
import { words } from './texts.js';

const { bulk } = deliveryTexts;

/**
 * A banner that appears when deliveries are waiting. It says why they wait, and offers to retry or cancel all of them.
 * Once the banner has appeared, it stays, so that the list does not move whenever a delivery starts or stops waiting.
 */
export function WaitingDeliveries() {
  const status = useWebhook().data?.webhook.status;
  const isDisabled = status === 'disabled';
  const hasWaiting = useHasWaitingDeliveries(isDisabled ? 'held' : 'pending');
  const { retryAll, cancelAll } = useBulkActions();
  const [hasAppeared, setAppeared] = useState(false);
  const [question, setQuestion] = useState<'retry' | 'cancel'>();
  const close = () => setQuestion(undefined);
  if (hasWaiting && !hasAppeared) setAppeared(true);
  if (!hasAppeared || status === undefined) return null;
  const actions = hasWaiting && (
    <Group gap="xs">
      {!isDisabled && (
        <Button size="xs" variant="default" onClick={() => setQuestion('retry')}>
          {bulk.retry}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setQuestion('cancel')}>
        {bulk.cancel}
      </Button>
    </Group>
  );
  return (
    <>
      <Alert variant="light" color={status === 'active' ? 'blue' : 'orange'} mb="md" py="xs">
        <Group justify="space-between" gap="sm" mih={30} c="var(--mantine-color-text)">
          <span style={{ flex: '1 1 280px' }}>
            {hasWaiting ? words.waiting[status] : words.nothingWaits}
          </span>
          {actions}
        </Group>
      </Alert>
      <ConfirmModal
        opened={question === 'retry'}
        title={bulk.retryTitle}
        text={bulk.retryText}
        action={bulk.retry}
        isPending={retryAll.isPending}
        error={retryAll.error}
        onConfirm={() => retryAll.mutate(undefined, { onSuccess: close })}
        onClose={close}
      />
      <ConfirmModal
        opened={question === 'cancel'}
        title={bulk.cancelTitle}
        text={bulk.cancelText}
        action={bulk.cancel}
        isDangerous
        isPending={cancelAll.isPending}
        error={cancelAll.error}
        onConfirm={() => cancelAll.mutate(undefined, { onSuccess: close })}
        onClose={close}
      />
    </>
  );
}
