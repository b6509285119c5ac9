import type { Workspace } from '#client';
import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { isRoleAtLeast } from '../../api/values.js';
import { useWorkspaceId, useWorkspaces } from '../../api/workspaces.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { useDocumentId, useKind } from '../kinds.js';
import { words } from './texts.js';

/** Copies a document into a workspace in which the user is at least an editor. */
export function DuplicateDocument({ name }: { name: string }) {
  const { data: workspaces } = useWorkspaces();
  const [isOpen, dialog] = useDisclosure();
  const targets = (workspaces?.data ?? []).filter((workspace) =>
    isRoleAtLeast(workspace.role, 'editor'),
  );
  if (targets.length === 0) return null;
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {words.duplicate}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={words.duplicateTitle(name)} centered>
        <DuplicateForm name={name} targets={targets} onClose={dialog.close} />
      </Modal>
    </>
  );
}

interface DuplicateFormProps {
  name: string;
  targets: readonly Workspace[];
  onClose: () => void;
}

function DuplicateForm({ name, targets, onClose }: DuplicateFormProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { section, duplicate } = useKind();
  const id = useDocumentId();
  const currentId = useWorkspaceId();
  const initialTarget = targets.find(({ id }) => id === currentId) ?? targets[0];
  const form = useForm({
    initialValues: { name: '', workspaceId: initialTarget?.id ?? currentId },
    validate: { name: (text) => (text.trim().length > 255 ? texts.common.nameTooLong : null) },
  });
  const duplication = useMutation({
    mutationFn: async (values: { name: string; workspaceId: string }) => {
      const copyName = values.name.trim();
      const body = { workspaceId: values.workspaceId, ...(copyName && { name: copyName }) };
      return (await duplicate({ client, path: { id }, body })).data;
    },
    onSuccess: async (copy) => {
      notifications.show({ message: words.duplicated(copy.name) });
      onClose();
      void navigate({
        to: `/w/$workspaceId/${section}/$documentId`,
        params: { workspaceId: copy.workspaceId, documentId: copy.id },
      });
      await queryClient.invalidateQueries({ queryKey: [section] });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => duplication.mutate(values))} noValidate>
      <Stack gap="md">
        <TextInput
          label={words.duplicateName}
          description={words.duplicateNameHint(name)}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {targets.length > 1 && (
          <NativeSelect
            label={words.duplicateWorkspace}
            data={targets.map((target) => ({ value: target.id, label: target.name }))}
            {...form.getInputProps('workspaceId')}
          />
        )}
        {duplication.error && <ErrorAlert error={duplication.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={duplication.isPending}>
            {words.duplicate}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
