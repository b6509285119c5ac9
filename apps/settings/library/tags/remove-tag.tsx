import { removeTag } from '#client';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { tags as words } from '../../texts/library/tags.js';
import { TagChangeModal } from './tag-change-modal.js';
import { useTagChange } from './tag-queries.js';

interface RemoveTagProps {
  name: string;
  opened: boolean;
  onClose: () => void;
}

export function RemoveTag({ name, opened, onClose }: RemoveTagProps) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const state = useTagChange(({ changed, isComplete }) => {
    notifications.show({
      message: isComplete ? words.removed(name, changed) : words.stopped(name, changed),
    });
    onClose();
  });
  return (
    <TagChangeModal
      opened={opened}
      title={words.removeTitle(name)}
      state={state}
      action={words.remove}
      isDangerous
      onSubmit={(event) => {
        event?.preventDefault();
        state.change.mutate(() => removeTag({ client, body: { workspaceId, name } }));
      }}
      onClose={() => {
        state.change.reset();
        onClose();
      }}
    >
      <Text size="sm">{words.removeText}</Text>
    </TagChangeModal>
  );
}
