import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowUp } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../controls/format.js';
import classes from './live-table.module.css';
import { VirtualRows } from './virtual-rows.js';

interface LiveTableProps<Row> {
  label: string;
  /** The header text of each column, by column name. */
  columns: Record<string, string>;
  /** The CSS class of each header, by column name. */
  columnClasses: Record<string, string>;
  rows: readonly Row[];
  /** Whether all older rows are loaded. */
  isComplete: boolean;
  onNearEnd: () => void;
  tableRef: (table: HTMLTableElement | null) => void;
  children: (row: Row, index: number, now: number) => ReactNode;
}

// Row heights in rem. They must match the style sheet.
const ROW_HEIGHT = 2.75;
const CARD_HEIGHT = 5.5;

/**
 * A table of any length. On narrow screens, the style sheet turns the rows into cards by changing `display`, which
 * hides the table from assistive technology. The explicit ARIA roles restore its semantics.
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

interface LiveRowProps {
  id: string;
  index: number;
  className: string | undefined;
  children: ReactNode;
}

/** A table row. It must contain exactly one `RowLink`. */
export function LiveRow({ id, index, className = '', children }: LiveRowProps) {
  return (
    // `aria-rowindex` starts at 1, and the header is row 1.
    <tr
      id={id}
      role="row"
      aria-rowindex={index + 2}
      className={`${classes['row'] ?? ''} ${className}`}
    >
      {children}
    </tr>
  );
}

/**
 * A link that covers its whole row. It is a plain `<a>`, because router links take too long to render while a long
 * table scrolls. VirtualRows handles the clicks.
 *
 * @param props.href the URL path, including the base path.
 */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className={classes['link']}>
      {children}
    </a>
  );
}

interface NewRowsButtonProps {
  count: number;
  /** Whether there may be more new rows than `count`. */
  isAtLeast: boolean;
  label: (count: string) => string;
  onClick: () => void;
}

/** A button that floats over the list while there are new rows. It takes up no space, to avoid a layout shift. */
export function NewRowsButton({ count, isAtLeast, label, onClick }: NewRowsButtonProps) {
  return (
    <div className={classes['place']} aria-live="polite">
      {count > 0 && (
        <Button
          size="xs"
          radius="xl"
          leftSection={<IconArrowUp size={14} />}
          onClick={onClick}
          className={classes['button']}
        >
          {label(formatNumber(count) + (isAtLeast ? '+' : ''))}
        </Button>
      )}
    </div>
  );
}

// The height of the page header, which covers the top of the window.
const HEADER_HEIGHT = 56;

/**
 * Whether the user is reading the table: the table starts above the visible area, or it has the keyboard focus. The
 * rows must not move while the user is reading.
 */
export const isBeingRead = (table: HTMLTableElement | null): boolean =>
  table !== null &&
  (table.getBoundingClientRect().top < HEADER_HEIGHT || table.contains(document.activeElement));

/** The URL path of this view, including the base path but not the query. */
export const useAddress = (): string =>
  useLocation({ select: ({ pathname }) => import.meta.env.BASE_URL.replace(/\/$/, '') + pathname });
