import { GalleyError, renameWorkspace } from '#client';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { ErrorAlert } from '../../controls/states.js';
import { validateName } from '../../controls/validation.js';
import { texts } from '../../texts/index.js';
import { workspace as words } from '../../texts/workspace.js';
import type { ReadWorkspace } from './use-read-workspace.js';

export function RenameForm({ read: { workspace, etag } }: { read: ReadWorkspace }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: workspace.name },
    validate: { name: validateName },
  });
  const renaming = useMutation({
    mutationFn: async ({ name }: { name: string }) => {
      const headers = etag === undefined ? {} : { 'If-Match': etag };
      const request = { client, path: { id: workspace.id }, headers, body: { name: name.trim() } };
      return (await renameWorkspace(request)).data;
    },
    onSuccess: ({ name }) => {
      form.setInitialValues({ name });
      form.setValues({ name });
      notifications.show({ message: words.renamed(name) });
    },
    // Also after a conflict, because the next attempt needs the current ETag.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['workspaces'] }),
  });
  const isStale = renaming.error instanceof GalleyError && renaming.error.code === 'stale';
  const isUnchanged = form.getValues().name.trim() === workspace.name;
  return (
    <form onSubmit={form.onSubmit((values) => renaming.mutate(values))} noValidate>
      <Stack gap="sm">
        <TextInput
          label={words.nameLabel}
          description={words.nameHint}
          {...form.getInputProps('name')}
        />
        {isStale && (
          <Alert color="yellow" title={words.renamedMeanwhileTitle} role="alert">
            {words.renamedMeanwhile(workspace.name)}
          </Alert>
        )}
        {renaming.error && !isStale && <ErrorAlert error={renaming.error} />}
        <Group>
          <Button type="submit" loading={renaming.isPending} disabled={isUnchanged}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
