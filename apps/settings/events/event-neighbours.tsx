import { Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useWorkspaceId } from '../api/workspaces.js';
import { LinkButton } from '../controls/links.js';
import { texts } from '../texts/index.js';

const { previous, next } = texts.events;

export function EventNeighbours({ position }: { position: number }) {
  const workspaceId = useWorkspaceId();
  const at = (neighbour: number) => ({ workspaceId, position: String(neighbour) });
  return (
    <Group gap="xs">
      <LinkButton
        variant="default"
        to="/w/$workspaceId/events/$position"
        params={at(position - 1)}
        leftSection={<IconChevronLeft size={16} />}
        disabled={position === 1}
      >
        {previous}
      </LinkButton>
      <LinkButton
        variant="default"
        to="/w/$workspaceId/events/$position"
        params={at(position + 1)}
        rightSection={<IconChevronRight size={16} />}
      >
        {next}
      </LinkButton>
    </Group>
  );
}
