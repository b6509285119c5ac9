import { Box, Group, Title } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { texts } from '../texts.js';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** The text of the browser's tab, if `title` says too little there. */
  documentTitle?: string;
  /** Links above the title, which lead back to the parent view. */
  breadcrumbs?: ReactNode;
  /** Beside the title, for example a badge. */
  status?: ReactNode;
  /** Buttons on the right, with the actions of the view. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a view: the title, which the browser's tab shows too, and the actions of the view. */
export function Page(props: PageProps) {
  const { title, documentTitle = title, breadcrumbs, status, actions, children } = props;
  return (
    <>
      <title>{`${documentTitle} · ${texts.navigation.productName}`}</title>
      {breadcrumbs}
      <Group justify="space-between" align="center" mb="lg" mt={breadcrumbs ? 4 : 0}>
        <Group gap="sm" wrap="wrap">
          <Title order={1} size="h2">
            {title}
          </Title>
          {status}
        </Group>
        <Group gap="xs">{actions}</Group>
      </Group>
      <Box>{children}</Box>
    </>
  );
}

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
