import { Badge, Box, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconWorldCheck } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { FilterText } from '../../lists/filter-bar.js';
import { LoadMore } from '../../lists/list-table.js';
import { useDocumentId, useKind, type ListedVersion } from '../kinds.js';
import { parseDocumentSearch, type DocumentSearch } from '../library-search.js';
import { usePublished } from '../publishing/publication-queries.js';
import { libraryTexts } from '../texts.js';
import { useAuthors, useVersions } from '../use-document.js';
import { VersionLabel, VersionLink } from '../version-parts.js';
import { words } from './texts.js';
import classes from './version-list.module.css';

export function VersionList({ latestVersion }: { latestVersion: number }) {
  const search = parseDocumentSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const versions = useVersions(search.label);
  const filter = (label: string) =>
    void navigate({ to: '.', search: parseDocumentSearch({ ...search, label }), replace: true });
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {libraryTexts.versions}
      </Title>
      {(latestVersion > 1 || search.label !== undefined) && (
        <FilterText
          mb="sm"
          label={words.labelFilter}
          placeholder={words.labelFilterPlaceholder}
          maxLength={100}
          value={search.label ?? ''}
          onChange={filter}
        />
      )}
      <QueryState query={versions} skeleton={<RowsSkeleton rows={3} height={88} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">{words.noSuchLabel}</Text>
          ) : (
            <Box component="ol" className={classes['list']} aria-label={words.versionsLabel}>
              {rows.map((row) => (
                <VersionEntry
                  key={row.version}
                  entry={row}
                  isLatest={row.version === latestVersion}
                  search={search}
                />
              ))}
            </Box>
          )
        }
      </QueryState>
      <LoadMore list={versions} />
    </section>
  );
}

interface VersionEntryProps {
  entry: ListedVersion;
  isLatest: boolean;
  /** The page's search parameters, which stay the same when the user opens another version. */
  search: DocumentSearch;
}

function VersionEntry({ entry, isLatest, search }: VersionEntryProps) {
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
          {libraryTexts.versionOf(version)}
        </VersionLink>
        {isLatest && (
          <Badge size="sm" variant="default" tt="none" fw={500}>
            {words.latest}
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
          aria-label={words.compareWithPreviousOf(version)}
        >
          {words.compareWithPrevious}
        </LinkAnchor>
      )}
    </li>
  );
}

/** A badge for each environment in which the version is published. */
function PublishedBadges({ version }: { version: number }) {
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
