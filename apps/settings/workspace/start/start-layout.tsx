import { AppShell, Container, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AccountMenu } from '../../layout/account-menu.js';
import { texts } from '../../texts/index.js';

/** The frame of views outside of a workspace: a header with the account, and one column. */
export function StartLayout({ children }: { children: ReactNode }) {
  return (
    <AppShell header={{ height: 56 }} padding={{ base: 'md', sm: 'xl' }}>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Text fw={700} component="span">
            {texts.navigation.productName}
          </Text>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <Container size={680} p={0}>
          {children}
        </Container>
      </AppShell.Main>
    </AppShell>
  );
}
