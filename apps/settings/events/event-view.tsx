import { readEvents, type FeedEvent } from '#client';
import { Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useClient } from '../api/client.js';
import { useHasRole, useWorkspaceId } from '../api/workspaces.js';
import { formatNumber } from '../controls/format.js';
import { LinkAnchor, LinkButton } from '../controls/links.js';
import { Page } from '../controls/page.js';
import { RelativeTime } from '../controls/relative-time.js';
import { EmptyState, QueryState } from '../controls/states.js';
import { BodyView } from '../deliveries/message/body-view.js';
import { Fact, Facts } from '../deliveries/parts.js';
import { texts } from '../texts.js';
import { Recipients } from './recipients.js';
import { words } from './texts.js';

const eventApi = getRouteApi('/w/$workspaceId/events/$position');

/** The page of one event: its data, and its deliveries to webhooks. */
export function EventView() {
  const position = Number(eventApi.useParams().position);
  const workspaceId = useWorkspaceId();
  const query = useEvent(position);
  return (
    <Page
      title={query.data?.event ?? words.position(formatNumber(position))}
      breadcrumbs={
        <LinkAnchor to="/w/$workspaceId/events" params={{ workspaceId }} size="sm">
          <Group gap={4} display="inline-flex">
            <IconArrowLeft size={14} aria-hidden />
            {words.allEvents}
          </Group>
        </LinkAnchor>
      }
      actions={query.data && <EventNeighbours position={query.data.position} />}
    >
      <QueryState query={query} skeleton={<EventSkeleton />}>
        {(event) =>
          event === null ? (
            <EmptyState title={words.goneTitle} text={words.goneText} />
          ) : (
            <EventContent event={event} />
          )
        }
      </QueryState>
    </Page>
  );
}

/** Reads the event at a position. Null if the event was deleted or has not happened yet. */
function useEvent(position: number) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['events', workspaceId, 'detail', position],
    queryFn: async ({ signal }): Promise<FeedEvent | null> => {
      if (!Number.isSafeInteger(position) || position < 1) return null;
      const query = { workspaceId, after: position - 1, limit: 1 };
      const { data } = (await readEvents({ client, query, signal })).data;
      return data[0]?.position === position ? data[0] : null;
    },
  });
}

function EventContent({ event }: { event: FeedEvent }) {
  const isAdmin = useHasRole('admin');
  const { facts } = words;
  return (
    <Stack gap="lg">
      <Paper withBorder p="md" component="section" aria-label={facts.label}>
        <Facts>
          <Fact term={facts.time}>
            <RelativeTime time={event.timestamp} />
          </Fact>
          <Fact term={facts.id}>
            <Code>{event.id}</Code>
          </Fact>
          <Fact term={facts.resource}>
            <Code>{event.resourceId}</Code>
          </Fact>
          <Fact term={facts.sequence}>{facts.sequenceText(formatNumber(event.sequence))}</Fact>
        </Facts>
      </Paper>
      <Paper withBorder>
        <BodyView body={JSON.stringify(event.data)} part={words.data} label={words.data} />
      </Paper>
      <section>
        <Title order={2} size="h4" mb={4}>
          {words.recipientsTitle}
        </Title>
        {isAdmin ? <Recipients event={event} /> : <Text size="sm">{words.adminsOnly}</Text>}
      </section>
    </Stack>
  );
}

function EventSkeleton() {
  return (
    <Stack gap="lg" role="status" aria-busy aria-label={texts.common.loading}>
      <Skeleton h={110} />
      <Skeleton h={190} />
      <Skeleton h={160} />
    </Stack>
  );
}

const { previous, next } = words;

function EventNeighbours({ position }: { position: number }) {
  const workspaceId = useWorkspaceId();
  const at = (neighbour: number) => ({ workspaceId, position: String(neighbour) });
  return (
    <Group gap="xs">
      <LinkButton
        variant="default"
        to="/w/$workspaceId/events/$position"
        params={at(position - 1)}
        leftSection={<IconChevronLeft size={16} />}
        disabled={position === 1}
      >
        {previous}
      </LinkButton>
      <LinkButton
        variant="default"
        to="/w/$workspaceId/events/$position"
        params={at(position + 1)}
        rightSection={<IconChevronRight size={16} />}
      >
        {next}
      </LinkButton>
    </Group>
  );
}
