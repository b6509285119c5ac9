import { cancelDeliveries, retryDeliveries } from '#client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/client.js';
import { formatNumber } from '../controls/format.js';
import { texts } from '../texts/index.js';
import { useWebhookId, webhookKeys } from '../webhooks/webhook-queries.js';
import { deliveryKeys } from './delivery-queries.js';

const { bulk } = texts.deliveries;

/** The actions on all deliveries of a webhook that wait. */
export function useBulkActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const webhookId = useWebhookId();
  const path = { id: webhookId };
  const readAgain = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: deliveryKeys.waiting(webhookId) }),
      queryClient.invalidateQueries({ queryKey: deliveryKeys.latestOfAll(webhookId) }),
      queryClient.invalidateQueries({ queryKey: webhookKeys.webhook(webhookId) }),
    ]);
  const retryAll = useMutation({
    mutationFn: async () => (await retryDeliveries({ client, path })).data,
    onSuccess: ({ retried }) => {
      notifications.show({ message: bulk.retried(formatNumber(retried)) });
      void readAgain();
    },
  });
  const cancelAll = useMutation({
    mutationFn: async () => (await cancelDeliveries({ client, path })).data,
    onSuccess: ({ cancelled }) => {
      notifications.show({ message: bulk.cancelled(formatNumber(cancelled)) });
      void readAgain();
    },
  });
  return { retryAll, cancelAll };
}
