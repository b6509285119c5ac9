import { useRouter } from '@tanstack/react-router';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  useCallback,
  useEffect,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { useNow } from '../controls/relative-time.js';

// The number of rows rendered above and below the visible rows, so that the focused row always has neighbours.
const OVERSCAN = 6;
// The next page is fetched when only this many rows are left, so that it arrives before the user reaches the end.
const NEAR_END = 30;
// The page header covers the top of the window, so rows are scrolled to a position below it.
const HEADER_SPACE = 72;
const CLOCK_MS = 10_000;

interface VirtualRowsProps<Row> {
  rows: readonly Row[];
  /** The height of a row in rem. */
  rowHeight: number;
  columnCount: number;
  onNearEnd: () => void;
  children: (row: Row, index: number, now: number) => ReactNode;
}

/**
 * A virtualised table body. It renders the rows near the visible area, and always the focused row. Each row has one
 * link. The arrow keys, Home and End move the focus between the links.
 */
export function VirtualRows<Row extends { id: string }>(props: VirtualRowsProps<Row>) {
  const { rows, rowHeight, columnCount, onNearEnd, children } = props;
  const now = useNow(CLOCK_MS);
  const [focusedId, setFocusedId] = useState<string>();
  const [scrollMargin, setScrollMargin] = useState(0);
  const measure = useCallback((body: HTMLElement | null) => {
    if (body !== null) setScrollMargin(body.getBoundingClientRect().top + window.scrollY);
  }, []);
  const focusedIndex = focusedId === undefined ? -1 : rows.findIndex(({ id }) => id === focusedId);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight * rootFontSize(),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin,
    scrollPaddingStart: HEADER_SPACE,
    // Batches all scroll events of a frame into one render.
    useFlushSync: false,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      if (focusedIndex === -1 || indexes.includes(focusedIndex)) return indexes;
      return [...indexes, focusedIndex].sort((a, b) => a - b);
    },
  });
  const items = virtualizer.getVirtualItems();
  const lastIndex = items.findLast(({ index }) => index !== focusedIndex)?.index ?? 0;
  const isNearEnd = lastIndex >= rows.length - NEAR_END;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, onNearEnd, rows.length]);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetOf(event.key, focusedIndex, rows.length);
    const id = target === undefined ? undefined : rows[target]?.id;
    if (target === undefined || id === undefined) return;
    event.preventDefault();
    virtualizer.scrollToIndex(target);
    focusWhenThere(id);
  };
  const { history } = useRouter();
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as HTMLElement).closest('a');
    if (link === null || opensElsewhere(event)) return;
    event.preventDefault();
    history.push(link.pathname + link.search);
  };
  return (
    <tbody
      ref={measure}
      role="rowgroup"
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={({ target }) => setFocusedId(target.closest('tr')?.id)}
      onBlur={() => setFocusedId(undefined)}
    >
      {items.map(({ index, start }, position) => {
        const row = rows[index];
        const gap = start - (items[position - 1]?.end ?? scrollMargin);
        return (
          row && (
            <Fragment key={row.id}>
              <Gap height={gap} columnCount={columnCount} />
              {children(row, index, now)}
            </Fragment>
          )
        );
      })}
      <Gap
        height={virtualizer.getTotalSize() + scrollMargin - (items.at(-1)?.end ?? scrollMargin)}
        columnCount={columnCount}
      />
    </tbody>
  );
}

/** Whether a click opens the link in another tab or window, or downloads it. */
const opensElsewhere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;

function Gap({ height, columnCount }: { height: number; columnCount: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden role="presentation" style={{ display: 'table-row' }}>
      <td colSpan={columnCount} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

const rootFontSize = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

function targetOf(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, count - 1);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

// A distant row is rendered only after the list has scrolled to it, which takes a few frames.
const MAX_FRAMES = 30;

function focusWhenThere(id: string, frames = MAX_FRAMES): void {
  const link = document.getElementById(id)?.querySelector('a');
  if (link) link.focus();
  else if (frames > 0) requestAnimationFrame(() => focusWhenThere(id, frames - 1));
}
