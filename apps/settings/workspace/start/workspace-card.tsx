import type { Workspace } from '#client';
import { Badge, Box, Group, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';
import classes from './workspace-card.module.css';

export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
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
          {texts.start.changed} <RelativeTime time={updatedAt} inline />
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
