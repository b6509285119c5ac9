import { Button, Menu } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useWorkspace, useWorkspaceId, useWorkspaces } from '../api/workspaces.js';
import { texts } from '../texts/index.js';
import { LinkMenuItem } from '../controls/links.js';
import classes from './workspace-menu.module.css';

// A menu with more entries is slower to read than the list of all workspaces.
const MAX_ENTRIES = 12;

export function WorkspaceMenu() {
  const workspaceId = useWorkspaceId();
  const { data: workspace } = useWorkspace();
  const { data: workspaces } = useWorkspaces();
  return (
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
      </Menu.Dropdown>
    </Menu>
  );
}
