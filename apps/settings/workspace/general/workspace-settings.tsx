import type { Workspace } from '#client';
import { Group, Stack, Text } from '@mantine/core';
import { useHasRole } from '../../api/workspaces.js';
import { CopyButton } from '../../controls/code.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { workspace as words } from '../../texts/workspace.js';
import { DeleteWorkspace } from './delete-workspace.js';
import { LeaveWorkspace } from './leave-workspace.js';
import { RenameForm } from './rename-form.js';
import { Section } from './section.js';
import { useReadWorkspace } from './use-read-workspace.js';

export function WorkspaceSettings() {
  const read = useReadWorkspace();
  const isOwner = useHasRole('owner');
  return (
    <Page title={texts.navigation.workspace}>
      <QueryState query={read} skeleton={<RowsSkeleton rows={3} height={180} />}>
        {(current) => (
          <Stack gap="lg" maw={720}>
            <Section title={words.general}>
              <Stack gap="lg">
                {isOwner ? <RenameForm read={current} /> : <Facts name={current.workspace.name} />}
                <Identity workspace={current.workspace} />
              </Stack>
            </Section>
            <LeaveWorkspace workspace={current.workspace} />
            {isOwner && <DeleteWorkspace read={current} />}
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function Facts({ name }: { name: string }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {words.nameLabel}
      </Text>
      <Text>{name}</Text>
      <Text size="sm">{words.ownerOnly}</Text>
    </div>
  );
}

function Identity({ workspace: { id, role, createdAt } }: { workspace: Workspace }) {
  return (
    <>
      <div>
        <Text size="sm" fw={600}>
          {words.idLabel}
        </Text>
        <Group gap="sm" mt={4}>
          <Text ff="monospace" size="sm">
            {id}
          </Text>
          <CopyButton value={id} label={words.copyId} />
        </Group>
        <Text size="xs" mt={4}>
          {words.idHint}
        </Text>
      </div>
      <Group gap={48} align="flex-start">
        <div>
          <Text size="sm" fw={600}>
            {words.yourRole}
          </Text>
          <Text size="sm">{texts.roles[role].name}</Text>
        </div>
        <div>
          <Text size="sm" fw={600}>
            {words.created}
          </Text>
          <RelativeTime time={createdAt} />
        </div>
      </Group>
    </>
  );
}
