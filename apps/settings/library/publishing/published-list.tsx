import { Box, Group, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';
import { publishing as words } from '../../texts/library/publishing.js';
import { useDocumentId } from '../kinds/kind-context.js';
import { useDocument } from '../kinds/use-document.js';
import { VersionLink } from '../kinds/version-link.js';
import { useAuthors } from '../versions/use-authors.js';
import { PublishVersion } from './publish-version.js';
import type { PublishedState } from './publication-queries.js';
import { Unpublish } from './unpublish.js';
import classes from './published-list.module.css';

/** The published version of each environment, with the buttons that publish and unpublish. */
export const PublishedList = ({ states }: { states: readonly PublishedState[] }) => (
  <Box component="ul" className={classes['list']} aria-label={words.environmentsLabel}>
    {states.map((state) => (
      <EnvironmentEntry key={state.environment} state={state} />
    ))}
  </Box>
);

function EnvironmentEntry({ state: { environment, published } }: { state: PublishedState }) {
  const isEditor = useHasRole('editor');
  const publishButton = useRef<HTMLButtonElement>(null);
  return (
    <li className={classes['entry']}>
      <Stack gap={4} className={classes['state'] ?? ''}>
        <Text fw={600} size="sm">
          {environment}
        </Text>
        {published === undefined ? (
          <Text size="sm">{words.notPublished}</Text>
        ) : (
          <PublishedVersion published={published} />
        )}
      </Stack>
      {isEditor && (
        <Group gap="xs">
          <PublishVersion
            ref={publishButton}
            size="xs"
            environment={environment}
            aria-label={words.publishTo(environment)}
          >
            {words.publish}
          </PublishVersion>
          <Unpublish
            environment={environment}
            isPublished={published !== undefined}
            // The button that unpublishes disappears, and would take the keyboard focus with it.
            onUnpublished={() => publishButton.current?.focus()}
          />
        </Group>
      )}
    </li>
  );
}

function PublishedVersion({ published }: { published: NonNullable<PublishedState['published']> }) {
  const params = { workspaceId: useWorkspaceId(), documentId: useDocumentId() };
  const authorOf = useAuthors();
  const latest = useDocument().data?.document.version ?? 1;
  const { environment, version, at, createdBy, note } = published;
  return (
    <>
      <Text size="sm" component="div">
        <VersionLink version={version} size="sm" fw={600}>
          {texts.library.versionOf(version)}
        </VersionLink>
        , {words.publishedAgo} <RelativeTime time={at} inline /> {words.by(authorOf(createdBy))}
      </Text>
      {note !== '' && (
        <Text size="sm" className={classes['note'] ?? ''}>
          {note}
        </Text>
      )}
      {version < latest && (
        <LinkAnchor
          to="/w/$workspaceId/templates/$documentId/compare"
          params={params}
          search={{ from: environment, to: latest }}
          size="xs"
          aria-label={words.compareWithLatestFor(environment, latest)}
        >
          {words.compareWithLatest(latest)}
        </LinkAnchor>
      )}
    </>
  );
}
