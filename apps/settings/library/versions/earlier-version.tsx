import { Alert, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { LinkButton } from '../../controls/links.js';
import { QueryState, RowsSkeleton } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { ExpandableDocument } from '../document/expandable-document.js';
import { hasReference } from '../document/references.js';
import { useIsExpanded } from '../document/use-is-expanded.js';
import { useDocumentId, useKind } from '../kinds/kind-context.js';
import type { Version } from '../kinds/kind.js';
import { useDocument, useVersion } from '../kinds/use-document.js';
import { RestoreVersion } from './restore-version.js';
import { VersionNote } from './version-note.js';

/** Shows the version that the URL names. */
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
            title={texts.library.versionOf(earlier.version)}
            {...earlier}
          />
        </Stack>
      )}
    </QueryState>
  );
}

function VersionNotice({ earlier }: { earlier: Version }) {
  const { library } = texts;
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
      <Text size="sm">{library.notLatest(earlier.version, latest)}</Text>
      {earlier.name !== name && (
        <Text size="sm" mt={4}>
          {library.nameInVersion}: <strong>{earlier.name}</strong>
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
          {library.compareWithLatest}
        </LinkButton>
        <LinkButton
          to={`/w/$workspaceId/${section}/$documentId`}
          params={params}
          size="xs"
          variant="default"
        >
          {library.showLatest}
        </LinkButton>
      </Group>
    </Alert>
  );
}
