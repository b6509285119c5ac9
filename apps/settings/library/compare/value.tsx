import { VisuallyHidden } from '@mantine/core';
import { comparison as words } from '../../texts/library/comparison.js';
import classes from './comparison.module.css';

interface ValueProps {
  value: unknown;
  side: 'before' | 'after';
  version: number;
  /** The text for a missing value. */
  absent: string;
}

// Longer values are cut, because the page would be slow. The tab "Document" shows them completely.
const MAX_LENGTH = 20_000;
// A value with more lines may need scrolling on a phone. It gets the focus, so that the keyboard can scroll it.
const MAX_LINES = 16;
const LINE_LENGTH = 40;

/** A value as JSON, with a sign that says whether the value is from the earlier or the later version. */
export function Value({ value, side, version, absent }: ValueProps) {
  const label = words.version(version);
  const text = value === undefined ? absent : JSON.stringify(value, null, 2);
  const hidden = text.length - MAX_LENGTH;
  const isLong = text.split('\n').length + text.length / LINE_LENGTH > MAX_LINES;
  const className = `${classes['value'] ?? ''} ${classes[value === undefined ? 'absent' : side] ?? ''}`;
  return (
    <pre className={className} {...(isLong && { tabIndex: 0, role: 'group', 'aria-label': label })}>
      <VisuallyHidden>{`${label}: `}</VisuallyHidden>
      {hidden > 0 ? `${text.slice(0, MAX_LENGTH)}…\n${words.moreCharacters(hidden)}` : text}
    </pre>
  );
}
