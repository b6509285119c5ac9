import { GalleyError } from '#client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { tags as words } from '../../texts/library/tags.js';
import { useKind } from '../kinds/kind-context.js';
import { useRefreshDocument, type ReadDocument } from '../kinds/use-document.js';
import { mergeTags } from './merge-tags.js';
import { TagField } from './tag-field.js';

// Each retry means that somebody else has changed the document since the previous try.
const MAX_TRIES = 5;

interface TagFormProps {
  read: ReadDocument;
  onClose: () => void;
}

export function TagForm({ read, onClose }: TagFormProps) {
  const refresh = useRefreshDocument();
  // The page may read the document again while the form is open.
  const [seen] = useState(read);
  const form = useForm({ initialValues: { tags: [...seen.document.tags] } });
  const draft = useDraft(`tags:${seen.document.id}`, form);
  const save = useSave(seen);
  const saving = useMutation({
    mutationFn: ({ tags }: { tags: string[] }) => save(tags),
    onSuccess: async () => {
      draft.forget();
      notifications.show({ message: words.saved });
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
          label={words.editLabel}
          description={words.editHint}
          placeholder={words.editPlaceholder}
          data-autofocus
          {...form.getInputProps('tags')}
        />
        <Text size="sm">{words.editNote}</Text>
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

/** Saves the tags that the reader added and removed, even if somebody else has changed the document meanwhile. */
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
