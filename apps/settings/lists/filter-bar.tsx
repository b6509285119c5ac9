import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import classes from './filter-bar.module.css';

interface FilterBarProps {
  isFiltered: boolean;
  onClear: () => void;
  /** The filters: inputs with labels. */
  children: ReactNode;
}

/** The filters above a list, and the button that clears them. */
export function FilterBar({ isFiltered, onClear, children }: FilterBarProps) {
  return (
    <section aria-label={texts.common.filters} className={classes['filters']}>
      {children}
      {isFiltered && (
        <Button variant="subtle" onClick={onClear}>
          {texts.common.clearFilters}
        </Button>
      )}
    </section>
  );
}
