import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './live-table.module.css';
import { VirtualRows } from './virtual-rows.js';

interface LiveTableProps<Row> {
  label: string;
  /** The texts of the headers, by the names of the columns. */
  columns: Record<string, string>;
  /** The classes of the headers, by the names of the columns. */
  columnClasses: Record<string, string>;
  rows: readonly Row[];
  /** Whether all older rows are loaded. */
  isComplete: boolean;
  onNearEnd: () => void;
  tableRef: (table: HTMLTableElement | null) => void;
  children: (row: Row, index: number, now: number) => ReactNode;
}

// Heights in rem, which must equal the heights in the style sheet.
const ROW_HEIGHT = 2.75;
const CARD_HEIGHT = 5.5;

/**
 * A table of any length, whose rows become cards on a narrow screen. For the cards, the style sheet changes
 * `display`, which hides the table from assistive technology. The explicit roles make it a table again.
 */
export function LiveTable<Row extends { id: string }>(props: LiveTableProps<Row>) {
  const { label, columns, columnClasses, rows, isComplete, onNearEnd, tableRef, children } = props;
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const headers = Object.entries(columns);
  return (
    <table
      ref={tableRef}
      role="table"
      aria-label={label}
      aria-rowcount={isComplete ? rows.length + 1 : -1}
      className={classes['table']}
    >
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {headers.map(([column, text]) => (
            <th key={column} role="columnheader" scope="col" className={columnClasses[column]}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <VirtualRows
        key={String(isNarrow)}
        rows={rows}
        rowHeight={isNarrow ? CARD_HEIGHT : ROW_HEIGHT}
        columnCount={headers.length}
        onNearEnd={onNearEnd}
      >
        {children}
      </VirtualRows>
    </table>
  );
}
