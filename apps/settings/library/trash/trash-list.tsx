import type { TrashedDocument } from '#client';
import { Button, Group, Text } from '@mantine/core';
import { useHasRole } from '../../api/workspaces.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts/index.js';
import { trash as words } from '../../texts/library/trash.js';
import { useAuthors } from '../versions/use-authors.js';
import { PurgeDocument } from './purge-document.js';
import { RestoreResult } from './restore-result.js';
import { useTrash, useTrashActions } from './trash-queries.js';

const { library } = texts;
const { columns } = words;

/** The deleted templates and modules of the workspace, the latest deletion first. */
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
  { header: columns.kind, cell: ({ kind }) => library.kindNames[kind], width: 110 },
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
