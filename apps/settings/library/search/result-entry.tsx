import type { SearchResult } from '#client';
import { Badge, Group, Text } from '@mantine/core';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';
import { search as words } from '../../texts/library/search.js';
import { TagLinks } from '../tags/tag-links.js';
import { Highlighted } from './highlighted.js';
import classes from './results.module.css';

const { library } = texts;

export function ResultEntry({ result }: { result: SearchResult }) {
  const { id, kind, workspaceId, tags, version, updatedAt, highlights } = result;
  return (
    <li className={classes['result']}>
      <Group gap="xs" align="baseline">
        <LinkAnchor
          to={`/w/$workspaceId/${kind}s/$documentId`}
          params={{ workspaceId, documentId: id }}
          fw={600}
        >
          <Highlighted parts={highlights.name} />
        </LinkAnchor>
        <Badge size="sm" variant="default" tt="none" fw={500}>
          {library.kindNames[kind]}
        </Badge>
      </Group>
      {highlights.text.map((parts, index) => (
        <Text key={index} size="sm" mt={4}>
          <Highlighted parts={parts} />
        </Text>
      ))}
      <TagLinks workspaceId={workspaceId} section={`${kind}s`} tags={tags} />
      <Text size="xs" c="dimmed" component="div" mt={4}>
        {words.version(version)}, <RelativeTime time={updatedAt} inline />
      </Text>
    </li>
  );
}
