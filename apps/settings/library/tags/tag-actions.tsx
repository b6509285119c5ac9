import { removeTag, renameTag } from '#client';
import { ActionIcon, Menu, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { texts } from '../../texts.js';
import { MAX_TAG_LENGTH } from '../library-search.js';
import { useTagChange } from '../tag-queries.js';
import { TagChangeModal } from './tag-change-modal.js';
import { words } from './texts.js';

export function TagActions({ name }: { name: string }) {
  const [dialog, setDialog] = useState<'rename' | 'removal'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu position="bottom-end" width={160}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.actionsFor(name)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>
          <Menu.Item color="red" onClick={() => setDialog('removal')}>
            {words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameTag name={name} opened={dialog === 'rename'} onClose={close} />
      <RemoveTag name={name} opened={dialog === 'removal'} onClose={close} />
    </>
  );
}

interface RenameTagProps {
  name: string;
  opened: boolean;
  onClose: () => void;
}

function RenameTag({ name, opened, onClose }: RenameTagProps) {
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

interface RemoveTagProps {
  name: string;
  opened: boolean;
  onClose: () => void;
}

function RemoveTag({ name, opened, onClose }: RemoveTagProps) {
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

/** Applies the API's rules for tags. */
function validateTag(name: string): string | null {
  const tag = name.trim();
  if (tag === '') return texts.common.nameRequired;
  if (tag.length > MAX_TAG_LENGTH) return words.nameTooLong;
  return tag.includes(',') ? words.nameWithComma : null;
}
