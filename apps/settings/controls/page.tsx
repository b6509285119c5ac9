import { Box, Group, Title } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { texts } from '../texts.js';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** The title of the browser tab, if `title` is not specific enough. */
  documentTitle?: string;
  /** Links above the title that lead back to the parent views. */
  breadcrumbs?: ReactNode;
  /** Content beside the title, such as a badge. */
  status?: ReactNode;
  /** The view's action buttons, on the right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The layout of a view: its title, actions and content. Also sets the title of the browser tab. */
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

/** Tabs that are links rather than ARIA tabs, because each tab has its own URL. */
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
