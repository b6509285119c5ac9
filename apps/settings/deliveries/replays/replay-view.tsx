import { Stack, Title } from '@mantine/core';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { replays as words } from '../../texts/deliveries/replays.js';
import { texts } from '../../texts/index.js';
import { TabTitle } from '../../webhooks/layout/tab-title.js';
import { ReplayForm } from './replay-form.js';
import { useReplays } from './replay-queries.js';
import { ReplayTable } from './replay-table.js';

/** Sends finished deliveries again, for example after a receiver has lost events. */
export function ReplayView() {
  const query = useReplays();
  const isRunning = query.data?.some(({ status }) => status === 'running') ?? false;
  return (
    <Stack gap="xl">
      <TabTitle>{texts.webhooks.tabs.replays}</TabTitle>
      <ReplayForm isReplayRunning={isRunning} />
      <section>
        <Title order={2} size="h4" mb="sm">
          {words.listTitle}
        </Title>
        <QueryState query={query} skeleton={<RowsSkeleton rows={3} />}>
          {(replays) => <ReplayTable replays={replays} />}
        </QueryState>
      </section>
    </Stack>
  );
}
