import type { ReactNode } from 'react';
import classes from './live-table.module.css';

interface LiveRowProps {
  id: string;
  index: number;
  className: string | undefined;
  children: ReactNode;
}

/** A row with one `RowLink`. */
export function LiveRow({ id, index, className = '', children }: LiveRowProps) {
  return (
    // `aria-rowindex` counts from 1, and the header is row 1.
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
 * A link that covers its whole row. It is a plain `<a>`, and VirtualRows handles the clicks: links of the
 * router take too long to render while a long table scrolls.
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
