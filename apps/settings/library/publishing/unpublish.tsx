import { GalleyError } from '#client';
import { Button, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { publishing as words } from '../../texts/library/publishing.js';
import { usePublishingActions } from './publication-queries.js';

const MAX_NOTE_LENGTH = 2_000;

interface UnpublishProps {
  environment: string;
  isPublished: boolean;
  /** Called when the dialog has closed after the template was unpublished. */
  onUnpublished: () => void;
}

/** Stays on the page when the template is unpublished, so that the dialog can close. */
export function Unpublish({ environment, isPublished, onUnpublished }: UnpublishProps) {
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
