import { deleteWorkspace, GalleyError } from '#client';
import { Alert, Button, Checkbox, Group, List, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { Section } from './section.js';
import { words } from './texts.js';
import type { ReadWorkspace } from './use-read-workspace.js';

export function DeleteWorkspace({ read }: { read: ReadWorkspace }) {
  const [isAsking, question] = useDisclosure();
  return (
    <Section
      title={words.delete}
      text={words.deleteText}
      action={
        <Button variant="outline" color="red" onClick={question.open}>
          {words.delete}
        </Button>
      }
    >
      <DeleteWorkspaceModal read={read} opened={isAsking} onClose={question.close} />
    </Section>
  );
}

interface DeleteWorkspaceModalProps {
  read: ReadWorkspace;
  opened: boolean;
  onClose: () => void;
}

function DeleteWorkspaceModal({ read, opened, onClose }: DeleteWorkspaceModalProps) {
  const { name } = read.workspace;
  return (
    <Modal opened={opened} onClose={onClose} title={words.deleteQuestion(name)} centered>
      <DeleteForm read={read} onClose={onClose} />
    </Modal>
  );
}

/** Mounted again each time the modal opens, so that earlier input cannot confirm a later deletion. */
function DeleteForm({
  read: { workspace, etag },
  onClose,
}: Omit<DeleteWorkspaceModalProps, 'opened'>) {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [typedName, setTypedName] = useState('');
  const [force, setForce] = useState(false);
  const deletion = useMutation({
    mutationFn: () =>
      deleteWorkspace({
        client,
        path: { id: workspace.id },
        headers: etag === undefined ? {} : { 'If-Match': etag },
        ...(force && { query: { force } }),
      }),
    onSuccess: async () => {
      notifications.show({ message: words.deleted(workspace.name) });
      await navigate({ to: '/', search: { all: true } });
      queryClient.removeQueries({ queryKey: ['workspaces', workspace.id] });
      await queryClient.invalidateQueries({ queryKey: ['workspaces'] });
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ['workspaces'] }),
  });
  const code = deletion.error instanceof GalleyError ? deletion.error.code : undefined;
  const isConfirmed = typedName.trim() === workspace.name;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) deletion.mutate();
      }}
    >
      <Stack gap="md">
        <List size="sm" spacing={4}>
          {words.deleteEffects.map((effect) => (
            <List.Item key={effect}>{effect}</List.Item>
          ))}
        </List>
        {code === 'in_use' && (
          <Alert color="yellow" role="alert">
            {words.deleteNotEmpty}
          </Alert>
        )}
        {code === 'stale' && (
          <Alert color="yellow" role="alert">
            {words.deleteStale}
          </Alert>
        )}
        {deletion.error && code !== 'in_use' && code !== 'stale' && (
          <ErrorAlert error={deletion.error} />
        )}
        <Checkbox
          label={words.deleteContents}
          description={words.deleteContentsHint}
          checked={force}
          onChange={({ currentTarget }) => setForce(currentTarget.checked)}
        />
        <TextInput
          label={words.deleteConfirmLabel}
          description={workspace.name}
          value={typedName}
          onChange={({ currentTarget }) => setTypedName(currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" color="red" loading={deletion.isPending} disabled={!isConfirmed}>
            {words.delete}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
