import { listDeliveries, type FeedEvent, type Webhook } from '#client';
import { useQueries } from '@tanstack/react-query';
import { useClient } from '../api/client.js';
import { readMatchingPage } from '../lists/cursor-list.js';

const MINUTE_MS = 60_000;
// Galley creates the deliveries within seconds, unless its workers had an outage.
const SEARCHED_MS = 60 * MINUTE_MS;

/** The delivery of the event to each webhook; null if there is none. The API lists deliveries only by webhook. */
export function useDeliveriesOf(event: FeedEvent, webhooks: readonly Webhook[]) {
  const client = useClient();
  const { id: eventId, event: kind, resourceId, timestamp } = event;
  const time = Date.parse(timestamp);
  const filter = {
    event: kind,
    resourceId,
    since: new Date(time - MINUTE_MS).toISOString(),
    until: new Date(time + SEARCHED_MS).toISOString(),
  };
  return useQueries({
    queries: webhooks.map(({ id: webhookId }) => ({
      queryKey: ['deliveries', webhookId, 'of-event', eventId],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const page = await readMatchingPage(async (cursor) => {
          const query = { ...filter, limit: 100, ...(cursor !== undefined && { cursor }) };
          return (await listDeliveries({ client, path: { id: webhookId }, query, signal })).data;
        });
        // The oldest delivery. Newer deliveries of the same event repeat it.
        return page.data.findLast((delivery) => delivery.eventId === eventId) ?? null;
      },
    })),
  });
}
