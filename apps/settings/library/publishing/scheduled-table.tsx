import { GalleyError, type Publication } from '#client';
import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useHasRole } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { formatExact } from '../../controls/format.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { ListTable, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { libraryTexts } from '../texts.js';
import { useAuthors } from '../use-document.js';
import { VersionLink } from '../version-parts.js';
import { PublicationNote } from './publication-history.js';
import { usePublishingActions } from './publication-queries.js';
import { words } from './texts.js';

const { scheduledColumns: columns } = words;

interface ScheduledTableProps {
  scheduled: readonly Publication[];
  /** Called when the dialog has closed after a publication was cancelled. */
  onCancelled: () => void;
}

export function ScheduledTable({ scheduled, onCancelled }: ScheduledTableProps) {
  const authorOf = useAuthors();
  const isEditor = useHasRole('editor');
  const { cancel } = usePublishingActions();
  const [asked, setAsked] = useState<Publication>();
  const [isAsking, setAsking] = useState(false);
  const ask = (publication: Publication) => {
    setAsked(publication);
    setAsking(true);
  };
  const close = () => setAsking(false);
  const { error } = cancel;
  const isTooLate = error instanceof GalleyError && error.code === 'not_found';
  return (
    <>
      {scheduled.length === 0 ? (
        <Text size="sm">{words.nothingScheduled}</Text>
      ) : (
        <ListTable
          label={words.scheduledTitle}
          columns={isEditor ? [...columnsFor(authorOf), cancelColumn(ask)] : columnsFor(authorOf)}
          rows={scheduled}
          rowKey={({ id }) => id}
        />
      )}
      <ConfirmModal
        opened={isAsking}
        title={words.cancelTitle}
        text={asked && words.cancelText(asked.version ?? 0, asked.environment)}
        action={words.cancelAction}
        isDangerous
        isPending={cancel.isPending}
        error={isTooLate ? new Error(words.cancelTooLate) : error}
        onConfirm={() => {
          if (asked === undefined) return;
          cancel.mutate(asked.id, {
            onSuccess: () => {
              notifications.show({ message: words.cancelled });
              close();
            },
          });
        }}
        onClose={close}
        onClosed={() => {
          if (cancel.isSuccess) onCancelled();
          cancel.reset();
        }}
      />
    </>
  );
}

const columnsFor = (authorOf: (userId: string) => string): Column<Publication>[] => [
  {
    header: columns.version,
    width: 110,
    cell: ({ version }) => version !== null && <Version version={version} />,
  },
  { header: columns.environment, width: 150, cell: ({ environment }) => environment },
  {
    header: columns.time,
    width: 260,
    cell: ({ at }) => (
      <Stack gap={0}>
        {formatExact(at)}
        <RelativeTime time={at} />
      </Stack>
    ),
  },
  { header: columns.by, width: 140, cell: ({ createdBy }) => authorOf(createdBy) },
  { header: columns.note, cell: ({ note }) => <PublicationNote note={note} /> },
];

const cancelColumn = (onCancel: (publication: Publication) => void): Column<Publication> => ({
  header: columns.actions,
  isHeaderHidden: true,
  width: 110,
  cell: (publication) => (
    <Button
      size="xs"
      variant="default"
      aria-label={words.cancelFor(
        publication.version ?? 0,
        publication.environment,
        formatExact(publication.at),
      )}
      onClick={() => onCancel(publication)}
    >
      {texts.common.cancel}
    </Button>
  ),
});

const Version = ({ version }: { version: number }) => (
  <VersionLink version={version} size="sm">
    {libraryTexts.versionOf(version)}
  </VersionLink>
);
