import { listWorkspaces, type Workspace } from '#client';
import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { Navigate } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { Page } from '../../controls/page.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { useCursorList } from '../../lists/cursor-list.js';
import { LoadMore } from '../../lists/list-table.js';
import { texts } from '../../texts/index.js';
import { CreateWorkspaceModal } from './create-workspace-modal.js';
import { FirstWorkspace } from './first-workspace.js';
import { startApi } from './start-api.js';
import { StartLayout } from './start-layout.js';
import { WorkspaceCard } from './workspace-card.js';

/** The start page. A reader who has only one workspace goes straight to that workspace. */
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
      title={texts.start.title}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
          {texts.start.create}
        </Button>
      }
    >
      <Text size="sm" mb="md">
        {texts.start.intro}
      </Text>
      <Stack component="ul" gap="xs" p={0} m={0} aria-label={texts.start.listLabel}>
        {workspaces.map((workspace) => (
          <WorkspaceCard key={workspace.id} workspace={workspace} />
        ))}
      </Stack>
      <LoadMore list={list} />
      <CreateWorkspaceModal opened={isCreating} onClose={creation.close} />
    </Page>
  );
}
