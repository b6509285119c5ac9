import { listWorkspaces, type Workspace } from '#client';
import {
  AppShell,
  Badge,
  Box,
  Button,
  Container,
  Group,
  Paper,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight, IconPlus } from '@tabler/icons-react';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAuth } from 'react-oidc-context';
import { useClient } from '../../api/client.js';
import { LinkAnchor } from '../../controls/links.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { AccountMenu } from '../../layout/account-menu.js';
import { useCursorList } from '../../lists/cursor-list.js';
import { LoadMore } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { CreateWorkspaceForm, CreateWorkspaceModal } from './create-workspace.js';
import { words } from './texts.js';
import classes from './workspace-choice.module.css';

/** The start page. A user who has only one workspace goes straight to that workspace. */
export function WorkspaceChoice() {
  const client = useClient();
  const { all } = startApi.useSearch();
  const workspaces = useCursorList({
    queryKey: ['workspaces', 'all'],
    fetchPage: async (cursor, signal) =>
      (await listWorkspaces({ client, query: { limit: 50, ...(cursor && { cursor }) }, signal }))
        .data,
  });
  const [first, second] = workspaces.data ?? [];
  if (first && !second && !all) {
    return <Navigate to="/w/$workspaceId" params={{ workspaceId: first.id }} replace />;
  }
  return (
    <StartLayout>
      <QueryState query={workspaces} skeleton={<RowsSkeleton rows={4} height={76} />}>
        {(rows) =>
          rows.length === 0 ? (
            <FirstWorkspace onCheckAgain={workspaces.refetch} isChecking={workspaces.isFetching} />
          ) : (
            <Choice workspaces={rows} list={workspaces} />
          )
        }
      </QueryState>
    </StartLayout>
  );
}

interface ChoiceProps {
  workspaces: Workspace[];
  list: Parameters<typeof LoadMore>[0]['list'];
}

function Choice({ workspaces, list }: ChoiceProps) {
  const [isCreating, creation] = useDisclosure();
  return (
    <Page
      title={words.title}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
          {texts.navigation.createWorkspace}
        </Button>
      }
    >
      <Text size="sm" mb="md">
        {words.intro}
      </Text>
      <Stack component="ul" gap="xs" p={0} m={0} aria-label={words.listLabel}>
        {workspaces.map((workspace) => (
          <WorkspaceCard key={workspace.id} workspace={workspace} />
        ))}
      </Stack>
      <LoadMore list={list} />
      <CreateWorkspaceModal opened={isCreating} onClose={creation.close} />
    </Page>
  );
}

function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const { id, name, role, updatedAt } = workspace;
  return (
    <Box component="li" className={classes['card']}>
      <Box className={classes['text']}>
        <LinkAnchor
          to="/w/$workspaceId"
          params={{ workspaceId: id }}
          className={classes['link']}
          underline="never"
          fw={600}
          c="var(--mantine-color-text)"
        >
          {name}
        </LinkAnchor>
        <Text size="sm" component="div" className={classes['detail']}>
          {words.changed} <RelativeTime time={updatedAt} inline />
        </Text>
      </Box>
      <Group gap="sm" wrap="nowrap" flex="none">
        <Badge variant="default" tt="none" fw={500}>
          {texts.roles[role].name}
        </Badge>
        <IconChevronRight size={18} stroke={1.6} aria-hidden />
      </Group>
    </Box>
  );
}

interface FirstWorkspaceProps {
  onCheckAgain: () => unknown;
  isChecking: boolean;
}

/** The start page of a user who is not a member of any workspace. It offers to create a workspace. */
function FirstWorkspace({ onCheckAgain, isChecking }: FirstWorkspaceProps) {
  const email = useAuth().user?.profile.email;
  return (
    <Page title={words.firstTitle}>
      <Text mb="lg">{words.firstText}</Text>
      <Paper withBorder p="lg">
        <CreateWorkspaceForm />
      </Paper>
      <Box mt="xl">
        <Title order={2} size="h5" mb={4}>
          {words.invitedTitle}
        </Title>
        <Text size="sm">{email ? words.invitedText(email) : words.invitedTextWithoutEmail}</Text>
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={isChecking}
          onClick={() => void onCheckAgain()}
        >
          {words.checkAgain}
        </Button>
      </Box>
    </Page>
  );
}

/** The layout of views outside a workspace: a header with the account menu, and one column. */
function StartLayout({ children }: { children: ReactNode }) {
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

const startApi = getRouteApi('/');
