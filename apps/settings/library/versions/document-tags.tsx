import { GalleyError } from '#client';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useHasRole } from '../../api/workspaces.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { useKind } from '../kinds.js';
import { TagField, TagLinks } from '../tag-parts.js';
import { useRefreshDocument, type ReadDocument } from '../use-document.js';
import { mergeTags } from './merge-tags.js';
import { words } from './texts.js';

/** The tags on the page of a template or module. Editors can change them. */
export function DocumentTags({ read }: { read: ReadDocument }) {
  const { section } = useKind();
  const isEditor = useHasRole('editor');
  const [isOpen, dialog] = useDisclosure();
  const { name, workspaceId, tags } = read.document;
  return (
    <>
      {tags.length === 0 ? (
        <Text size="sm">{words.tags.none}</Text>
      ) : (
        <TagLinks workspaceId={workspaceId} section={section} tags={tags} />
      )}
      {isEditor && (
        <Button size="xs" variant="default" mt="xs" onClick={dialog.open}>
          {words.tags.edit}
        </Button>
      )}
      <Modal opened={isOpen} onClose={dialog.close} title={words.tags.editTitle(name)} centered>
        <TagForm read={read} onClose={dialog.close} />
      </Modal>
    </>
  );
}

// An attempt fails if somebody else has changed the document since it was last read.
const MAX_TRIES = 5;

interface TagFormProps {
  read: ReadDocument;
  onClose: () => void;
}

function TagForm({ read, onClose }: TagFormProps) {
  const refresh = useRefreshDocument();
  // The document as it was when the form opened. The page may refetch the document while the form is open.
  const [seen] = useState(read);
  const form = useForm({ initialValues: { tags: [...seen.document.tags] } });
  const draft = useDraft(`tags:${seen.document.id}`, form);
  const save = useSave(seen);
  const saving = useMutation({
    mutationFn: ({ tags }: { tags: string[] }) => save(tags),
    onSuccess: async () => {
      draft.forget();
      notifications.show({ message: words.tags.saved });
      await refresh();
      onClose();
    },
  });
  const cancel = () => {
    draft.forget();
    onClose();
  };
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <TagField
          label={words.tags.editLabel}
          description={words.tags.editHint}
          placeholder={words.tags.editPlaceholder}
          data-autofocus
          {...form.getInputProps('tags')}
        />
        <Text size="sm">{words.tags.editNote}</Text>
        {saving.error && <ErrorAlert error={saving.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Saves the user's added and removed tags, even if somebody else has changed the document meanwhile. */
function useSave({ document: { id, tags: before }, etag: seenEtag }: ReadDocument) {
  const client = useClient();
  const { read, updateTags } = useKind();
  return async (after: readonly string[]): Promise<void> => {
    let current = before;
    let etag = seenEtag;
    for (let tries = 1; ; tries++) {
      const headers = etag === undefined ? {} : { 'If-Match': etag };
      const body = { tags: mergeTags(current, before, after) };
      try {
        await updateTags({ client, path: { id }, headers, body });
        return;
      } catch (error) {
        const isStale = error instanceof GalleyError && error.code === 'stale';
        if (!isStale || tries === MAX_TRIES) throw error;
      }
      const { data, response } = await read({ client, path: { id } });
      current = data.tags;
      etag = response.headers.get('etag') ?? undefined;
    }
  };
}
