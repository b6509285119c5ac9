import { Alert, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { LinkButton } from '../../controls/links.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { hasReference } from '../document/json-rows.js';
import { useDocumentId, useKind, type Version } from '../kinds.js';
import { libraryTexts } from '../texts.js';
import { useDocument, useVersion } from '../use-document.js';
import { ExpandableDocument, useIsExpanded } from './expandable-document.js';
import { RestoreVersion } from './restore-version.js';
import { words } from './texts.js';
import { VersionNote } from './version-note.js';

/** Shows the version in the URL. */
export function EarlierVersion() {
  const { version } = useParams({ strict: false });
  const read = useVersion(Number(version), { isExpanded: useIsExpanded() });
  return (
    <QueryState query={read} skeleton={<RowsSkeleton rows={1} height={400} />}>
      {(earlier) => (
        <Stack gap="md">
          <VersionNotice earlier={earlier} />
          <VersionNote entry={earlier} />
          <ExpandableDocument
            key={earlier.version}
            title={libraryTexts.versionOf(earlier.version)}
            {...earlier}
          />
        </Stack>
      )}
    </QueryState>
  );
}

function VersionNotice({ earlier }: { earlier: Version }) {
  const isExpanded = useIsExpanded();
  const { data } = useDocument();
  const workspaceId = useWorkspaceId();
  const { section } = useKind();
  const documentId = useDocumentId();
  const isEditor = useHasRole('editor');
  if (data === undefined || data.document.version === earlier.version) return null;
  const { name, version: latest } = data.document;
  const params = { workspaceId, documentId };
  return (
    <Alert color="blue" variant="light">
      <Text size="sm">{words.notLatest(earlier.version, latest)}</Text>
      {earlier.name !== name && (
        <Text size="sm" mt={4}>
          {words.nameInVersion}: <strong>{earlier.name}</strong>
        </Text>
      )}
      <Group gap="xs" mt="sm">
        {isEditor && (
          <RestoreVersion
            version={earlier.version}
            refersToModules={isExpanded || hasReference(earlier.content)}
            read={data}
          />
        )}
        <LinkButton
          to={`/w/$workspaceId/${section}/$documentId/compare`}
          params={params}
          search={{ from: earlier.version, to: latest }}
          size="xs"
          variant="default"
        >
          {words.compareWithLatest}
        </LinkButton>
        <LinkButton
          to={`/w/$workspaceId/${section}/$documentId`}
          params={params}
          size="xs"
          variant="default"
        >
          {words.showLatest}
        </LinkButton>
      </Group>
    </Alert>
  );
}
