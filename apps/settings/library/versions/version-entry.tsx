import { Badge, Group, Text } from '@mantine/core';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';
import type { DocumentSearch } from '../library-search.js';
import type { ListedVersion } from '../kinds/kind.js';
import { useDocumentId, useKind } from '../kinds/kind-context.js';
import { VersionLink } from '../kinds/version-link.js';
import { PublishedBadges } from '../publishing/published-badges.js';
import { useAuthors } from './use-authors.js';
import { VersionLabel } from './version-label.js';
import classes from './version-list.module.css';

const { library } = texts;

interface VersionEntryProps {
  entry: ListedVersion;
  isLatest: boolean;
  /** The choices of the page. They stay the same when the reader opens another version. */
  search: DocumentSearch;
}

export function VersionEntry({ entry, isLatest, search }: VersionEntryProps) {
  const workspaceId = useWorkspaceId();
  const { section } = useKind();
  const documentId = useDocumentId();
  const authorOf = useAuthors();
  const { version, name, label, note, createdAt, createdBy } = entry;
  return (
    <li className={classes['entry']}>
      <Group gap="xs">
        <VersionLink
          {...(!isLatest && { version })}
          search={search}
          className={classes['link'] ?? ''}
        >
          {library.versionOf(version)}
        </VersionLink>
        {isLatest && (
          <Badge size="sm" variant="default" tt="none" fw={500}>
            {library.latest}
          </Badge>
        )}
        <PublishedBadges version={version} />
        {label !== '' && <VersionLabel>{label}</VersionLabel>}
      </Group>
      <Text size="sm" truncate title={name}>
        {name}
      </Text>
      {note !== '' && (
        <Text size="sm" lineClamp={2} title={note}>
          {note}
        </Text>
      )}
      <Text size="xs" component="div">
        {authorOf(createdBy)}, <RelativeTime time={createdAt} inline />
      </Text>
      {version > 1 && (
        <LinkAnchor
          to={`/w/$workspaceId/${section}/$documentId/compare`}
          params={{ workspaceId, documentId }}
          search={{ from: version - 1, to: version }}
          size="xs"
          className={classes['compare'] ?? ''}
          aria-label={library.compareWithPreviousOf(version)}
        >
          {library.compareWithPrevious}
        </LinkAnchor>
      )}
    </li>
  );
}
