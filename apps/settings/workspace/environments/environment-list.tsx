import type { Environment } from '#client';
import { Text } from '@mantine/core';
import { useRef } from 'react';
import { useHasRole } from '../../api/workspaces.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { useEnvironments, useUserNames } from '../workspace-queries.js';
import { CreateEnvironment } from './create-environment.js';
import { DeleteEnvironment } from './delete-environment.js';
import { words } from './texts.js';

const { columns } = words;

export function EnvironmentList() {
  const environments = useEnvironments();
  const isAdmin = useHasRole('admin');
  const nameOf = useUserNames();
  const { data = [] } = environments;
  const createButton = useRef<HTMLButtonElement>(null);
  // The row and its button disappear, so the focus moves to the create button.
  const focusOnCreate = () => createButton.current?.focus();
  const ownColumns = columnsFor(nameOf);
  return (
    <Page
      title={texts.navigation.environments}
      actions={
        isAdmin && data.length > 0 && <CreateEnvironment existing={data} ref={createButton} />
      }
    >
      <Text size="sm" mb="md" maw={680}>
        {words.intro}
      </Text>
      <QueryState query={environments} skeleton={<RowsSkeleton rows={3} height={48} />}>
        {(rows) => (
          <ListTable
            label={words.listLabel}
            columns={isAdmin ? [...ownColumns, deleteColumn(focusOnCreate)] : ownColumns}
            rows={rows}
            rowKey={({ name }) => name}
          />
        )}
      </QueryState>
    </Page>
  );
}

const columnsFor = (nameOf: ReturnType<typeof useUserNames>): Column<Environment>[] => [
  {
    header: columns.name,
    cell: ({ name }) => (
      <Text fw={600} size="sm">
        {name}
      </Text>
    ),
  },
  {
    header: columns.by,
    cell: ({ createdBy }) =>
      createdBy === null ? words.builtIn : (nameOf(createdBy) ?? texts.common.unknownAuthor),
  },
  {
    header: columns.created,
    width: 170,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
  },
];

const deleteColumn = (onDeleted: () => void): Column<Environment> => ({
  header: columns.actions,
  isHeaderHidden: true,
  width: 110,
  // Every workspace has `production`. It has no creator and cannot be deleted.
  cell: ({ name, createdBy }) =>
    createdBy !== null && <DeleteEnvironment name={name} onDeleted={onDeleted} />,
});
