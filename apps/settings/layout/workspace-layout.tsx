import { Anchor, AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useWorkspace } from '../api/workspaces.js';
import { PageSkeleton, QueryState } from '../controls/states.js';
import { texts } from '../texts.js';
import { AccountMenu } from './account-menu.js';
import classes from './layout.module.css';
import { Navigation } from './navigation.js';
import { WorkspaceMenu } from './workspace-menu.js';

/** The layout of all views of a workspace: the header, the navigation and the view itself. */
export function WorkspaceLayout() {
  const [isMenuOpen, menu] = useDisclosure();
  const { pathname } = useLocation();
  const { online } = useNetwork();
  const workspace = useWorkspace();
  const { close } = menu;
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <Anchor href="#content" className={classes['skipLink']}>
        {texts.navigation.skipToContent}
      </Anchor>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isMenuOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={texts.navigation.openMenu}
            />
            <Text fw={700} c="galley" component="span" visibleFrom="xs">
              {texts.navigation.productName}
            </Text>
            <WorkspaceMenu />
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        aria-label={texts.navigation.label}
        className={isMenuOpen ? '' : classes['closedNavbar']}
      >
        <AppShell.Section grow component={ScrollArea}>
          <Navigation />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes['main']}>
        {!online && (
          <Text role="status" size="sm" mb="md" className={classes['offline']}>
            {texts.common.offline}
          </Text>
        )}
        <div className={classes['view']}>
          <QueryState query={workspace} skeleton={<PageSkeleton />}>
            {() => <Outlet />}
          </QueryState>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
