import { getDelivery, retryDelivery, testWebhook } from '#client';
import { Button, Tooltip } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useClient } from '../../api/client.js';
import { useWebhook, useWebhookId, webhookKeys } from '../webhook-queries.js';
import { pollInterval } from './test-state.js';
import { words } from './texts.js';

const TOOLTIP_EVENTS = { hover: true, focus: true, touch: true };

interface TestButtonProps {
  test: TestEvent;
  /** Whether the test is the main action of the page. */
  isPrimary?: boolean;
}

/** Sends a test event. The button is never `disabled`, because a disabled button loses the keyboard focus. */
export function TestButton({ test, isPrimary = false }: TestButtonProps) {
  const { button, send, sendNow } = test;
  const isDisabled = useWebhook().data?.webhook.status === 'disabled';
  return (
    <Tooltip
      label={words.disabled}
      disabled={!isDisabled}
      events={TOOLTIP_EVENTS}
      multiline
      maw={280}
    >
      <Button
        ref={button}
        variant={isPrimary ? 'filled' : 'default'}
        leftSection={<IconSend size={16} />}
        aria-disabled={isDisabled}
        data-disabled={isDisabled || undefined}
        onClick={() => {
          if (isDisabled || send.isPending) return;
          sendNow.reset();
          send.mutate();
        }}
      >
        {words.send}
      </Button>
    </Tooltip>
  );
}

export type TestEvent = ReturnType<typeof useTestEvent>;

/** Sends a test event, and polls its delivery until the delivery has finished. */
export function useTestEvent() {
  const client = useClient();
  const queryClient = useQueryClient();
  const webhookId = useWebhookId();
  // The test button, which gets the keyboard focus when a button in the panel disappears.
  const button = useRef<HTMLButtonElement>(null);
  const send = useMutation({
    mutationFn: async () => (await testWebhook({ client, path: { id: webhookId } })).data,
  });
  const deliveryId = send.data?.id;
  const path = { id: webhookId, deliveryId: deliveryId ?? '' };
  const queryKey = ['webhook', webhookId, 'test', deliveryId];
  const delivery = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await getDelivery({ client, path, signal })).data,
    enabled: deliveryId !== undefined,
    refetchInterval: ({ state }) => pollInterval(state.data),
  });
  const attempts = delivery.data?.attempts ?? 0;
  useEffect(() => {
    // Refetches the health, so that the overview does not call the webhook healthy right after a failed test.
    if (attempts > 0) {
      void queryClient.invalidateQueries({ queryKey: webhookKeys.webhook(webhookId) });
    }
  }, [attempts, queryClient, webhookId]);
  // Ends the webhook's pause, and sends the test ahead of all other deliveries.
  const sendNow = useMutation({
    mutationFn: () => retryDelivery({ client, path }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  return { button, send, delivery, sendNow };
}
