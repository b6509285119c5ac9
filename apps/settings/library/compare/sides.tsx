import type { ReactNode } from 'react';
import classes from './comparison.module.css';

interface SidesProps {
  before: ReactNode;
  after: ReactNode;
}

/** Something in both versions: side by side on wide screens, one below the other on narrow ones. */
export const Sides = ({ before, after }: SidesProps) => (
  <div className={classes['sides']}>
    <div>{before}</div>
    <div>{after}</div>
  </div>
);
