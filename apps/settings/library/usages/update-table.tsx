import type { UsageUpdate } from '#client';
import { Button, List, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { formatExact } from '../../controls/format.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { ListTable, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts/index.js';
import { usages as words } from '../../texts/library/usages.js';
import { useUpdateActions } from './usage-queries.js';

export function UpdateTable({ updates }: { updates: readonly UsageUpdate[] }) {
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
  { header: columns.toVersion, cell: ({ toVersion }) => texts.library.versionOf(toVersion) },
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
