import { Alert, List, Stack, Text } from '@mantine/core';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';
import { useKind } from '../kinds/kind-context.js';
import { useVersions } from '../kinds/use-document.js';
import { VersionLink } from '../kinds/version-link.js';
import { useAuthors } from './use-authors.js';

/** Explains why the ETag did not match: lists the versions that are newer than the version the reader saw. */
export function RestoreConflict({ seenVersion }: { seenVersion: number }) {
  const { library } = texts;
  const { name: kind } = useKind();
  const { data: versions = [] } = useVersions();
  const authorOf = useAuthors();
  const newer = versions.filter(({ version }) => version > seenVersion);
  const latest = newer[0]?.version ?? seenVersion;
  return (
    <Alert color="yellow" title={library.conflictTitle(library.kinds[kind])} role="alert">
      <Stack gap="xs">
        <Text size="sm">{library.conflictText(seenVersion, latest)}</Text>
        <List size="sm">
          {newer.map(({ version, createdBy, createdAt }) => (
            <List.Item key={version}>
              <VersionLink version={version} target="_blank" size="sm">
                {library.conflictVersion(version, authorOf(createdBy))}
              </VersionLink>
              , <RelativeTime time={createdAt} inline />
            </List.Item>
          ))}
        </List>
        <Text size="sm">{library.conflictAdvice}</Text>
      </Stack>
    </Alert>
  );
}
