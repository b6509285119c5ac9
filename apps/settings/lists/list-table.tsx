import { Button, Center, Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../controls/format.js';
import { texts } from '../texts.js';
import classes from './lists.module.css';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Hides the header visually, which suits a column of buttons. Screen readers still announce the header. */
  isHeaderHidden?: boolean;
  width?: number | string;
}

interface ListTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/**
 * A table that becomes a list of cards on narrow screens. The ARIA roles are explicit, because some browsers drop the
 * semantics of a table when its `display` changes.
 */
export function ListTable<Row>({ label, columns, rows, rowKey }: ListTableProps<Row>) {
  return (
    <Paper withBorder className={classes['frame']}>
      <Table
        verticalSpacing="sm"
        horizontalSpacing="md"
        className={classes['table']}
        aria-label={label}
        role="table"
      >
        <Table.Thead role="rowgroup" className={classes['head']}>
          <Table.Tr role="row">
            {columns.map(({ header, isHeaderHidden, width }) => (
              <Table.Th key={header} scope="col" role="columnheader" {...(width && { w: width })}>
                {isHeaderHidden ? <VisuallyHidden>{header}</VisuallyHidden> : header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)} role="row" className={classes['row']}>
              {columns.map(({ header, cell, isHeaderHidden }, index) => (
                <Table.Td
                  key={header}
                  role="cell"
                  className={classes[cellClass(index, isHeaderHidden)]}
                  {...(index > 0 && !isHeaderHidden && { 'data-label': header })}
                >
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function cellClass(index: number, isHeaderHidden: boolean | undefined): string {
  if (isHeaderHidden) return 'actions';
  return index === 0 ? 'title' : 'cell';
}

interface LoadMoreProps {
  list: {
    data?: readonly unknown[] | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  /** The text below the list once all rows are loaded. No text by default. */
  loadedAll?: (count: string) => string;
}

/** Shown below a list: a button that loads the next page, or a text once all rows are loaded. */
export function LoadMore({ list, loadedAll }: LoadMoreProps) {
  const { data = [], hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  return (
    <Center mt="md">
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.common.loadMore}
        </Button>
      ) : (
        loadedAll &&
        data.length > 0 && <Text size="sm">{loadedAll(formatNumber(data.length))}</Text>
      )}
    </Center>
  );
}
