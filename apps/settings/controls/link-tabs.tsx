import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './link-tabs.module.css';

/** Tabs that are links and not ARIA tabs, because each tab has its own URL. */
export function LinkTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes['tabs']} aria-label={label}>
      {children}
    </nav>
  );
}

export const LinkTab = createLink((props: ComponentPropsWithRef<'a'>) => (
  <a {...props} className={classes['tab']} />
));
