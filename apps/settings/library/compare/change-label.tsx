import type { ChangeType } from '#client';
import { IconArrowsMoveVertical, IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import classes from './comparison.module.css';

const ICONS = {
  added: IconPlus,
  removed: IconMinus,
  moved: IconArrowsMoveVertical,
  changed: IconPencil,
};

interface ChangeLabelProps {
  type: ChangeType;
  /** Shows the label without colour, because there is no such change. */
  isMuted?: boolean;
  children: string;
}

/** Marks a kind of change by a sign, a word and a colour. */
export function ChangeLabel({ type, isMuted = false, children }: ChangeLabelProps) {
  const Icon = ICONS[type];
  return (
    <span className={`${classes['label'] ?? ''} ${isMuted ? '' : (classes[type] ?? '')}`}>
      <Icon size={14} aria-hidden />
      {children}
    </span>
  );
}
