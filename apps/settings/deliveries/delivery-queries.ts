import {
  cancelDeliveries,
  getDelivery,
  listDeliveries,
  retryDeliveries,
  type DeliveryDetails,
} from '#client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/client.js';
import { formatNumber } from '../controls/format.js';
import { useWebhookId, webhookKeys } from '../webhooks/webhook-queries.js';
import { deliveryTexts } from './texts.js';

export const deliveryKeys = {
  list: (webhookId: string, filter: object) => ['deliveries', webhookId, 'list', filter] as const,
  latest: (webhookId: string, filter: object) =>
    ['deliveries', webhookId, 'latest', filter] as const,
  latestOfAll: (webhookId: string) => ['deliveries', webhookId, 'latest'] as const,
  waiting: (webhookId: string) => ['deliveries', webhookId, 'waiting'] as const,
  detail: (webhookId: string, deliveryId: string) =>
    ['deliveries', webhookId, 'detail', deliveryId] as const,
  replays: (webhookId: string) => ['deliveries', webhookId, 'replays'] as const,
};

const REFRESH_MS = 2_500;

export const isWaiting = ({ status }: Pick<DeliveryDetails, 'status'>): boolean =>
  status === 'pending' || status === 'held';

/** Reads one delivery, and refetches it every `refreshMs` while it is pending or held. */
export function useDelivery(deliveryId: string, refreshMs = REFRESH_MS) {
  const client = useClient();
  const webhookId = useWebhookId();
  return useQuery({
    queryKey: deliveryKeys.detail(webhookId, deliveryId),
    queryFn: async ({ signal }) =>
      (await getDelivery({ client, path: { id: webhookId, deliveryId }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isWaiting(state.data) ? refreshMs : false,
  });
}

const WAITING_REFRESH_MS = 10_000;
// Nearly all deliveries finish within 10 seconds. A delivery that has been pending for less time is no sign of a
// problem.
const MOMENT_MS = 10_000;

/**
 * Whether the webhook has waiting deliveries with this status. A pending delivery counts only if it is older than
 * MOMENT_MS or has failed at least once.
 */
export function useHasWaitingDeliveries(status: 'pending' | 'held'): boolean {
  const client = useClient();
  const webhookId = useWebhookId();
  const { data } = useQuery({
    queryKey: [...deliveryKeys.waiting(webhookId), status],
    queryFn: async ({ signal }) => {
      const query = { status, limit: 50 };
      const { data: page } = await listDeliveries({
        client,
        path: { id: webhookId },
        query,
        signal,
      });
      const longAgo = Date.now() - MOMENT_MS;
      return page.data.some(
        ({ attempts, createdAt }) =>
          status === 'held' || attempts > 0 || Date.parse(createdAt) < longAgo,
      );
    },
    // While deliveries are waiting, the banner refreshes as often as the list, so that both stay in sync.
    refetchInterval: ({ state }) => (state.data === true ? REFRESH_MS : WAITING_REFRESH_MS),
  });
  return data ?? false;
}

const { bulk } = deliveryTexts;

/** Retries or cancels all waiting deliveries of the webhook in the URL. */
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
