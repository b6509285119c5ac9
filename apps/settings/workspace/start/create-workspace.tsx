import { createWorkspace } from '#client';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { ErrorAlert } from '../../controls/states.js';
import { validateName } from '../../controls/validation.js';
import { texts } from '../../texts.js';
import { words } from './texts.js';

export function CreateWorkspaceModal(props: { opened: boolean; onClose: () => void }) {
  return (
    <Modal {...props} title={texts.navigation.createWorkspace} centered>
      <CreateWorkspaceForm onCancel={props.onClose} />
    </Modal>
  );
}

/** Creates a workspace and opens its list of webhooks. Without `onCancel`, the form has no cancel button. */
export function CreateWorkspaceForm({ onCancel }: { onCancel?: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: validateName },
  });
  const draft = useDraft('workspace-new', form);
  const creation = useMutation({
    mutationFn: async ({ name }: { name: string }) =>
      (await createWorkspace({ client, body: { name } })).data,
    onSuccess: async ({ id, name }) => {
      draft.forget();
      notifications.show({ message: words.created(name) });
      await navigate({ to: '/w/$workspaceId/webhooks', params: { workspaceId: id } });
      await queryClient.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => creation.mutate(values))} noValidate>
      <DraftNotice draft={draft} />
      <Stack gap="md">
        <TextInput
          label={words.nameLabel}
          description={words.nameHint}
          placeholder={words.namePlaceholder}
          required
          data-autofocus
          autoFocus={onCancel === undefined}
          {...form.getInputProps('name')}
        />
        {creation.error && <ErrorAlert error={creation.error} />}
        <Group justify={onCancel ? 'flex-end' : 'flex-start'}>
          {onCancel && (
            <Button
              variant="default"
              onClick={() => {
                draft.forget();
                onCancel();
              }}
            >
              {texts.common.cancel}
            </Button>
          )}
          <Button type="submit" loading={creation.isPending}>
            {texts.navigation.createWorkspace}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
