import { Badge, VisuallyHidden } from '@mantine/core';
import { IconWorldCheck } from '@tabler/icons-react';
import { publishing as words } from '../../texts/library/publishing.js';
import { usePublished } from './publication-queries.js';

/** A mark for each environment in which the version is published. */
export function PublishedBadges({ version }: { version: number }) {
  const { data: states = [] } = usePublished();
  return states
    .filter(({ published }) => published?.version === version)
    .map(({ environment }) => (
      <Badge
        key={environment}
        size="sm"
        tt="none"
        fw={600}
        maw="100%"
        leftSection={<IconWorldCheck size={12} aria-hidden />}
      >
        <VisuallyHidden>{words.publishedIn} </VisuallyHidden>
        {environment}
      </Badge>
    ));
}
