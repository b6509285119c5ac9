import { Group } from '@mantine/core';
import { LinkBadge } from '../../controls/links.js';
import { tags as tagTexts } from '../../texts/library/tags.js';
import type { Kind } from '../kinds/kind.js';

interface TagLinksProps {
  workspaceId: string;
  section: Kind['section'];
  tags: readonly string[];
}

/** The tags of a template or module. Each tag links to the list of all templates or modules with the tag. */
export function TagLinks({ workspaceId, section, tags }: TagLinksProps) {
  if (tags.length === 0) return null;
  return (
    <Group gap={6} mt={4}>
      {tags.map((tag) => (
        <LinkBadge
          key={tag}
          to={`/w/$workspaceId/${section}`}
          params={{ workspaceId }}
          search={{ tags: tag }}
          title={tagTexts.showAll(tag)}
          variant="default"
          // Small enough for a table, and large enough for a finger (WCAG 2.2, target size).
          h={24}
          maw="100%"
          tt="none"
          fw={500}
        >
          {tag}
        </LinkBadge>
      ))}
    </Group>
  );
}
