import { Button, Menu } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useWorkspace, useWorkspaceId, useWorkspaces } from '../api/workspaces.js';
import { LinkMenuItem } from '../controls/links.js';
import { texts } from '../texts.js';
import classes from './layout.module.css';

// The menu shows at most this many workspaces. It also links to the start page, where a longer list is easier to scan.
const MAX_ENTRIES = 12;

// Loaded on demand, so that the first view does not load the code for dialogs.
const CreateWorkspaceModal = lazy(async () => ({
  default: (await import('../workspace/start/create-workspace.js')).CreateWorkspaceModal,
}));

export function WorkspaceMenu() {
  const workspaceId = useWorkspaceId();
  const { data: workspace } = useWorkspace();
  const { data: workspaces } = useWorkspaces();
  // The workspace in which the user opened the dialog. The dialog is shown only in this workspace, so it closes when
  // the new workspace opens.
  const [creatingFrom, setCreatingFrom] = useState<string>();
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            rightSection={<IconSelector size={16} />}
            aria-label={`${texts.navigation.switchWorkspace}: ${workspace?.name ?? ''}`}
            className={classes['target']}
          >
            <span className={classes['name']}>{workspace?.name ?? '…'}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {workspaces?.data.slice(0, MAX_ENTRIES).map(({ id, name }) => (
            <LinkMenuItem
              key={id}
              to="/w/$workspaceId"
              params={{ workspaceId: id }}
              rightSection={id === workspaceId && <IconCheck size={16} />}
            >
              {name}
            </LinkMenuItem>
          ))}
          <Menu.Divider />
          <LinkMenuItem to="/" search={{ all: true }}>
            {texts.navigation.allWorkspaces}
          </LinkMenuItem>
          <Menu.Item onClick={() => setCreatingFrom(workspaceId)}>
            {texts.navigation.createWorkspace}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {creatingFrom === workspaceId && (
          <CreateWorkspaceModal opened onClose={() => setCreatingFrom(undefined)} />
        )}
      </Suspense>
    </>
  );
}
