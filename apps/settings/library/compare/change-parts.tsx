import type { ChangeType } from '#client';
import { VisuallyHidden } from '@mantine/core';
import { IconArrowsMoveVertical, IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './comparison.module.css';
import { words } from './texts.js';

const ICONS = {
  added: IconPlus,
  removed: IconMinus,
  moved: IconArrowsMoveVertical,
  changed: IconPencil,
};

interface ChangeLabelProps {
  type: ChangeType;
  /** Whether there are no changes of this type. The label then has no colour. */
  isMuted?: boolean;
  children: string;
}

/** Labels a type of change with an icon, a word and a colour. */
export function ChangeLabel({ type, isMuted = false, children }: ChangeLabelProps) {
  const Icon = ICONS[type];
  return (
    <span className={`${classes['label'] ?? ''} ${isMuted ? '' : (classes[type] ?? '')}`}>
      <Icon size={14} aria-hidden />
      {children}
    </span>
  );
}

interface SidesProps {
  before: ReactNode;
  after: ReactNode;
}

/** Shows a part of both versions: side by side on wide screens, one below the other on narrow screens. */
export const Sides = ({ before, after }: SidesProps) => (
  <div className={classes['sides']}>
    <div>{before}</div>
    <div>{after}</div>
  </div>
);

interface ValueProps {
  value: unknown;
  side: 'before' | 'after';
  version: number;
  /** Shown instead of a missing value. */
  absent: string;
}

// Longer values are truncated, because they would slow down the page. The Document tab shows them in full.
const MAX_LENGTH = 20_000;
// On a phone, a value with more lines than this may have to scroll. Such a value is focusable, so that the user can
// scroll it with the keyboard.
const MAX_LINES = 16;
const LINE_LENGTH = 40;

/**
 * Shows a value as JSON. The style sheet adds a minus sign to the earlier version and a plus sign to the later version.
 */
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
