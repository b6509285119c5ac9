import { renameTag } from '#client';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { tags as words } from '../../texts/library/tags.js';
import { TagChangeModal } from './tag-change-modal.js';
import { useTagChange } from './tag-queries.js';
import { validateTag } from './validate-tag.js';

interface RenameTagProps {
  name: string;
  opened: boolean;
  onClose: () => void;
}

export function RenameTag({ name, opened, onClose }: RenameTagProps) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const form = useForm({
    initialValues: { newName: name },
    validate: {
      newName: (newName) => (newName.trim() === name ? words.sameName : validateTag(newName)),
    },
  });
  const state = useTagChange(({ changed, isComplete }) => {
    const newName = form.getValues().newName.trim();
    notifications.show({
      message: isComplete ? words.renamed(name, newName, changed) : words.stopped(name, changed),
    });
    onClose();
  });
  const submit = form.onSubmit(({ newName }) => {
    const body = { workspaceId, name, newName: newName.trim() };
    state.change.mutate(() => renameTag({ client, body }));
  });
  return (
    <TagChangeModal
      opened={opened}
      title={words.renameTitle(name)}
      state={state}
      action={words.rename}
      onSubmit={submit}
      onClose={() => {
        form.reset();
        state.change.reset();
        onClose();
      }}
    >
      <TextInput
        label={words.newName}
        description={words.renameHint}
        disabled={state.change.isPending}
        data-autofocus
        {...form.getInputProps('newName')}
      />
    </TagChangeModal>
  );
}
