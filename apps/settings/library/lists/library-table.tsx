import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkButton } from '../../controls/links.js';
import { EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import type { useCursorList } from '../../lists/cursor-list.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { words } from './texts.js';

interface LibraryTableProps<Row> {
  label: string;
  list: ReturnType<typeof useCursorList<Row>>;
  columns: Column<Row>[];
  isFiltered: boolean;
  /** The name filter, if it is set. If no name matches, the table offers a full-text search for the same words. */
  search?: string | undefined;
  onClearFilters: () => void;
  /** Shown if the unfiltered list is empty. */
  empty: { title: string; text: string; children?: ReactNode };
}

export function LibraryTable<Row extends { id: string }>(props: LibraryTableProps<Row>) {
  const { label, list, columns, isFiltered, onClearFilters, empty, search } = props;
  const workspaceId = useWorkspaceId();
  return (
    <>
      <QueryState query={list} skeleton={<RowsSkeleton rows={8} height={46} />}>
        {(rows) => {
          if (rows.length > 0) {
            return (
              <ListTable label={label} columns={columns} rows={rows} rowKey={(row) => row.id} />
            );
          }
          return isFiltered ? (
            <EmptyState title={words.noMatchTitle} text={words.noMatchText}>
              <Group justify="center" gap="xs">
                <Button variant="default" onClick={onClearFilters}>
                  {words.clearFilters}
                </Button>
                {search !== undefined && (
                  <LinkButton
                    to="/w/$workspaceId/search"
                    params={{ workspaceId }}
                    search={{ query: search }}
                    variant="default"
                  >
                    {words.searchTexts}
                  </LinkButton>
                )}
              </Group>
            </EmptyState>
          ) : (
            <EmptyState {...empty} />
          );
        }}
      </QueryState>
      <LoadMore list={list} />
    </>
  );
}
