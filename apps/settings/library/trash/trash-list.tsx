import type { RestoredDocument, TrashedDocument } from '#client';
import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrashX } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useHasRole } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { LinkAnchor } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { EmptyState, ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { libraryTexts } from '../texts.js';
import { useAuthors } from '../use-document.js';
import { words } from './texts.js';
import { isGone, useTrash, useTrashActions } from './trash-queries.js';

const { columns } = words;

/** The deleted templates and modules of the workspace, most recently deleted first. */
export function TrashList() {
  const trash = useTrash();
  const isEditor = useHasRole('editor');
  const { restoration } = useTrashActions();
  const { variables: document, data, error, isPending } = restoration;
  const actions: Column<TrashedDocument> = {
    header: columns.actions,
    cell: (row) => (
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          aria-label={words.restoreLabel(row.name)}
          loading={isPending && document.id === row.id}
          onClick={() => restoration.mutate(row)}
        >
          {words.restore}
        </Button>
        <PurgeDocument document={row} />
      </Group>
    ),
    width: 150,
  };
  return (
    <Page title={texts.navigation.trash}>
      {document && !isPending && (
        <RestoreResult document={document} restored={data} error={error} />
      )}
      <QueryState query={trash} skeleton={<RowsSkeleton rows={5} height={62} />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={words.emptyTitle} text={words.emptyText} />
          ) : (
            <>
              <Text size="sm" mb="md" maw={680}>
                {words.intro}
              </Text>
              <ListTable
                label={words.listLabel}
                columns={isEditor ? [...COLUMNS, actions] : COLUMNS}
                rows={rows}
                rowKey={({ id }) => id}
              />
            </>
          )
        }
      </QueryState>
      <LoadMore list={trash} />
    </Page>
  );
}

const COLUMNS: readonly Column<TrashedDocument>[] = [
  {
    header: columns.name,
    cell: ({ name }) => (
      <Text size="sm" fw={600}>
        {name}
      </Text>
    ),
  },
  { header: columns.kind, cell: ({ kind }) => libraryTexts.kindNames[kind], width: 110 },
  { header: columns.deleted, cell: (document) => <Deletion document={document} />, width: 220 },
  {
    header: columns.expires,
    cell: ({ expiresAt }) => <RelativeTime time={expiresAt} />,
    width: 150,
  },
];

function Deletion({ document: { deletedAt, deletedBy } }: { document: TrashedDocument }) {
  const authorOf = useAuthors();
  return (
    <div>
      <RelativeTime time={deletedAt} />
      <Text size="sm">{words.by(authorOf(deletedBy))}</Text>
    </div>
  );
}

interface RestoreResultProps {
  /** The document that the user restored most recently. */
  document: TrashedDocument;
  restored: RestoredDocument | undefined;
  error: Error | null;
}

function RestoreResult({ document: { id, name }, restored, error }: RestoreResultProps) {
  if (error && !isGone(error)) return <ErrorAlert error={error} />;
  if (error) {
    return (
      <FocusedAlert key={id} color="yellow" title={words.goneTitle(name)}>
        {words.goneText}
      </FocusedAlert>
    );
  }
  if (restored === undefined) return null;
  const { workspaceId, kind } = restored;
  return (
    <FocusedAlert key={id} title={words.restoredTitle(restored.name)}>
      <Text size="sm">{words.restoredText}</Text>
      <LinkAnchor
        to={`/w/$workspaceId/${kind}s/$documentId`}
        params={{ workspaceId, documentId: id }}
        size="sm"
        fw={600}
      >
        {words.open(restored.name)}
      </LinkAnchor>
    </FocusedAlert>
  );
}

interface FocusedAlertProps {
  color?: string;
  title: string;
  children: ReactNode;
}

/** Takes over the keyboard focus from the button, which disappears with its row. */
function FocusedAlert({ children, ...props }: FocusedAlertProps) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), []);
  return (
    <Alert ref={alert} tabIndex={-1} role="status" mb="md" {...props}>
      {children}
    </Alert>
  );
}

function PurgeDocument({ document }: { document: TrashedDocument }) {
  const isAdmin = useHasRole('admin');
  const [isAsking, question] = useDisclosure();
  const { purge } = useTrashActions();
  if (!isAdmin) return null;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="red"
        size="md"
        title={words.purge}
        aria-label={words.purgeLabel(document.name)}
        onClick={question.open}
      >
        <IconTrashX size={18} stroke={1.6} />
      </ActionIcon>
      <ConfirmModal
        opened={isAsking}
        title={words.purgeQuestion(document.name)}
        text={words.purgeText}
        action={words.purge}
        isDangerous
        isPending={purge.isPending}
        error={purge.error}
        onConfirm={() => purge.mutate(document)}
        onClose={() => {
          question.close();
          purge.reset();
        }}
      />
    </>
  );
}
