import type { Replay } from '#client';
import { Button, Progress, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { formatExact } from '../../controls/format.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { TabTitle } from '../../webhooks/parts.js';
import { webhookTexts } from '../../webhooks/texts.js';
import { ReplayForm } from './replay-form.js';
import { useReplayActions, useReplays } from './replay-queries.js';
import { words } from './texts.js';

/** Sends finished deliveries again, for example after a receiver has lost events. */
export function ReplayView() {
  const query = useReplays();
  const isRunning = query.data?.some(({ status }) => status === 'running') ?? false;
  return (
    <Stack gap="xl">
      <TabTitle>{webhookTexts.tabs.replays}</TabTitle>
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

const MIN_WIDTH = 560;

function ReplayTable({ replays }: { replays: readonly Replay[] }) {
  const { cancel } = useReplayActions();
  const [cancelledId, setCancelledId] = useState<string>();
  const close = () => setCancelledId(undefined);
  const { columns } = words;
  if (replays.length === 0) return <EmptyState title={words.emptyTitle} text={words.emptyText} />;
  return (
    <>
      <Table.ScrollContainer minWidth={MIN_WIDTH} type="native" pos="relative" tabIndex={0}>
        <Table verticalSpacing="sm" aria-label={words.listTitle}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{columns.started}</Table.Th>
              <Table.Th scope="col">{columns.status}</Table.Th>
              <Table.Th scope="col">{columns.progress}</Table.Th>
              <Table.Th scope="col">{columns.finished}</Table.Th>
              <Table.Th scope="col" w={110}>
                <VisuallyHidden>{columns.actions}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {replays.map((replay) => (
              <ReplayRow
                key={replay.id}
                replay={replay}
                onCancel={() => setCancelledId(replay.id)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <ConfirmModal
        opened={cancelledId !== undefined}
        title={words.cancelTitle}
        text={words.cancelText}
        action={words.cancelAction}
        isDangerous
        isPending={cancel.isPending}
        error={cancel.error}
        onConfirm={() => {
          if (cancelledId !== undefined) cancel.mutate(cancelledId, { onSuccess: close });
        }}
        onClose={close}
      />
    </>
  );
}

function ReplayRow({ replay, onCancel }: { replay: Replay; onCancel: () => void }) {
  const { status, done, total, createdAt, finishedAt } = replay;
  const percent = total === 0 ? 100 : Math.min(100, (done / total) * 100);
  return (
    <Table.Tr>
      <Table.Td>
        <RelativeTime time={createdAt} />
      </Table.Td>
      <Table.Td>{words.jobStatus[status]}</Table.Td>
      <Table.Td>
        <Text size="sm">{words.progress(done, total)}</Text>
        {status === 'running' && (
          <Progress
            mt={4}
            value={percent}
            aria-label={words.progressLabel}
            transitionDuration={300}
          />
        )}
      </Table.Td>
      <Table.Td>{finishedAt !== null && <RelativeTime time={finishedAt} />}</Table.Td>
      <Table.Td>
        {status === 'running' && (
          <Button
            size="xs"
            variant="default"
            aria-label={words.cancelLabel(formatExact(createdAt))}
            onClick={onCancel}
          >
            {words.cancel}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
