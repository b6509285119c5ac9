import { GalleyError } from '#client';
import { Box, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { useDocumentId } from '../kinds.js';
import { libraryTexts } from '../texts.js';
import { useAuthors, useDocument } from '../use-document.js';
import { VersionLink } from '../version-parts.js';
import { usePublishingActions, type PublishedState } from './publication-queries.js';
import { PublishVersion } from './publish-version.js';
import classes from './published-list.module.css';
import { words } from './texts.js';

/** The published version of each environment, with buttons to publish and unpublish. */
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
            // The unpublish button disappears, so the focus moves to the publish button.
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
          {libraryTexts.versionOf(version)}
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

const MAX_NOTE_LENGTH = 2_000;

interface UnpublishProps {
  environment: string;
  isPublished: boolean;
  /** Called when the dialog has closed after the template was unpublished. */
  onUnpublished: () => void;
}

/** Stays mounted after the template is unpublished, so that the dialog can close. */
function Unpublish({ environment, isPublished, onUnpublished }: UnpublishProps) {
  const [isAsking, question] = useDisclosure();
  const [note, setNote] = useState('');
  const { unpublish, refresh } = usePublishingActions();
  const { error } = unpublish;
  const isGone = error instanceof GalleyError && error.code === 'not_found';
  return (
    <>
      {isPublished && (
        <Button
          size="xs"
          variant="default"
          aria-label={words.unpublishFrom(environment)}
          onClick={question.open}
        >
          {words.unpublish}
        </Button>
      )}
      <ConfirmModal
        opened={isAsking}
        title={words.unpublishQuestion(environment)}
        text={
          <Stack gap="md">
            {words.unpublishText(environment)}
            <Textarea
              label={words.note}
              description={words.noteHint}
              maxLength={MAX_NOTE_LENGTH}
              autosize
              minRows={2}
              maxRows={8}
              value={note}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
            />
          </Stack>
        }
        action={words.unpublish}
        isDangerous
        isPending={unpublish.isPending}
        error={isGone ? new Error(words.alreadyUnpublished(environment)) : error}
        onConfirm={() =>
          unpublish.mutate(
            { environment, note: note.trim() },
            {
              onSuccess: () => {
                notifications.show({ message: words.unpublished(environment) });
                question.close();
              },
            },
          )
        }
        onClose={question.close}
        onClosed={() => {
          if (unpublish.isSuccess) onUnpublished();
          if (unpublish.isError) void refresh();
          setNote('');
          unpublish.reset();
        }}
      />
    </>
  );
}
