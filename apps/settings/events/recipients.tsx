import { listDeliveries, listWebhooks, type Delivery, type FeedEvent, type Webhook } from '#client';
import { Table, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client.js';
import { useWorkspaceId } from '../api/workspaces.js';
import { LinkAnchor } from '../controls/links.js';
import { ErrorAlert, QueryState, RowsSkeleton } from '../controls/states.js';
import { describeOutcome } from '../deliveries/outcomes.js';
import { StatusLabel } from '../deliveries/parts.js';
import { deliveryTexts } from '../deliveries/texts.js';
import { readMatchingPage } from '../lists/cursor-list.js';
import { nameOfWebhook } from '../webhooks/webhook-format.js';
import { words } from './texts.js';

// The view sends one request for each webhook, so it shows only this many webhooks.
const MAX_WEBHOOKS = 20;

/** Shows the status of the event's delivery to each webhook. Requires the `admin` role. */
export function Recipients({ event }: { event: FeedEvent }) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const query = useQuery({
    queryKey: ['events', workspaceId, 'webhooks'],
    queryFn: async ({ signal }) =>
      (await listWebhooks({ client, query: { workspaceId, limit: MAX_WEBHOOKS }, signal })).data,
  });
  return (
    <QueryState query={query} skeleton={<RowsSkeleton rows={3} height={44} />}>
      {({ data, nextCursor }) =>
        data.length === 0 ? (
          <Text size="sm">{words.noWebhooks}</Text>
        ) : (
          <>
            <Text size="sm" mb="xs">
              {words.recipientsText} {nextCursor !== null && words.manyWebhooks(MAX_WEBHOOKS)}
            </Text>
            <RecipientTable webhooks={data} event={event} />
          </>
        )
      }
    </QueryState>
  );
}

function RecipientTable({ webhooks, event }: { webhooks: Webhook[]; event: FeedEvent }) {
  const { recipientColumns: columns } = words;
  const queries = useEventDeliveries(event, webhooks);
  const error = queries.find((query) => query.error !== null)?.error;
  if (error) return <ErrorAlert error={error} />;
  if (queries.some(({ isPending }) => isPending)) return <RowsSkeleton rows={3} height={44} />;
  const results = webhooks.map((webhook, index) => ({ webhook, delivery: queries[index]?.data }));
  const recipients = results.flatMap(({ webhook, delivery }) =>
    delivery ? [{ webhook, delivery }] : [],
  );
  const others = results.filter(({ delivery }) => !delivery);
  const names = others.map(({ webhook }) => nameOfWebhook(webhook)).join(', ');
  if (recipients.length === 0) return <Text size="sm">{words.noRecipients}</Text>;
  return (
    <>
      <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
        <Table aria-label={words.recipientsLabel} layout="fixed" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{columns.webhook}</Table.Th>
              <Table.Th scope="col">{columns.status}</Table.Th>
              <Table.Th scope="col">{columns.response}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {recipients.map(({ webhook, delivery }) => (
              <Recipient key={webhook.id} webhook={webhook} delivery={delivery} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {others.length > 0 && (
        <Text size="sm" mt="sm">
          {words.others(names)}
        </Text>
      )}
    </>
  );
}

function Recipient({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { workspaceId, id: webhookId } = webhook;
  return (
    <Table.Tr>
      <Table.Td>{nameOfWebhook(webhook)}</Table.Td>
      <Table.Td>
        <LinkAnchor
          size="sm"
          to="/w/$workspaceId/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ workspaceId, webhookId, deliveryId: delivery.id }}
        >
          <StatusLabel delivery={delivery} />
        </LinkAnchor>
      </Table.Td>
      <Table.Td>
        {delivery.lastAttempt ? describeOutcome(delivery.lastAttempt) : deliveryTexts.noAttempt}
      </Table.Td>
    </Table.Tr>
  );
}

const MINUTE_MS = 60_000;
// The view looks for deliveries that were created within an hour after the event. Galley normally creates deliveries
// within seconds, but later if the workers were down.
const SEARCHED_MS = 60 * MINUTE_MS;

/**
 * Finds the event's delivery to each webhook. Null if a webhook has no delivery. The API lists deliveries only by
 * webhook, so each webhook takes a request.
 */
function useEventDeliveries(event: FeedEvent, webhooks: readonly Webhook[]) {
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
        // The oldest match is the original delivery. Newer matches send the same event again.
        return page.data.findLast((delivery) => delivery.eventId === eventId) ?? null;
      },
    })),
  });
}
