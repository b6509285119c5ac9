import type { UsageUpdate } from '#client';
import { Button, Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { formatExact } from '../../controls/format.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { libraryTexts } from '../texts.js';
import { useDocument } from '../use-document.js';
import { VersionSelect } from '../version-parts.js';
import { words } from './texts.js';
import { useUpdateActions, useUsageUpdates } from './usage-queries.js';

/**
 * Pins templates to another version of the module. The user first sees how many templates pin a different version, and
 * then starts the update.
 */
export function UpdateUsages() {
  const updates = useUsageUpdates();
  const latest = useDocument().data?.document.version ?? 1;
  const [chosen, setChosen] = useState<number>();
  const countButton = useRef<HTMLButtonElement>(null);
  const { count, start } = useUpdateActions();
  const toVersion = chosen ?? latest;
  const isRunning = updates.data?.some(({ status }) => status === 'running') ?? false;
  const countOf = count.variables === toVersion ? count.data : undefined;
  const startCounted = () =>
    start.mutate(toVersion, {
      onSuccess: () => {
        // The start button disappears, so the focus moves to the count button.
        countButton.current?.focus();
        count.reset();
        notifications.show({ message: words.started });
      },
    });
  return (
    <Stack gap="xl">
      <Paper withBorder p="lg" component="section">
        <Title order={2} size="h4">
          {words.updateTitle}
        </Title>
        <Text size="sm" mt={4} mb="md" maw={680}>
          {words.updateText}
        </Text>
        <Stack gap="md">
          <Group gap="md" align="flex-end">
            <VersionSelect
              label={words.toVersion}
              latestVersion={latest}
              value={toVersion}
              onChange={setChosen}
            />
            <Button
              ref={countButton}
              variant={countOf ? 'default' : 'filled'}
              loading={count.isPending}
              onClick={() => count.mutate(toVersion)}
            >
              {words.count}
            </Button>
            {!!countOf && !isRunning && (
              <Button loading={start.isPending} onClick={startCounted}>
                {words.start(toVersion)}
              </Button>
            )}
          </Group>
          <Text size="sm" fw={600} aria-live="polite">
            {countOf !== undefined && words.counted(countOf, toVersion)}
          </Text>
          {!!countOf && isRunning && <Text size="sm">{words.oneAtATime}</Text>}
          {count.error && <ErrorAlert error={count.error} />}
          {start.error && <ErrorAlert error={start.error} />}
        </Stack>
      </Paper>
      <section>
        <Title order={2} size="h4" mb="sm">
          {words.updates}
        </Title>
        <QueryState query={updates} skeleton={<RowsSkeleton rows={1} />}>
          {(rows) => <UpdateTable updates={rows} />}
        </QueryState>
      </section>
    </Stack>
  );
}

function UpdateTable({ updates }: { updates: readonly UsageUpdate[] }) {
  const { cancel } = useUpdateActions();
  const [cancelledId, setCancelledId] = useState<string>();
  const close = () => setCancelledId(undefined);
  if (updates.length === 0) return <Text size="sm">{words.noUpdates}</Text>;
  return (
    <>
      <ListTable
        label={words.updates}
        columns={columnsFor(setCancelledId)}
        rows={updates}
        rowKey={({ id }) => id}
      />
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

const { updateColumns: columns } = words;
const columnsFor = (onCancel: (id: string) => void): Column<UsageUpdate>[] => [
  { header: columns.toVersion, cell: ({ toVersion }) => libraryTexts.versionOf(toVersion) },
  { header: columns.status, cell: ({ status }) => words.status[status], width: 120 },
  { header: columns.progress, cell: (update) => <UpdateProgress update={update} /> },
  {
    header: columns.started,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    width: 170,
  },
  {
    header: columns.actions,
    isHeaderHidden: true,
    width: 110,
    cell: ({ id, status, createdAt }) =>
      status === 'running' && (
        <Button
          size="xs"
          variant="default"
          aria-label={words.cancelLabel(formatExact(createdAt))}
          onClick={() => onCancel(id)}
        >
          {texts.common.cancel}
        </Button>
      ),
  },
];

function UpdateProgress({ update }: { update: UsageUpdate }) {
  const { status, done, total, failed, failures } = update;
  const percent = total === 0 ? 100 : Math.min(100, ((done + failed) / total) * 100);
  return (
    <div>
      <Text size="sm">{words.progress(done, total)}</Text>
      {status === 'running' && (
        <Progress
          mt={4}
          value={percent}
          aria-label={words.progressLabel}
          transitionDuration={300}
        />
      )}
      {failed > 0 && (
        <>
          <Text size="sm">{words.failed(failed)}</Text>
          <List size="xs">
            {failures.map(({ templateId, message }) => (
              <List.Item key={templateId}>
                {templateId}: {message}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </div>
  );
}
